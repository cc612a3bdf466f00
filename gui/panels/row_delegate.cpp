// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/row_delegate.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/metrics.hpp"

#include <QPainter>

namespace warplens::gui {

namespace {
constexpr Length kLead{RowDelegate::kLeadWidth}, kAfterGlyph{6};
}

RowCell RowDelegate::cell(const QModelIndex& index, bool) const {
    return {.text = index.data().toString(), .indent = kGap, .right = index.data(kRightRole).toString()};
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const Role ground = selected ? Role::selection : Role::dock;
    const QRect& row = option.rect;
    painter->fillRect(row, colour(ground));
    if (ruled()) painter->fillRect(QRect(row.left(), row.bottom(), row.width(), 1), colour(Role::hairline));
    const RowCell cell = this->cell(index, selected);
    QRect room = row.adjusted(cell.indent, 0, -cell.indent, 0);
    const auto glyphAt = [&](int left) {
        return QRect(left, row.center().y() - kGlyphBox / 2 + 1, kGlyphBox, kGlyphBox);
    };
    const auto write = [&](Role ink, const QString& text, Qt::Alignment side) {
        painter->setPen(colour(ink));
        painter->drawText(room, static_cast<int>(side | Qt::AlignVCenter), text);
        return painter->fontMetrics().horizontalAdvance(text);
    };
    painter->setFont(cell.bold ? boldFont(TextSize::body) : textFont(TextSize::body));
    if (cell.shape) {
        drawShape(*painter, glyphAt(room.left()), *cell.shape);
        room.setLeft(room.left() + kGlyphBox + cell.shapeGap);
    }
    if (!cell.lead.isEmpty()) {
        write(cell.ink, cell.lead, Qt::AlignLeft);
        room.setLeft(room.left() + kLead);
    }
    if (cell.origin || cell.state) {
        const QRect glyph = glyphAt(room.right() - kGlyphBox + 1);
        if (cell.origin) drawOriginGlyph(*painter, glyph, *cell.origin, Role::text2, ground);
        if (cell.state) drawStatusGlyph(*painter, glyph, *cell.state);
        room.setRight(room.right() - kGlyphBox - kAfterGlyph);
    }
    if (!cell.right.isEmpty())
        room.setRight(room.right() - write(Role::text2, cell.right, Qt::AlignRight) - cell.indent);
    const bool number = cell.side.testFlag(Qt::AlignRight);
    const int wide =
        write(cell.ink, number ? cell.text : painter->fontMetrics().elidedText(cell.text, Qt::ElideRight, room.width()),
              cell.side);
    if (!cell.before.isEmpty()) {
        room.setRight(room.right() - wide);
        write(Role::text2, cell.before, Qt::AlignRight);
    }
    if (!cell.after.isEmpty()) {
        room.setLeft(room.left() + wide + 6);
        painter->setFont(textFont(TextSize::caption));
        write(Role::text2, cell.after, Qt::AlignLeft);
    }
    painter->restore();
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return {QStyledItemDelegate::sizeHint(option, index).width(), kRowHeight};
}

}  // namespace warplens::gui
