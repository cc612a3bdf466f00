// SPDX-License-Identifier: Apache-2.0
#include "gui/timeline/movement_panel.hpp"

#include "gpu/report/movement.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

/// What is slower than so many times the fastest leaves the scale, or the others could not be told apart.
constexpr double kScale = 3;
constexpr int kLeastRows = 4;
constexpr Length kBarHigh{10}, kBarColumn{60}, kCut{7}, kPadding{8};
enum Column { way, bar, total };  // then as movementTable() has them, but for the last, the result

/// Cells of a MovementPanel: a bar beside the total, grey where a way could not be had.
class MovementDelegate : public RowDelegate {
public:
    /// In the bars' column: how long the bar is, 1 the whole column; what is longer is broken. Negative: none.
    static constexpr int kLengthRole = Qt::UserRole + 8;
    /// Of a cell and of a bar: its colour, a Role.
    static constexpr int kInkRole = kLengthRole + 1;

    using RowDelegate::RowDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        RowDelegate::paint(painter, option, index);
        if (index.column() != bar) return;
        const double length = index.data(kLengthRole).toDouble();
        if (length <= 0) return;
        const QRectF room = QRectF(option.rect).adjusted(kGap, 0, -kGap, 0);
        const QRectF box(room.left(), room.center().y() - kBarHigh / 2.0,
                         std::max(1.0, std::min(length, 1.0) * room.width()), kBarHigh);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->fillRect(box, colour(static_cast<Role>(index.data(kInkRole).toInt())));
        if (length > 1) {
            const Role ground = option.state.testFlag(QStyle::State_Selected) ? Role::selection : Role::dock;
            painter->setPen(QPen(colour(ground), 2 * lineScale()));
            for (const double from : {box.right() - 3.0 * kCut, box.right() - 2.0 * kCut})
                painter->drawLine(QPointF(from, box.bottom() + 1), QPointF(from + kCut, box.top() - 1));
        }
        painter->restore();
    }

protected:
    RowCell cell(const QModelIndex& index, bool selected) const override {
        RowCell cell = RowDelegate::cell(index, selected);
        cell.side = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt()) & Qt::AlignHorizontal_Mask;
        cell.ink = static_cast<Role>(index.data(kInkRole).toInt());
        cell.bold = index.column() == total;
        return cell;
    }
};

}  // namespace

MovementPanel::MovementPanel(QWidget* parent)
    : QWidget(parent),
      m_note(made(new ElidedLabel(this), {.id = "movement-note", .look = "caption"})),
      m_table(made(new QTableWidget(this), {.id = "movement-ways", .name = tr("Ways of moving pictures")})) {
    setLook(this, "dock");
    auto* head = new QWidget(this);
    fill(titleRow(head, kHeadHeight, tr("Movement")), {{m_note, 1}});
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setItemDelegate(new MovementDelegate(m_table));
    m_table->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    makeColumn(this, {}, 0, {head, {m_table, 1}});
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) {
        const auto at = std::ranges::find(m_rows, row);
        if (at != m_rows.end()) emit timelineChosen(static_cast<int>(at - m_rows.begin()));
    });
    // Projector mode is larger.
    after(this, {QEvent::StyleChange}, [this] { fitColumns(); });
}

