// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/why_model.hpp"

#include <QWidget>

class QLabel;

namespace warplens::gui {

class OccupancyBar;
class OriginMark;

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

}  // namespace warplens::gui
