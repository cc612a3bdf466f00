// SPDX-License-Identifier: Apache-2.0
#include "gui/views/key_button.hpp"

#include "gui/style/theme.hpp"
#include "gui/theme/fonts.hpp"
#include "gui/theme/metrics.hpp"

#include <QPainter>
#include <QStyleOptionButton>

namespace warplens::gui {

namespace {
constexpr Length kSide{9}, kBetween{7};
}

KeyButton::KeyButton(const QString& name, const QString& key, QWidget* parent)
    : QPushButton(parent), m_name(name), m_key(key) {
    setLook(this, "flat");
    setAccessibleName(name);
}

void KeyButton::setKey(const QString& key) {
    m_key = key;
    updateGeometry();
    update();
}

QSize KeyButton::sizeHint() const {
    const int name = fontMetrics().horizontalAdvance(m_name);
    const int key = QFontMetrics(textFont(TextSize::caption)).horizontalAdvance(m_key);
    return {name + kBetween + key + 2 * kSide, QPushButton::sizeHint().height()};
}

QSize KeyButton::minimumSizeHint() const { return sizeHint(); }

void KeyButton::paintEvent(QPaintEvent* event) {
    QPushButton::paintEvent(event);  // frame and background; the text is empty
    QPainter painter(this);
    QRect line = rect().adjusted(kSide, 0, -kSide, 0);
    painter.setFont(font());
    painter.setPen(colour(isEnabled() ? Role::text1 : Role::text3));
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, m_name);
    line.setLeft(line.left() + fontMetrics().horizontalAdvance(m_name) + kBetween);
    painter.setFont(textFont(TextSize::caption));
    painter.setPen(colour(isChecked() ? Role::text2 : Role::text3));
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, m_key);
}

}  // namespace warplens::gui