void MovementPanel::show(const gpu::TransferBenchmark& movement) {
    const gpu::TextTable figures = gpu::movementTable(movement);
    const QSignalBlocker quiet(m_table);
    m_table->clear();
    m_table->clearSpans();
    m_rows.clear();
    const int columns = static_cast<int>(figures.columns.size());
    makeFigureTable(m_table, columns);
    for (int column = 0; column < columns; ++column) {
        const auto& [title, origin, number] = figures.columns[column > bar ? column - 1 : 0];
        auto* head = new QTableWidgetItem(column == bar ? QString() : QString::fromStdString(title));
        head->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        if (origin && column != bar) head->setData(kCellOriginRole, static_cast<int>(*origin));
        m_table->setHorizontalHeaderItem(column, head);
    }
    double fastest = 0;
    for (const gpu::MovementRow& one : movement.rows)
        if (one.status == gpu::Status::ok && (fastest == 0 || one.medianMs < fastest)) fastest = one.medianMs;
    m_table->setRowCount(static_cast<int>(movement.rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const gpu::MovementRow& one = movement.rows[row];
        const Role ink = movement.device.ranks() && one.medianMs == fastest ? Role::accent : Role::text3;
        fillRow(row, figures.rows[row], one, kScale * fastest, ink);
        if (one.status == gpu::Status::ok) m_rows.push_back(row);
    }
    QStringList notes;
    for (const std::string& note : figures.notes) notes << QString::fromStdString(note);
    m_note->setFullText(notes.join(u' '), {notes.back()});
    setTimeline(0);
    fitColumns();
}

void MovementPanel::fitColumns() {
    if (m_table->rowCount() == 0) return;
    const QFontMetrics caption(textFont(TextSize::caption)), body(boldFont(TextSize::body));
    for (int column = 0; column < m_table->columnCount(); ++column) {
        if (column == bar) continue;
        const QTableWidgetItem* head = m_table->horizontalHeaderItem(column);
        int wide = caption.horizontalAdvance(head->text()) + (column > bar ? kGlyphBox + kPadding : 0);
        for (int row = 0; row < m_table->rowCount(); ++row)
            if (m_table->columnSpan(row, column) == 1)
                wide = std::max(wide, body.horizontalAdvance(m_table->item(row, column)->text()));
        m_table->setColumnWidth(column, wide + 2 * kPadding);
    }
    m_table->horizontalHeader()->setMinimumSectionSize(kBarColumn);
    m_table->horizontalHeader()->setSectionResizeMode(bar, QHeaderView::Stretch);
    m_table->setMinimumHeight(kHeadHeight + kLeastRows * kRowHeight);
    m_table->updateGeometry();
    emit fitted();
}

int MovementPanel::neededWidth() const {
    int wide = kBarColumn + m_table->verticalScrollBar()->sizeHint().width();
    for (int column = 0; column < m_table->columnCount(); ++column)
        if (column != bar) wide += m_table->columnWidth(column);
    return wide;
}

void MovementPanel::fillRow(int row, const std::vector<std::string>& cells, const gpu::MovementRow& one,
                            double longestMs, Role ink) {
    const auto& known = gpu::movementWays();
    const gpu::TransferStrategy& named = *std::ranges::find(known, one.way, &gpu::TransferStrategy::id);
    const bool ok = one.status == gpu::Status::ok;
    const int columns = m_table->columnCount();
    for (int column = 0; column < columns; ++column) {
        const auto& text = cells[column > bar ? column - 1 : 0];
        auto* item = new QTableWidgetItem(column == way   ? QString::fromStdString(named.title)
                                          : column == bar ? QString()
                                                          : QString::fromStdString(text));
        const bool number = column > bar;
        item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        item->setData(MovementDelegate::kInkRole, static_cast<int>(column == bar ? ink
                                                                   : ok          ? Role::text1
                                                                                 : Role::text3));
        item->setToolTip(QString::fromStdString(ok ? named.idea : cells.back()));
        m_table->setItem(row, column, item);
    }
    if (ok) {
        m_table->item(row, bar)->setData(MovementDelegate::kLengthRole, one.medianMs / longestMs);
        return;
    }
    // Its reason needs the room of the figures that there are none of.
    m_table->item(row, bar)->setText(QString::fromStdString(cells.back()));
    m_table->item(row, bar)->setData(MovementDelegate::kInkRole, static_cast<int>(Role::text3));
    m_table->setSpan(row, bar, 1, columns - bar);
}

void MovementPanel::setTimeline(int timeline) {
    if (timeline < 0 || timeline >= static_cast<int>(m_rows.size())) return;
    const QSignalBlocker quiet(m_table);
    m_table->setCurrentCell(m_rows[timeline], way);
}

}  // namespace warplens::gui
