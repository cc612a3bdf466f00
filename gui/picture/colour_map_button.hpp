// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/view_state.hpp"

#include <QToolButton>

class QAction;
class QActionGroup;

namespace warplens::io {
class Grid;
}

namespace warplens::gui {

/// "inferno ▾": the colour map that the current picture is shown in, and a menu of all of them with their colours.
class ColourMapButton : public QToolButton {
    Q_OBJECT

public:
    explicit ColourMapButton(ViewState& state, QWidget* parent = nullptr);
    /// Another state from now on; it outlives the button.
    void setViewState(ViewState& state);
    /// The picture that it names the map of, which labels have of their own; null: none.
    void setCurrent(const io::Grid* picture);

private:
    ColourMap shown() const;
    void choose(ColourMap map);
    void refresh();

    ViewState* m_state;
    bool m_ofLabels = false;
    QActionGroup* m_choices;
    QAction *m_labels = nullptr, *m_mark = nullptr;
};

/// A map's colours from left to right.
QImage colourStrip(ColourMap map, QSize size);

}  // namespace warplens::gui
