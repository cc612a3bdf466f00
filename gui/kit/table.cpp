// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/table.hpp"

#include "gui/kit/paint.hpp"

#include <QIcon>
#include <QTableWidget>

namespace warplens::gui {

namespace {

constexpr Length kPadding{6}, kSpace{5};
constexpr int kWidePadding = 8;

constexpr Length kLead{RowDelegate::kLeadWidth}, kAfterGlyph{6};

}  // namespace

TableHead::TableHead(Room room, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), m_room(room) {
    setFixedHeight(kHeadHeight);
    setHighlightSections(false);
}

int TableHead::padding() const { return m_room == Room::wide ? kWidePadding : int(kPadding); }

void TableHead::paintSection(QPainter* painter, const QRect& rect, int column) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(rect, colour(Role::dock));
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour(Role::line));
    const QVariant aligned = model()->headerData(column, orientation(), Qt::TextAlignmentRole);
    const Qt::Alignment side = aligned.isValid() ? Qt::Alignment(aligned.toInt()) : defaultAlignment();
    const QIcon mark = model()->headerData(column, orientation(), Qt::DecorationRole).value<QIcon>();
    const int besides = mark.isNull() ? 0 : kGlyphBox + kSpace;
    painter->setFont(textFont(TextSize::caption));
    painter->setPen(colour(Role::text2));
    QRect text = rect.adjusted(padding(), 0, -padding(), 0);
    const QVariant origin = model()->headerData(column, orientation(), kCellOriginRole);
    if (origin.isValid()) {
        const QRect box(text.right() - kGlyphBox + 1, rect.center().y() - kGlyphBox / 2 + 1, kGlyphBox, kGlyphBox);
        drawOriginGlyph(*painter, box, static_cast<Origin>(origin.toInt()));
        text.setRight(text.right() - kGlyphBox - 5);
    }
    const QString words = painter->fontMetrics().elidedText(model()->headerData(column, orientation()).toString(),
                                                            Qt::ElideRight, text.width() - besides);
    const int wide = painter->fontMetrics().horizontalAdvance(words);
    if (!mark.isNull()) {
        // Before the words; alone, where they would end.
        const int left = !side.testFlag(Qt::AlignRight) ? text.left()
                         : words.isEmpty()              ? text.right() - kGlyphBox + 1
                                                        : text.right() - wide - besides + 1;
        mark.paint(painter, QRect(left, rect.center().y() - kGlyphBox / 2, kGlyphBox, kGlyphBox));
        text.setLeft(left + besides);
    }
    painter->drawText(text, static_cast<int>(side | Qt::AlignVCenter), words);
    painter->restore();
}

QSize TableHead::sectionSizeFromContents(int column) const {
    const QString words = model()->headerData(column, orientation()).toString();
    const bool marked = !model()->headerData(column, orientation(), Qt::DecorationRole).value<QIcon>().isNull();
    const int wide = QFontMetrics(textFont(TextSize::caption)).horizontalAdvance(words) + 1;
    return {wide + 2 * padding() + (marked ? kGlyphBox + kSpace : 0), kHeadHeight};
}

TableHead* makeFigureTable(QTableView* table, TableHead::Room room) {
    auto* head = new TableHead(room, table);
    table->setHorizontalHeader(head);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->setIconSize(QSize(kGlyphBox, kGlyphBox));
    return head;
}

TableHead* makeFigureTable(QTableWidget* table, int columns, TableHead::Room room) {
    table->setColumnCount(columns);
    return makeFigureTable(static_cast<QTableView*>(table), room);
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
