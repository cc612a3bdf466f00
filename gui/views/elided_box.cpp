// SPDX-License-Identifier: Apache-2.0
#include "gui/views/elided_box.hpp"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace warplens::gui {

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
