// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/kit/files.hpp"
#include "gui/session/input_files.hpp"
#include "gui/session/lens.hpp"
#include "gui/session/recent_files.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/result_files.hpp"

#include <QObject>

class QMenu;

namespace warplens::gui {

class FilterPage;
class PageStack;
class SessionKeeper;

/// Opening and saving: dialogs that do not block, samples, recent files, drops.
class FileCommands : public QObject {
    Q_OBJECT
public:
    FileCommands(RequestState& request, InputFiles& inputs, ResultFiles& outputs, Activity& activity, PageStack& pages,
                 SessionKeeper& keeper, QSettings& settings, QWidget* window);

    void fillSamples(QMenu* menu);
    void fillRecent(QMenu* menu);

    RecentFiles& recent() { return m_recent; }

public slots:
    void open();
    /// A folder of DICOM files.
    void openFolder();
    /// Numbered pictures as the slices of a volume, by one of them.
    void openSeries();
    /// Any file, as plain values.
    void openRaw();
    /// A session by its name's ending, else a path or an input's description; what has no header of its own is asked
    /// about first.
    void openInput(const QString& input);
    void openValues(const Lens::ValuesFile& file);
    void saveResult();
    /// The open picture itself, as it was turned or computed.
    void savePicture();
    /// The result, or the picture that is open, on the clipboard as the page shows it.
    void copyPicture();
    /// What another program copied becomes the input.
    void pastePicture();
    void saveSession();
    void exportView();
    /// The view as shown, on paper or as a PDF file.
    void printView();

signals:
    /// What openInput() was given cannot be opened; the notice says so as well.
    void inputRefused(const warplens::gui::JobFailure& failure);

private:
    void askRaw(const QString& path);
    void saveSteps(const FilterPage& page);
    void ask(const FileDialogOptions& wish, const FileTaken& taken);
    /// Where to put something of the picture's kind.
    void askToSave(const QString& title, const QString& name, const FileTaken& taken);
    /// Of the picture open.
    QString baseName() const;
    RequestState& m_request;
    InputFiles& m_inputs;
    ResultFiles& m_outputs;
    Activity& m_activity;
    PageStack& m_pages;
    SessionKeeper& m_keeper;
    QSettings& m_settings;
    RecentFiles m_recent;
    QWidget* m_window;
};

}  // namespace warplens::gui
