// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/figure_table.hpp"

#include "gui/models/run_table_model.hpp"
#include "gui/theme/fonts.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/theme/tokens.hpp"

#include <QIcon>
#include <QPainter>
#include <QTableWidget>

namespace warplens::gui {

namespace {
constexpr Length kPadding{6}, kSpace{5};
constexpr int kWidePadding = 8;
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
    const QVariant origin = model()->headerData(column, orientation(), RunTableModel::CellOriginRole);
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

void makeFigureTable(QTableWidget* table, int columns) {
    table->setHorizontalHeader(new TableHead(TableHead::Room::narrow, table));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->setColumnCount(columns);
    table->setIconSize(QSize(kGlyphBox, kGlyphBox));
}

}  // namespace warplens::gui
