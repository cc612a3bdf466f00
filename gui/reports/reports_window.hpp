// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/job_runner.hpp"
#include "gui/reports/report_actions.hpp"
#include "gui/session/report_set.hpp"

#include <QDialog>

class QComboBox;
class QLabel;
class QListWidget;
class QScrollArea;
class QTableWidget;

namespace warplens::gui {

class TimeBars;

/// Reports from files side by side: many into one chart and one table, without any network. Files are added by name or
/// dropped; recorded runs and the present one join them.
class ReportsWindow : public QDialog {
    Q_OBJECT
public:
    /// The actions outlive the window.
    ReportsWindow(const ReportActions& actions, QWidget* window);

    /// Reads them on another thread; a file that is no report costs itself alone.
    void open(const QStringList& paths);
    /// The present comparison, in the place of the one that was the present one before.
    void setHere(gpu::Report report);
    /// From the history: recorded earlier.
    void addKept(gpu::Report report);
    /// The shipped runs of the same work as the first report, newest first.
    void addRecorded();
    const ReportSet& reports() const { return m_set; }
    /// By the name's ending: .csv, .md, .html, .png, .svg or .pdf.
    void exportTo(const QString& path);

signals:
    void exported(const QString& path);

private:
    QWidget* makeTools(const ReportActions& actions);
    void refresh();
    void refreshClocks();
    void say(const QString& words);
    void fitNotes();
    gpu::Clock clock() const;
    void askForName();

    ReportSet m_set;
    JobRunner m_jobs;
    QListWidget* m_list;
    QTableWidget* m_table;
    TimeBars* m_bars;
    QComboBox* m_clock;
    QScrollArea* m_notes;
    QLabel* m_said;
};

}  // namespace warplens::gui
