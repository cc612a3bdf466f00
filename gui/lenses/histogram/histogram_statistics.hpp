// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/recorded.hpp"
#include "gui/lenses/histogram/histogram_model.hpp"
#include "gui/session/run_control.hpp"

#include <QWidget>

class QLabel;

namespace warplens::gui {

class DockSection;
class LanesChart;

/// Right dock of the Histogram page: figures of the values, how lanes meet, recorded and measured rates.
class HistogramStatistics : public QWidget {
    Q_OBJECT
public:
    HistogramStatistics(RequestState& request, RunTableModel& runs, RunControl& control, HistogramModel& model,
                        QWidget* parent = nullptr);
    /// The figures as a table, tab-separated.
    QString text() const;
    /// The sentence below the chart of lanes, plain.
    QString lanesSentence() const;

private:
    void refreshFigures();
    void refreshLanes();
    void refreshRates();

    RequestState& m_request;
    RunTableModel& m_runs;
    HistogramModel& m_model;
    DockSection *m_figures, *m_lanes, *m_rates;
    QWidget *m_figureTable = nullptr, *m_rateTable = nullptr;
    LanesChart* m_chart;
    QLabel* m_sentence;
    gpu::RecordedRuns m_recorded;
};

}  // namespace warplens::gui
