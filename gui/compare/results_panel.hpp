// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counters.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/run_table_model.hpp"

#include <QWidget>
#include <functional>
#include <string>
#include <vector>

class QLabel;
class QMenu;
class QPushButton;
class QSplitter;
class QToolButton;

namespace warplens::gui {

class ElidedLabel;
class OriginMark;
class RunTable;
class SlabStrip;
class TimeBars;
struct TimeBar;

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
    /// What was counted of a variant, by its id; null: nothing yet.
    using Counts = std::function<const gpu::Counters*(const std::string& variant)>;
    /// To be called again when more is counted: it is drawn where there is no time that ranks, here or recorded.
    void setCounts(Counts counts);

public slots:
    /// Kernels' times alone, or all stages of the runs.
    void setStages(bool stages);
    /// Puts the table as shown on the clipboard, tab-separated.
    void copyTable();

signals:
    void stagesChanged(bool stages);
    /// Of what took less time before.
    void historyWanted();

private:
    void makeTitle();
    void setHeights();
    /// Whole rows only, the chosen one among them.
    void fitRows();
    /// The chart's rows lie beside the table's.
    void followScroll();
    /// Where the recorded times come from, beside how far those of this run can be trusted, where there is room for
    /// both.
    void fitTitle();
    /// The columns before the chart.
    void fitColumns();
    void refresh();
    void refreshBars();
    /// One a row, filled for its run.
    std::vector<TimeBar> barsOf(void (ResultsPanel::*fill)(TimeBar& bar, int run) const) const;
    void fillMeasured(TimeBar& bar, int run) const;
    /// Of times that rank nothing there is no chart: those recorded on a GPU are drawn, where there are any.
    void fillRecorded(TimeBar& bar, int run) const;
    /// Bytes that cross between global memory and the multiprocessors.
    void fillCounted(TimeBar& bar, int run) const;
    void refreshTitle();
    void fillBaselines(QMenu* menu);
    /// Of the current row.
    void showSlabs();
    void follow();

    RequestState& m_request;
    RunTableModel& m_model;
    RunSortProxy* m_runs;
    QWidget* m_title;
    ElidedLabel* m_trust;
    QString m_said;  ///< how far the times can be trusted, whole
    QLabel* m_recorded;
    OriginMark* m_origin;
    QToolButton *m_slower, *m_baseline;
    QPushButton *m_kernels, *m_stages;
    RunTable* m_table;
    QWidget* m_rows;  ///< the table and what is left below its last whole row
    SlabStrip* m_slabs;
    QSplitter* m_split;
    TimeBars* m_bars = nullptr;
    Counts m_counts;
};

}  // namespace warplens::gui
