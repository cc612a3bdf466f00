// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/result.hpp"

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

namespace warplens::gui {

/// The table of a result that lists regions with their areas and boxes; null when there is none.
std::shared_ptr<const gpu::Table> regionsOf(const gpu::Tables& tables);

/// Such a table as people read it: label in its colour, area, box, centroid, and once they are known the measures of
/// gpu::measureRegions(). A row a region, read where it lies.
class ComponentsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kLabel, kArea, kBox, kCentroid, kColumns };

    using QAbstractTableModel::QAbstractTableModel;
    void setTable(std::shared_ptr<const gpu::Table> table);
    /// Of the table's regions; null: not known.
    void setMeasures(std::shared_ptr<const gpu::Table> measures);
    /// The columns of the measures that the table itself has not; its rows are those of `row`.
    const std::vector<const gpu::Column*>& measures() const { return m_measures; }
    /// Where the measures of a row stand; nothing where there are none.
    std::optional<std::size_t> measuredRow(std::size_t row) const;
    /// What the rows of a column are ordered by.
    double valueOf(std::size_t row, int column) const;
    const std::shared_ptr<const gpu::Table>& table() const { return m_table; }
    bool volume() const { return m_volume; }
    double area(std::size_t row) const;
    std::int64_t label(std::size_t row) const;
    std::optional<std::size_t> rowOf(std::int64_t label) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(std::size_t row, int column) const;
    double number(const char* column, std::size_t row) const;

    std::shared_ptr<const gpu::Table> m_table, m_measured;
    std::vector<const gpu::Column*> m_measures;
    bool m_volume = false;
};

}  // namespace warplens::gui
