// SPDX-License-Identifier: Apache-2.0
#include "gui/views/elided_label.hpp"

namespace warplens::gui {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
    setMinimumWidth(0);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setTextFormat(Qt::PlainText);
}

void ElidedLabel::setFullText(const QString& text) {
    m_full = text;
    setToolTip(text);
    setAccessibleName(text);
    elide();
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::elide() {
    setText(fontMetrics().elidedText(m_full, Qt::ElideRight, width()));
}

}  // namespace warplens::gui
