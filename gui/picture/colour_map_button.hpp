// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/view_state.hpp"

#include <QToolButton>

class QAction;
class QActionGroup;

namespace warplens::gui {

/// "inferno ▾": the colour map of a ViewState, and a menu of all of them with their colours.
class ColourMapButton : public QToolButton {
    Q_OBJECT

public:
    explicit ColourMapButton(ViewState& state, QWidget* parent = nullptr);
    /// Another state from now on; it outlives the button.
    void setViewState(ViewState& state);

private:
    void refresh();

    ViewState* m_state;
    QActionGroup* m_choices;
    QAction *m_labels = nullptr, *m_mark = nullptr;
};

/// A map's colours from left to right.
QImage colourStrip(ColourMap map, QSize size);

}  // namespace warplens::gui
