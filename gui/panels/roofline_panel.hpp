// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/why_model.hpp"

#include <QWidget>

namespace warplens::gui {

class ElidedLabel;
class OriginMark;
class RooflineChart;

/// The roofline of all counted rungs under a title that says whose ceilings they are; hidden while nothing is counted.
class RooflinePanel : public QWidget {
    Q_OBJECT
public:
    explicit RooflinePanel(WhyModel& model, QWidget* parent = nullptr);
    void refresh();

private:
    WhyModel& m_model;
    RooflineChart* m_chart;
    ElidedLabel* m_note;
    OriginMark* m_origin;
};

}  // namespace warplens::gui
