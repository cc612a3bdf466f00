// SPDX-License-Identifier: Apache-2.0
#include "gui/reports/report_table.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QEvent>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr int kPadding = 8;  // as the head has it
constexpr Length kLetter{RowDelegate::kLeadWidth}, kSpace{6};
enum Column { kVariant, kReport, kMedian, kQuartiles, kSamples, kAgainst };
/// The idea of kVariant, the letter of kReport, the origin of kMedian and kQuartiles.
constexpr int kMarkRole = Qt::UserRole, kWeakRole = Qt::UserRole + 1;

bool isText(int column) { return column == kVariant || column == kReport || column == kAgainst; }

/// Cells of a ReportTable: the variant's shape, the report's letter in a column of its own, origins beside numbers.
class ReportDelegate : public RowDelegate {
public:
    using RowDelegate::RowDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        int width = QFontMetrics(textFont(TextSize::body)).horizontalAdvance(index.data().toString()) + 2 * kPadding;
        if (index.column() == kReport)
            width += kLetter;
        else if (index.data(kMarkRole).isValid())
            width += kGlyphBox + kSpace;
        return {width, kRowHeight};
    }

protected:
    RowCell cell(const QModelIndex& index, bool selected) const override {
        const int column = index.column();
        const QVariant mark = index.data(kMarkRole);
        RowCell cell{.text = index.data().toString(), .side = isText(column) ? Qt::AlignLeft : Qt::AlignRight};
        if (index.data(kWeakRole).toBool()) cell.ink = selected ? Role::text2 : Role::text3;
        if (column == kVariant)
            cell.shape = static_cast<gpu::Idea>(mark.toInt());
        else if (column == kReport)
            cell.lead = mark.toString();
        else if (mark.isValid())
            cell.origin = static_cast<Origin>(mark.toInt());
        return cell;
    }

    bool ruled() const override { return true; }
};

}  // namespace

ReportTable::ReportTable(QWidget* parent) : QTableWidget(parent) {
    setAccessibleName(tr("Times of the variants in all reports"));
    const std::vector<gpu::TextTable::Column> heads = tableOf({}, {}).columns;
    makeFigureTable(this, static_cast<int>(heads.size()));
    auto* head = new TableHead(TableHead::Room::wide, this);
    setHorizontalHeader(head);
    head->setSectionResizeMode(QHeaderView::Interactive);
    head->setStretchLastSection(true);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setItemDelegate(new ReportDelegate(this));
    setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    for (std::size_t column = 0; column < heads.size(); ++column) {
        auto* item = new QTableWidgetItem(QString::fromStdString(heads[column].title));
        item->setTextAlignment(Qt::AlignVCenter | (heads[column].number ? Qt::AlignRight : Qt::AlignLeft));
        setHorizontalHeaderItem(static_cast<int>(column), item);
    }
    // Projector mode is larger.
    after(this, {QEvent::StyleChange}, [this] { fitColumns(); });
}

void ReportTable::setRows(const ReportSet& set, const std::vector<ReportSet::Row>& rows, bool ranked) {
    const std::optional<Origin> common = set.commonOrigin(rows);
    for (const int column : {kMedian, kQuartiles})
        horizontalHeaderItem(column)->setData(kCellOriginRole,
                                              common ? QVariant(static_cast<int>(*common)) : QVariant());
    setRowCount(static_cast<int>(rows.size()));
    const gpu::TextTable table = tableOf(set, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (int column = 0; column < columnCount(); ++column) {
            const QString text = QString::fromStdString(table.rows[i][static_cast<std::size_t>(column)]);
            auto* item = new QTableWidgetItem(text);
            if (column == kVariant) {
                item->setData(kMarkRole, static_cast<int>(rows[i].idea));
            } else if (column == kReport) {
                const QString letter = ReportSet::letter(rows[i].report);
                item->setData(kMarkRole, letter);
                item->setText(text.mid(letter.size()).trimmed());
                item->setData(Qt::AccessibleTextRole, text);
                item->setToolTip(set.label(rows[i].report));
            } else if (column == kMedian || column == kQuartiles) {
                item->setData(kWeakRole, !ranked);
                const Origin origin = set.origin(rows[i].report);
                if (rows[i].time) item->setToolTip(originExplanation(origin));
                if (rows[i].time && !common) item->setData(kMarkRole, static_cast<int>(origin));
            } else if (column == kAgainst) {
                item->setToolTip(text);
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
        const int glyph = head->data(kCellOriginRole).isValid() ? kGlyphBox + kSpace : 0;
        setColumnWidth(column, std::max(metrics.horizontalAdvance(head->text()) + 2 * kPadding + glyph,
                                        sizeHintForColumn(column)));
    }
}

}  // namespace warplens::gui
