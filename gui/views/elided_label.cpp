// SPDX-License-Identifier: Apache-2.0
#include "gui/views/elided_label.hpp"

namespace warplens::gui {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
    setMinimumWidth(0);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setTextFormat(Qt::PlainText);
}

void ElidedLabel::setFullText(const QString& text) { setFullText(text, {}); }

void ElidedLabel::setFullText(const QString& text, const QStringList& shorter) {
    m_full = text;
    m_shorter = shorter;
    setToolTip(text);
    setAccessibleName(text);
    elide();
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::elide() {
    QString shown = m_full;
    for (const QString& words : m_shorter)
        if (fontMetrics().horizontalAdvance(shown) > width()) shown = words;
    setText(fontMetrics().elidedText(shown, m_mode, width()));
}

}  // namespace warplens::gui
