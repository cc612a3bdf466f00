// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/listing_table.hpp"

#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"

#include <QPainter>
#include <QScopedValueRollback>
#include <algorithm>
#include <utility>

namespace warplens::gui {

using gpu::user::Instruction;
using gpu::user::InstructionKind;
using gpu::user::Listing;

namespace {

enum Column { kSign, kAt, kWhat, kInstruction, kLine, kAlive, kColumns };

/// Fills the rows of the line marked, as the style sheet draws no background of a cell.
class MarkedRows : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QVariant ground = index.data(Qt::BackgroundRole);
        if (ground.isValid()) painter->fillRect(option.rect, ground.value<QColor>());
        QStyledItemDelegate::paint(painter, option, index);
    }
};

}  // namespace

ListingTable::ListingTable(QWidget* parent) : QTableWidget(parent) {
    makeFigureTable(this, kColumns);
    setItemDelegate(new MarkedRows(this));
    setTabKeyNavigation(false);
    setHorizontalHeaderLabels({QString(), tr("at"), tr("what"), tr("instruction"), tr("line"), tr("alive")});
    horizontalHeader()->setSectionResizeMode(kInstruction, QHeaderView::Stretch);
    for (const int column : {kAt, kLine, kAlive}) setColumnWidth(column, Length(56));
    setColumnWidth(kWhat, Length(112));
    setColumnWidth(kSign, Length(20));
    connect(this, &QTableWidget::currentCellChanged, this, [this](int row) {
        const int line = row < 0 ? 0 : m_rows.at(static_cast<std::size_t>(row)).line;
        if (line == 0) return;
        const QScopedValueRollback choosing(m_choosing, true);
        emit lineChosen(line);
        markLine(line);
    });
    on(this, {QEvent::PaletteChange}, [this] { fill(); });
}

bool ListingTable::setListing(const Listing* listing, const Listing* before) {
    const Listing none;
    const Listing& now = listing == nullptr ? none : *listing;
    std::vector<Row> rows;
    const auto add = [&rows](const Listing& of, int number, const QString& sign, bool linked) {
        const Instruction& one = of.instructions[static_cast<std::size_t>(number - 1)];
        rows.push_back({one, sign, linked ? one.line : 0});
    };
    if (before == nullptr)
        for (const Instruction& one : now.instructions) rows.push_back({one, {}, one.line});
    else
        for (const auto& [kind, old, fresh] : differenceOf(*before, now)) {
            const bool same = kind == gpu::user::DifferenceRow::Kind::same;
            if (!same && old > 0) add(*before, old, QStringLiteral("\u2212"), false);
            if (fresh > 0) add(now, fresh, same ? QString() : QStringLiteral("+"), true);
        }
    setColumnHidden(kSign, before == nullptr);
    setColumnHidden(kAlive, now.mostAlive() < 0);
    if (rows == m_rows) return false;
    m_rows = std::move(rows);
    fill();
    return true;
}

void ListingTable::fill() {
    setRowCount(0);
    setRowCount(static_cast<int>(m_rows.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const auto& [one, sign, line] = m_rows[static_cast<std::size_t>(row)];
        const bool other = one.kind == InstructionKind::other;
        const QString cells[] = {sign,
                                 QString::fromStdString(one.at),
                                 other ? QString() : QString::fromLatin1(nameOf(one.kind)),
                                 QString::fromStdString(one.text),
                                 one.line > 0 ? QString::number(one.line) : QString(),
                                 one.alive >= 0 ? QString::number(one.alive) : QString()};
        for (int column = 0; column < kColumns; ++column) {
            auto* cell = new QTableWidgetItem(cells[column]);
            if (column == kSign || column == kAt || column == kInstruction) cell->setFont(sourceFont());
            cell->setForeground(colour(other ? Role::text2 : Role::text1));
            setItem(row, column, cell);
        }
        tint(row);
    }
}

void ListingTable::tint(int row) {
    const Row& shown = m_rows[static_cast<std::size_t>(row)];
    const QVariant ground = shown.line > 0 && shown.line == m_line ? QVariant(colour(Role::selection))
                            : shown.sign.isEmpty()                 ? QVariant()
                                                                   : QVariant(colour(Role::strip));
    for (int column = 0; column < kColumns; ++column) item(row, column)->setData(Qt::BackgroundRole, ground);
}

void ListingTable::markLine(int line) {
    const int before = std::exchange(m_line, line);
    for (int row = 0; row < rowCount(); ++row)
        if (const int of = m_rows[static_cast<std::size_t>(row)].line; of == line || of == before) tint(row);
    const auto first = std::ranges::find(m_rows, line, &Row::line);
    if (line > 0 && first != m_rows.end() && !m_choosing)
        scrollToItem(item(static_cast<int>(first - m_rows.begin()), 0), QAbstractItemView::PositionAtCenter);
}

int ListingPair::capability(const gpu::DeviceInfo* device) {
    constexpr int kUsual = 90;
    return device != nullptr && device->ranks() ? 10 * device->capabilityMajor + device->capabilityMinor : kUsual;
}

const Listing* ListingPair::of(const Listed& listed) const {
    const gpu::user::Listings* all = listed.value();
    const Listing* listing = all == nullptr ? nullptr : sass ? &all->sass : &all->ptx;
    return listing == nullptr || listing->empty() ? nullptr : listing;
}

bool ListingPair::show(ListingTable* nowTable, ListingTable* beforeTable, QLabel* figures) const {
    const Listing *after = of(now), *then = of(before);
    if (beforeTable != nullptr) beforeTable->setListing(then);
    QString text;
    if (after != nullptr)
        for (const auto& [name, old, count] : figuresOf(then == nullptr ? Listing() : *then, *after)) {
            const QString words = then == nullptr ? ListingTable::tr("%1: %2<br>")
                                  : old == count  ? ListingTable::tr("%1: %2, same<br>")
                                                  : ListingTable::tr("%1: %2 after %3<br>");
            text += words.arg(QString::fromStdString(name), format::integer(count));
            if (then != nullptr && old != count) text = text.arg(format::integer(old));
        }
    figures->setText(text);
    return nowTable->setListing(after, difference && after != nullptr ? then : nullptr);
}

QString ListingPair::said() const {
    const auto words = [](const std::string& text) { return QString::fromStdString(text); };
    if (!now.problem().isEmpty()) return now.problem();
    if (!before.problem().isEmpty()) return before.problem();
    const gpu::user::Listings* all = now.value();
    if (all == nullptr || busy()) return busy() ? ListingTable::tr("compiling") : QString();
    if (sass && !all->whyNoSass.empty()) return words(all->whyNoSass);
    if (!all->shipped.empty() && (sass || all->ptx.empty())) return words(all->shipped);
    return sass ? ListingTable::tr("By %1 and %2, not run.").arg(words(all->compiler), words(all->disassembler))
                : ListingTable::tr("By %1, not run.").arg(words(all->compiler));
}

}  // namespace warplens::gui
