// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/row_delegate.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/theme/tokens.hpp"

#include <QPainter>

namespace warplens::gui {

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->fillRect(option.rect, colour(selected ? Role::selection : Role::dock));
    QRect text = option.rect.adjusted(kGap, 0, -kGap, 0);
    painter->setFont(textFont(TextSize::body));
    if (const QString right = index.data(kRightRole).toString(); !right.isEmpty()) {
        painter->setPen(colour(Role::text2));
        painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, right);
        text.setRight(text.right() - painter->fontMetrics().horizontalAdvance(right) - kGap);
    }
    painter->setPen(colour(Role::text1));
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, text.width()));
    painter->restore();
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return {QStyledItemDelegate::sizeHint(option, index).width(), kRowHeight};
}

}  // namespace warplens::gui
