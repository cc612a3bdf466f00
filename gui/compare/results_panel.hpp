// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/compare/run_sort_proxy.hpp"
#include "gui/compare/run_table_model.hpp"
#include "gui/request/request_state.hpp"

#include <QWidget>

class QLabel;
class QMenu;
class QPushButton;
class QSplitter;
class QToolButton;

namespace warplens::gui {

class OriginMark;
class RunTable;
class TimeBars;

/// Bottom dock: the table of runs and, sharing its rows, the bars of their times.
class ResultsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ResultsPanel(RequestState& request, RunTableModel& runs, QWidget* parent = nullptr);

    /// "Times", how far they can be trusted, the baseline, Copy table. Made for a dock's title bar.
    QWidget* titleBar() const { return m_title; }
    void setFewColumns(bool few);
    bool stages() const { return m_model.stages(); }
    /// What took less time before, in a sentence; empty: nothing.
    void setSlower(const QString& sentence);
    RunTable* table() const { return m_table; }

public slots:
    /// Kernels' times alone, or all stages of the runs.
    void setStages(bool stages);
    /// Puts the table as shown on the clipboard, tab-separated.
    void copyTable();

signals:
    void stagesChanged(bool stages);
    /// Of what took less time before.
    void historyWanted();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeTitle();
    void setHeights();
    /// Whole rows only, the chosen one among them.
    void fitRows();
    /// Where the recorded times come from, beside how far those of this run can be trusted, where there is room for
    /// both.
    void fitTitle();
    /// The columns before the chart.
    void fitColumns();
    void refresh();
    void refreshBars();
    void refreshTitle();
    void fillBaselines(QMenu* menu);
    void follow();

    RequestState& m_request;
    RunTableModel& m_model;
    RunSortProxy* m_runs;
    QWidget* m_title;
    QLabel *m_trust, *m_recorded;
    OriginMark* m_origin;
    QToolButton *m_slower, *m_baseline;
    QPushButton *m_kernels, *m_stages;
    RunTable* m_table;
    QWidget* m_rows;  ///< the table and what is left below its last whole row
    QSplitter* m_split;
    TimeBars* m_bars = nullptr;
};

}  // namespace warplens::gui
