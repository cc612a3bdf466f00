// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/elided.hpp"

#include "gui/kit/form.hpp"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace warplens::gui {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
    setMinimumWidth(0);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setTextFormat(Qt::PlainText);
    on(this, {QEvent::Resize}, [this] { elide(); });
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(m_full) + 1, QLabel::sizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    const int least = m_shorter.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_shorter.last()) + 1;
    return {least, QLabel::sizeHint().height()};
}

void ElidedLabel::setFullText(const QString& text) { setFullText(text, {}); }

void ElidedLabel::setFullText(const QString& text, const QStringList& shorter) {
    m_full = text;
    m_shorter = shorter;
    setWidgetText(this, {.name = text, .tip = text});
    updateGeometry();
    elide();
}

void ElidedLabel::elide() {
    QString shown = m_full;
    for (const QString& words : m_shorter)
        if (fontMetrics().horizontalAdvance(shown) > width()) shown = words;
    setText(fontMetrics().elidedText(shown, m_mode, width()));
}

void ElidedBox::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    int room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() - 4;
    if (!option.currentIcon.isNull()) room -= option.iconSize.width() + 4;
    option.currentText = option.fontMetrics.elidedText(option.currentText, Qt::ElideMiddle, room);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace warplens::gui
