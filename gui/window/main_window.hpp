// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/window/session_keeper.hpp"
#include "gui/window/window_place.hpp"

#include <QMainWindow>
#include <QTimer>
#include <functional>

class QSettings;

namespace warplens::gui {

class Actions;
class DockArrangement;
class FileCommands;
class FilterPage;
class HeaderBar;
class KeyMap;
class LastKey;
class PageStack;
class Presets;
class ResultsPanel;
class StatusLine;
class StartPage;
class TaskPanel;

/// Puts the pages, docks and commands together. What happens is decided by the parts of the session.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// Restores itself from `settings`, which outlive it.
    explicit MainWindow(QSettings& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    CompareSession& session() { return *m_session; }
    SessionKeeper& keeper() { return *m_keeper; }
    /// A session, a picture or a "gen:" text.
    void openInput(const QString& input);
    /// What stands there while no picture is open.
    void showStart();
    /// Offers what a program that ended unexpectedly left. Returns whether there is something.
    bool offerRecovery();
    PageStack* pages() const { return m_pages; }
    /// Property of the application: while it is true, windows close without a question, as when a signal ends it.
    static constexpr const char* kNoQuestions = "no-questions";
    /// Setting: in the Lab what is shown is run, and counted on the page Why, without being asked.
    static constexpr const char* kAtOnce = "lab/at-once";

signals:
    /// What openInput() was given cannot be opened; the notice says so as well.
    void inputRefused(const warplens::gui::JobFailure& failure);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void makePages();
    void makePageButton(Page::Workspace workspace, Page* page);
    void wireActions();
    void wireHelpers();
    void wireThemes();
    void adapt();
    void followScreens();
    void makeStart();
    void setAtOnce(bool atOnce);
    void letRun(bool atOnce);
    /// Does `then`, where it loses nothing or after it was asked about.
    void leaveWork(const QString& title, UnsavedWork::Before before, const std::function<void()>& then);
    /// The picture, where that is what is made on the page shown; else the session.
    bool savesPicture() const;
    void saveWork(const std::function<void()>& then);
    void arrangeFor(Page* page);
    Page::Primary primary() const;
    void project(bool on);
    void toggleFullScreen(bool on);
    void showHelp();
    void showView();
    void showCancel();
    void restore();

    QSettings& m_settings;
    WindowPlace m_place;
    CompareSession* m_session;
    Presets* m_presets;
    Actions* m_actions;
    KeyMap* m_keys = nullptr;
    LastKey* m_lastKey = nullptr;
    HeaderBar* m_header;
    PageStack* m_pages;
    FilterPage* m_filter = nullptr;
    SessionKeeper* m_keeper;
    FileCommands* m_files;
    UnsavedWork* m_unsaved;
    TaskPanel* m_task;
    ResultsPanel* m_results;
    StatusLine* m_status;
    DockArrangement* m_docks = nullptr;
    StartPage* m_start = nullptr;
    std::function<void()> m_afterSaving;  ///< what waits for the work to be saved
    bool m_projecting = false;
    QTimer m_adaptLater;
};

}  // namespace warplens::gui
