// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/why/why_model.hpp"

#include <QWidget>

class QLabel;

namespace warplens::gui {

class ElidedLabel;
class OccupancyBar;
class OriginMark;
class RooflineChart;

/// How full the current rung keeps a multiprocessor, what limits it, and what would lift that.
class OccupancyPanel : public QWidget {
    Q_OBJECT
public:
    explicit OccupancyPanel(WhyModel& model, QWidget* parent = nullptr);

    /// Where there is little room the facts go into the tooltip.
    void setCompact(bool compact);

private:
    void refresh();

    WhyModel& m_model;
    QLabel *m_figure, *m_sentence, *m_facts;
    OriginMark *m_modelled, *m_origin;
    OccupancyBar* m_bar;
    bool m_compact = false;
};

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

/// The counts and times that moved between the current rung and the one it is compared with; of the first rung all
/// counts.
QWidget* makeMovedTable(WhyModel& model, QWidget* parent);

/// The rungs of the ladder, of which one is chosen, and at the right end the one it is compared with; while it counts,
/// how far that is, with Cancel. A row, at whose left end more may stand.
QWidget* makeLadderBar(WhyModel& model, QWidget* parent);

}  // namespace warplens::gui
