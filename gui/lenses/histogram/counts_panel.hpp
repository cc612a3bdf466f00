// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/lenses/histogram/histogram_model.hpp"

#include <QWidget>

class QLabel;

namespace warplens::gui {

class ElidedLabel;
class HistogramChart;
class StatusMark;

/// The chart of counts with its head: what was counted and whether it was checked, axes, channels, Copy.
class CountsPanel : public QWidget {
    Q_OBJECT
public:
    explicit CountsPanel(HistogramModel& model, QWidget* parent = nullptr);
    HistogramChart* chart() const { return m_chart; }

private:
    QWidget* makeHead();
    void refresh();
    void refreshChannels();

    HistogramModel& m_model;
    HistogramChart* m_chart;
    ElidedLabel* m_caption;
    QLabel *m_countLabel, *m_valueLabel;
    StatusMark* m_state;
    QWidget* m_channels = nullptr;
};

}  // namespace warplens::gui
