// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/reports/report_actions.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"

#include <QObject>
#include <vector>

class QMenu;
class QSettings;

namespace warplens::gui {

class PageStack;
class ReportsWindow;

/// Export of the present comparison, other people's reports, and command lines that do the same.
class ReportCommands : public QObject {
    Q_OBJECT
public:
    ReportCommands(RequestState& request, Results& results, Activity& activity, PageStack& pages, QSettings& settings,
                   const ReportActions& reportActions, QWidget* window);

    /// By the name's ending: .json, .csv, .md, .html, .png, .svg or .pdf. Written away from the UI thread; exported()
    /// or the session's notice tells the end.
    void exportTo(const QString& path);
    /// Fills a menu with the command lines of what can be done now; choosing one copies it.
    void fillCommands(QMenu* menu);

public slots:
    void exportReport();
    void copyMarkdown();
    /// Opens the window of reports, with the present comparison in it when there is one.
    void showReports();
    /// Opens it with comparisons from the history.
    void showKept(const std::vector<gpu::Report>& reports);

signals:
    void exported(const QString& path);

private:
    RequestState& m_request;
    Results& m_results;
    Activity& m_activity;
    PageStack& m_pages;
    QSettings& m_settings;
    ReportActions m_reportActions;
    QWidget* m_window;
    ReportsWindow* m_reports = nullptr;  ///< once it was asked for
};

}  // namespace warplens::gui
