// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/report_table.hpp"

#include "gui/panels/figure_table.hpp"
#include "gui/panels/run_table.hpp"
#include "gui/theme/fonts.hpp"
#include "gui/theme/metrics.hpp"

#include <QEvent>
#include <QPainter>
#include <QTimer>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr int kPadding = 8;  // as RunHeader has it
constexpr Length kLetter{22}, kSpace{6};
enum Column { kVariant, kReport, kMedian, kQuartiles, kSamples, kAgainst };
/// The idea of kVariant, the letter of kReport, the origin of kMedian and kQuartiles.
constexpr int kMarkRole = Qt::UserRole, kWeakRole = Qt::UserRole + 1;

bool isText(int column) {
    return column == kVariant || column == kReport || column == kAgainst;
}

}  // namespace

void ReportDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->fillRect(option.rect, colour(selected ? Role::selection : Role::dock));
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), colour(Role::hairline));
    QRect text = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const QVariant mark = index.data(kMarkRole);
    const auto glyphAt = [&](int left) {
        return QRect(left, option.rect.center().y() - kGlyphBox / 2 + 1, kGlyphBox, kGlyphBox);
    };
    const bool weak = index.data(kWeakRole).toBool();
    painter->setFont(textFont(TextSize::body));
    painter->setPen(colour(!weak ? Role::text1 : selected ? Role::text2 : Role::text3));
    if (index.column() == kVariant) {
        drawShape(*painter, glyphAt(text.left()), static_cast<gpu::Idea>(mark.toInt()));
        text.setLeft(text.left() + kGlyphBox + kSpace);
    } else if (index.column() == kReport) {
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter, mark.toString());
        text.setLeft(text.left() + kLetter);
    } else if (mark.isValid()) {
        drawOriginGlyph(*painter, glyphAt(text.right() - kGlyphBox + 1), static_cast<Origin>(mark.toInt()), Role::text2,
                        selected ? Role::selection : Role::dock);
        text.setRight(text.right() - kGlyphBox - kSpace);
    }
    const auto side = isText(index.column()) ? Qt::AlignLeft : Qt::AlignRight;
    const QString whole = index.data().toString();
    painter->drawText(
        text, side | Qt::AlignVCenter,
        isText(index.column()) ? painter->fontMetrics().elidedText(whole, Qt::ElideRight, text.width()) : whole);
    painter->restore();
}

QSize ReportDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    int width = QFontMetrics(textFont(TextSize::body)).horizontalAdvance(index.data().toString()) + 2 * kPadding;
    if (index.column() == kReport)
        width += kLetter;
    else if (index.data(kMarkRole).isValid())
        width += kGlyphBox + kSpace;
    return {width, kRowHeight};
}

ReportTable::ReportTable(QWidget* parent) : QTableWidget(parent) {
    setAccessibleName(tr("Times of the variants in all reports"));
    const QStringList heads = reportHeads();
    makeFigureTable(this, static_cast<int>(heads.size()));
    auto* head = new RunHeader(this);
    setHorizontalHeader(head);
    head->setSectionsClickable(false);
    head->setSectionResizeMode(QHeaderView::Interactive);
    head->setStretchLastSection(true);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setItemDelegate(new ReportDelegate(this));
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    for (int column = 0; column < heads.size(); ++column) {
        auto* item = new QTableWidgetItem(heads[column]);
        item->setTextAlignment(Qt::AlignVCenter | (isText(column) ? Qt::AlignLeft : Qt::AlignRight));
        setHorizontalHeaderItem(column, item);
    }
}

void ReportTable::setRows(const ReportSet& set, const std::vector<ReportSet::Row>& rows, bool ranked) {
    const std::optional<Origin> common = set.commonOrigin(rows);
    for (const int column : {kMedian, kQuartiles})
        horizontalHeaderItem(column)->setData(RunTableModel::CellOriginRole,
                                              common ? QVariant(static_cast<int>(*common)) : QVariant());
    setRowCount(static_cast<int>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const QStringList cells = reportCells(set, rows[i]);
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            if (column == kVariant) {
                item->setData(kMarkRole, static_cast<int>(rows[i].idea));
            } else if (column == kReport) {
                const QString letter = ReportSet::letter(rows[i].report);
                item->setData(kMarkRole, letter);
                item->setText(cells[column].mid(letter.size()).trimmed());
                item->setData(Qt::AccessibleTextRole, cells[column]);
                item->setToolTip(set.label(rows[i].report));
            } else if (column == kMedian || column == kQuartiles) {
                item->setData(kWeakRole, !ranked);
                const Origin origin = set.origin(rows[i].report);
                if (rows[i].time) item->setToolTip(originExplanation(origin));
                if (rows[i].time && !common) item->setData(kMarkRole, static_cast<int>(origin));
            } else if (column == kAgainst) {
                item->setToolTip(cells[column]);
            }
            setItem(static_cast<int>(i), column, item);
        }
    }
    fitColumns();
}

void ReportTable::fitColumns() {
    const QFontMetrics metrics(textFont(TextSize::caption));
    for (int column = 0; column + 1 < columnCount(); ++column) {
        const QTableWidgetItem* head = horizontalHeaderItem(column);
        const int glyph = head->data(RunTableModel::CellOriginRole).isValid() ? kGlyphBox + kSpace : 0;
        setColumnWidth(column, std::max(metrics.horizontalAdvance(head->text()) + 2 * kPadding + glyph,
                                        sizeHintForColumn(column)));
    }
}

void ReportTable::changeEvent(QEvent* event) {
    QTableWidget::changeEvent(event);
    // Projector mode is larger.
    if (event->type() == QEvent::StyleChange) QTimer::singleShot(0, this, [this] { fitColumns(); });
}

}  // namespace warplens::gui
