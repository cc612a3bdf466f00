// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/view_state.hpp"

#include <QWidget>

class QLabel;
class QSlider;

namespace warplens::gui {

/// "Slice ---o--- z 64 of 128": the slice that all panes show. Hidden for pictures.
class SliceBar : public QWidget {
    Q_OBJECT

public:
    /// `state` outlives the bar.
    explicit SliceBar(ViewState& state, QWidget* parent = nullptr);

private:
    void refresh();

    ViewState& m_state;
    QSlider* m_slider;
    QLabel* m_text;
};

}  // namespace warplens::gui
