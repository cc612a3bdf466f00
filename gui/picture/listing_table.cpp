// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/listing_table.hpp"

#include "gui/kit/theme.hpp"
#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>
#include <array>

namespace warplens::gui {

using gpu::user::Instruction;
using gpu::user::InstructionKind;
using gpu::user::Listing;
using gpu::user::Listings;

/// A listing, a row an instruction; those of one source line are marked.
class ListingModel : public QAbstractTableModel {
public:
    enum Column { kAt, kWhat, kInstruction, kLine, kAlive, kColumns };
    using QAbstractTableModel::QAbstractTableModel;

    bool set(const Listing* listing) {
        const Listing none;
        const Listing& now = listing == nullptr ? none : *listing;
        if (now.instructions == m_listing.instructions) return false;
        beginResetModel();
        m_listing = now;
        endResetModel();
        return true;
    }
    /// The first row of the line, or -1.
    int mark(int line) {
        m_line = line;
        if (!m_listing.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1), {Qt::BackgroundRole});
        const auto places = m_listing.ofLine(line);
        return places.empty() ? -1 : static_cast<int>(places.front());
    }
    const Instruction& row(int row) const { return m_listing.instructions.at(static_cast<std::size_t>(row)); }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_listing.instructions.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kColumns; }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
        return std::array{ListingTable::tr("at"), ListingTable::tr("what"), ListingTable::tr("instruction"),
                          ListingTable::tr("line"), ListingTable::tr("alive")}
            .at(static_cast<std::size_t>(section));
    }
    QVariant data(const QModelIndex& index, int role) const override {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
        const Instruction& one = row(index.row());
        const bool other = one.kind == InstructionKind::other;
        if (role == Qt::BackgroundRole && one.line == m_line && m_line > 0) return colour(Role::selection);
        if (role == Qt::FontRole && (index.column() == kAt || index.column() == kInstruction)) return sourceFont();
        if (role == Qt::ForegroundRole) return colour(other ? Role::text2 : Role::text1);
        if (role != Qt::DisplayRole) return {};
        switch (index.column()) {
            case kAt: return QString::fromStdString(one.at);
            case kWhat: return other ? QString() : QString::fromLatin1(nameOf(one.kind));
            case kInstruction: return QString::fromStdString(one.text);
            case kLine: return one.line > 0 ? QVariant(one.line) : QVariant();
            case kAlive: return one.alive >= 0 ? QVariant(one.alive) : QVariant();
            default: return {};
        }
    }

private:
    Listing m_listing;
    int m_line = 0;
};

namespace {

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

ListingTable::ListingTable(QWidget* parent) : QTableView(parent), m_model(new ListingModel(this)) {
    setModel(m_model);
    setItemDelegate(new MarkedRows(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    horizontalHeader()->setSectionResizeMode(ListingModel::kInstruction, QHeaderView::Stretch);
    for (const int column : {ListingModel::kAt, ListingModel::kLine, ListingModel::kAlive})
        setColumnWidth(column, Length(56));
    setColumnWidth(ListingModel::kWhat, Length(112));
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        const int line = current.isValid() ? m_model->row(current.row()).line : 0;
        if (line == 0) return;
        const QScopedValueRollback choosing(m_choosing, true);
        emit lineChosen(line);
        markLine(line);
    });
}

bool ListingTable::setListing(const Listing* listing) {
    setColumnHidden(ListingModel::kAlive, listing == nullptr || listing->mostAlive() < 0);
    return m_model->set(listing);
}

void ListingTable::markLine(int line) {
    const int first = m_model->mark(line);
    if (first >= 0 && !m_choosing) scrollTo(m_model->index(first, 0), QAbstractItemView::PositionAtCenter);
}

int ListingTable::capability(const gpu::DeviceInfo* device) {
    constexpr int kUsual = 90;
    return device != nullptr && device->ranks() ? 10 * device->capabilityMajor + device->capabilityMinor : kUsual;
}

QString ListingTable::figures(const Listing* then, const Listing* now) {
    QString text;
    const auto add = [&](const QString& name, int before, int after) {
        if (then == nullptr && after != 0)
            text += QStringLiteral("%1: %2<br>").arg(name, format::integer(after));
        else if (then != nullptr && (before != 0 || after != 0))
            text += before == after
                        ? tr("%1: %2, same<br>").arg(name, format::integer(after))
                        : tr("%1: %2 after %3<br>").arg(name, format::integer(after), format::integer(before));
    };
    if (now != nullptr && !now->empty()) {
        const Listing none;
        const Listing& before = then == nullptr ? none : *then;
        add(tr("instructions"), static_cast<int>(before.instructions.size()),
            static_cast<int>(now->instructions.size()));
        for (std::size_t i = 1; i < gpu::user::kInstructionKinds; ++i)
            add(QString::fromLatin1(nameOf(static_cast<InstructionKind>(i))), before.counts()[i], now->counts()[i]);
        if (now->mostAlive() >= 0) add(tr("registers alive at most"), before.mostAlive(), now->mostAlive());
    }
    return text;
}

QString ListingTable::origin(const Listings& all, bool sass) {
    if (!sass) return tr("By %1, not run.").arg(QString::fromStdString(all.compiler));
    if (!all.whyNoSass.empty()) return QString::fromStdString(all.whyNoSass);
    return tr("By %1 and %2, not run.")
        .arg(QString::fromStdString(all.compiler), QString::fromStdString(all.disassembler));
}

}  // namespace warplens::gui
