// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/components_model.hpp"

#include "gpu/render/label_colour.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/picture/figures_rows.hpp"

#include <QColor>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

constexpr double kLongerThanAnyRow = 1e7;

QString decimal(double value) { return QString::number(value, 'f', 1); }

}  // namespace

std::shared_ptr<const gpu::Table> regionsOf(const gpu::Tables& tables) {
    const auto found = std::ranges::find_if(tables, [](const auto& table) {
        return std::ranges::all_of(std::initializer_list<const char*>{"label", "area", "x0", "y0", "x1", "y1"},
                                   [&](const char* column) { return table->find(column) != nullptr; });
    });
    return found == tables.end() ? nullptr : *found;
}

void ComponentsModel::setTable(std::shared_ptr<const gpu::Table> table) {
    if (table == m_table) return;
    beginResetModel();
    m_table = std::move(table);
    m_volume = false;
    const gpu::Column* last = m_table == nullptr ? nullptr : m_table->find("z1");
    for (std::size_t row = 0; last != nullptr && row < last->size() && !m_volume; ++row)
        m_volume = last->number(row) > 0;
    endResetModel();
}

double ComponentsModel::number(const char* column, std::size_t row) const {
    const gpu::Column* found = m_table->find(column);
    return found == nullptr ? 0 : found->number(row);
}

double ComponentsModel::area(std::size_t row) const { return number("area", row); }

std::int64_t ComponentsModel::label(std::size_t row) const { return static_cast<std::int64_t>(number("label", row)); }

std::optional<std::size_t> ComponentsModel::rowOf(std::int64_t label) const {
    const std::size_t rows = m_table == nullptr ? 0 : m_table->rows();
    // Numbered from 1 as they usually are, else looked for.
    const auto guess = static_cast<std::size_t>(label - 1);
    if (label > 0 && guess < rows && this->label(guess) == label) return guess;
    for (std::size_t row = 0; row < rows; ++row)
        if (this->label(row) == label) return row;
    return std::nullopt;
}

int ComponentsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || m_table == nullptr ? 0 : static_cast<int>(m_table->rows());
}

int ComponentsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QString ComponentsModel::text(std::size_t row, int column) const {
    const auto at = [&](const char* name) { return format::integer(static_cast<std::int64_t>(number(name, row))); };
    const auto extent = [&](const char* low, const char* high) {
        return format::integer(static_cast<std::int64_t>(number(high, row) - number(low, row)) + 1);
    };
    switch (column) {
        case kLabel: return format::integer(label(row));
        case kArea: return format::integer(static_cast<std::int64_t>(area(row)));
        case kBox: {
            const QString box = tr("%1, %2, %3 × %4").arg(at("x0"), at("y0"), extent("x0", "x1"), extent("y0", "y1"));
            if (!m_volume) return box;
            return tr("%1, %2, %3, %4 × %5 × %6")
                .arg(at("x0"), at("y0"), at("z0"), extent("x0", "x1"), extent("y0", "y1"), extent("z0", "z1"));
        }
        default: {
            const QString plane = decimal(number("cx", row)) + QStringLiteral(", ") + decimal(number("cy", row));
            return m_volume ? plane + QStringLiteral(", ") + decimal(number("cz", row)) : plane;
        }
    }
}

QVariant ComponentsModel::data(const QModelIndex& index, int role) const {
    const auto row = static_cast<std::size_t>(index.row());
    switch (role) {
        case Qt::DisplayRole: return text(row, index.column());
        case Qt::TextAlignmentRole: return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::DecorationRole:
            // As the picture of the labels has it.
            return index.column() == kLabel ? QColor::fromRgb(gpu::render::labelColour(label(row))) : QVariant();
        case FiguresRows::kValueRole:
            // Places in raster order.
            switch (index.column()) {
                case kLabel: return static_cast<double>(label(row));
                case kArea: return area(row);
                case kBox: return number("y0", row) * kLongerThanAnyRow + number("x0", row);
                default: return number("cy", row) * kLongerThanAnyRow + number("cx", row);
            }
        default: return {};
    }
}

QVariant ComponentsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kLabel: return tr("Label");
        case kArea: return tr("Area");
        case kBox: return m_volume ? tr("Box x, y, z, w × h × d") : tr("Box x, y, w × h");
        default: return tr("Centroid");
    }
}

}  // namespace warplens::gui
