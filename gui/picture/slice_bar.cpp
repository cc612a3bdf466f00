// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/slice_bar.hpp"

#include "gui/kit/panel.hpp"

namespace warplens::gui {

SliceBar::SliceBar(ViewState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_slider(new QSlider(Qt::Horizontal, this)), m_text(new QLabel(this)) {
    QHBoxLayout* row = stripRow(this, kHeadHeight);
    auto* name = made(new QLabel(tr("Slice"), this), {.look = "caption", .of = m_slider});
    setLook(m_text, "caption");
    setWidgetText(
        m_slider,
        {.id = "slice",
         .name = tr("Slice, the same in all panes"),
         .tip = tr("Slice of the volume, the same in all panes. In a pane: Shift and wheel, comma and full stop, "
                   "Page Up and Page Down")});
    m_slider->setPageStep(10);
    fill(row, {name, {m_slider, 1}, m_text});
    connect(m_slider, &QSlider::valueChanged, this, [this](int slice) { m_state.setSlice(slice); });
    connect(&state, &ViewState::displayChanged, this, &SliceBar::refresh);
    refresh();
}

void SliceBar::refresh() {
    setVisible(m_state.depth() > 1);
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, m_state.depth() - 1);
    m_slider->setValue(m_state.slice());
    const auto text = [this](int slice) {
        return tr("z %1 of %2").arg(format::integer(slice), format::integer(m_state.depth()));
    };
    m_text->setText(text(m_state.slice()));
    // The slider does not move while the number grows.
    m_text->setMinimumWidth(m_text->fontMetrics().horizontalAdvance(text(m_state.depth())));
}

}  // namespace warplens::gui
