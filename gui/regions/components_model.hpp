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

/// Such a table as people read it: label in its colour, area, box, centroid. A row a region, read where it lies.
class ComponentsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kLabel, kArea, kBox, kCentroid, kColumns };

    using QAbstractTableModel::QAbstractTableModel;
    void setTable(std::shared_ptr<const gpu::Table> table);
    const std::shared_ptr<const gpu::Table>& table() const { return m_table; }
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

    std::shared_ptr<const gpu::Table> m_table;
    bool m_volume = false;
};

}  // namespace warplens::gui
