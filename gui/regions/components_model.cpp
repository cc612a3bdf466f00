// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/components_model.hpp"

#include "gpu/render/label_colour.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/picture/figures_rows.hpp"

#include <QColor>
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
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
    m_measured.reset();
    m_measures.clear();
    m_volume = false;
    const gpu::Column* last = m_table == nullptr ? nullptr : m_table->find("z1");
    for (std::size_t row = 0; last != nullptr && row < last->size() && !m_volume; ++row)
        m_volume = last->number(row) > 0;
    endResetModel();
}

void ComponentsModel::setMeasures(std::shared_ptr<const gpu::Table> measures) {
    if (measures == m_measured) return;
    // By columns, not as a whole: the row that is chosen stays.
    if (!m_measures.empty()) {
        beginRemoveColumns({}, kColumns, columnCount() - 1);
        m_measures.clear();
        endRemoveColumns();
    }
    m_measured = std::move(measures);
    std::vector<const gpu::Column*> columns;
    // Boxes stand in the table itself, and centroids in pixels.
    static const std::set<std::string> kThere{"label", "pixels", "x0", "x1", "y0", "y1", "z0", "z1"},
        kAxes{"x", "y", "z"};
    for (std::size_t i = 0; m_measured != nullptr && i < m_measured->columns.size(); ++i) {
        const gpu::Column& column = m_measured->columns[i];
        const bool known = kThere.contains(column.id) || (column.unit == "px" && kAxes.contains(column.id));
        if (!known) columns.push_back(&column);
    }
    if (columns.empty()) return;
    beginInsertColumns({}, kColumns, kColumns + static_cast<int>(columns.size()) - 1);
    m_measures = std::move(columns);
    endInsertColumns();
}

std::optional<std::size_t> ComponentsModel::measuredRow(std::size_t row) const {
    const gpu::Column* labels = m_measured == nullptr ? nullptr : m_measured->find("label");
    if (labels == nullptr) return std::nullopt;
    const auto& all = std::get<gpu::Column::Integers>(labels->values);
    const auto found = std::ranges::lower_bound(all, label(row));
    if (found == all.end() || *found != label(row)) return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
}

double ComponentsModel::valueOf(std::size_t row, int column) const {
    // Places in raster order.
    switch (column) {
        case kLabel: return static_cast<double>(label(row));
        case kArea: return area(row);
        case kBox: return number("y0", row) * kLongerThanAnyRow + number("x0", row);
        case kCentroid: return number("cy", row) * kLongerThanAnyRow + number("cx", row);
        default: {
            const auto at = measuredRow(row);
            return at ? m_measures[static_cast<std::size_t>(column - kColumns)]->number(*at) : std::nan("");
        }
    }
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

int ComponentsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns + static_cast<int>(m_measures.size());
}

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
        case kCentroid: {
            const QString plane = decimal(number("cx", row)) + QStringLiteral(", ") + decimal(number("cy", row));
            return m_volume ? plane + QStringLiteral(", ") + decimal(number("cz", row)) : plane;
        }
        default: {
            const double value = valueOf(row, column);
            return std::isfinite(value) ? format::value(value) : QString();
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
        case FiguresRows::kValueRole: return valueOf(row, index.column());
        default: return {};
    }
}

QVariant ComponentsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kLabel: return tr("Label");
        case kArea: return m_volume ? tr("Voxels") : tr("Area px");
        case kBox: return m_volume ? tr("Box px: x, y, z, w × h × d") : tr("Box px: x, y, w × h");
        case kCentroid: return tr("Centroid px");
        default: return titleOf(*m_measures[static_cast<std::size_t>(section - kColumns)]);
    }
}

}  // namespace warplens::gui
