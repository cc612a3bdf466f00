// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/job_runner.hpp"
#include "gui/session/folder_run.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/run_control.hpp"

#include <QDialog>
#include <QElapsedTimer>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSettings;
class QTableWidget;

namespace warplens::gui {

class FormatForm;
class OriginMark;
class RecipeState;

/// All steps, or the current variant with the present parameters, over every picture of a folder, into another folder.
/// Each file has a row that says what became of it; one that fails keeps no other from being done, and nothing is
/// written over. Started again on the same folders, it goes on where it was stopped.
class BatchWindow : public QDialog {
    Q_OBJECT
public:
    /// All steps, those and then the regions at hand, or the task alone.
    enum class Does { steps, regions, task };
    Q_ENUM(Does)
    BatchWindow(RunControl& control, RequestState& request, RecipeState& recipe, QSettings& settings, QWidget* window);
    /// What the format loses is said of this picture, and of the one it was made of. Where it was saved by its usual
    /// name, it is no picture of the folder.
    void setExample(const std::shared_ptr<const io::Grid>& result, const std::shared_ptr<const io::Grid>& original,
                    const QString& name);
    /// Stops what is under way, as Esc does; else closes.
    void reject() override;

signals:
    /// When each stage worked on which picture, of a run that has ended, or was ended; `what`: which variant on which
    /// folder.
    void recorded(const warplens::gpu::Timeline& timeline, const QString& what);
    /// The page that shows it.
    void timelineWanted();

private:
    void makeRows();
    /// The folder of the open picture, and where its results went last.
    void suggestFolders();
    void choose(QLineEdit* into, const QString& title);
    void list();
    void listWork();
    QStringList pictures() const;
    gpu::recipe::Recipe steps() const;  ///< that are to be done; none: the task alone
    void start();
    void tell(const FolderRow& row);
    void ended(const FolderOutcome& outcome);
    void showFailures();
    /// Why it cannot start, or empty.
    QString refusal() const;
    void setRunning(bool running);

    RunControl& m_control;
    RequestState& m_request;
    RecipeState& m_recipe;
    QString m_example;  ///< the usual name of what the steps made
    QSettings& m_settings;
    QLineEdit *m_from, *m_to;
    FormatForm* m_format;
    QComboBox* m_work;
    QLabel* m_said;
    OriginMark* m_origin;
    QCheckBox* m_failures;
    QProgressBar* m_progress;
    QTableWidget* m_table;
    QPushButton *m_start, *m_stop, *m_open, *m_timeline;
    QElapsedTimer m_since;
    int m_failed = 0, m_told = 0;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
