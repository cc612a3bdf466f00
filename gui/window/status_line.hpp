// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/session/live_preview.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"
#include "gui/session/run_control.hpp"
#include "gui/session/run_table_model.hpp"

#include <QElapsedTimer>
#include <QPointer>
#include <QStatusBar>
#include <QTimer>
#include <array>

class QLabel;
class QProgressBar;

namespace warplens::gui {

class OriginLegend;
class OriginMark;

/// 28 px at the bottom: what is under way or was done last, time and rate, the limit, and the legend of glyphs.
class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusLine(RequestState& request, RunTableModel& runs, Results& results, LivePreview& preview,
                        RunControl& control, Activity& activity, QWidget* parent = nullptr);
    void setLegendFolded(bool folded);
    void setLegendShown(bool shown);
    /// In the place of rate, times and limit; null: none. It stays its owner's.
    void setPageWidget(QWidget* widget);
    /// "200 %, linked".
    void setView(const QString& text);
    QString text() const;

private:
    void refresh();
    void fit();
    void progressed(double fraction, const QString& what);
    void sayProgress();

    RequestState& m_request;
    RunTableModel& m_runs;
    Results& m_results;
    LivePreview& m_preview;
    RunControl& m_control;
    Activity& m_activity;
    QWidget* m_facts;
    QPointer<QWidget> m_pageWidget;
    QLabel* m_job;
    OriginMark* m_jobMark;
    QLabel* m_rate;
    OriginMark* m_rateMark;
    QLabel* m_times;  ///< of the last frame that a slider moved
    OriginMark* m_timesMark;
    QLabel* m_limit;
    OriginMark* m_limitMark;
    QLabel* m_view;
    QProgressBar* m_bar;
    OriginLegend* m_legend;
    std::array<bool, 4> m_marked{};  ///< job, rate, limit, times
    QTimer m_patience;               ///< work shorter than this shows no bar
    QTimer m_second;                 ///< what is under way is said anew, though nothing comes of it
    QElapsedTimer m_since;           ///< the beginning of what is under way
    QString m_doing;
    double m_fraction = 1;
};

}  // namespace warplens::gui
