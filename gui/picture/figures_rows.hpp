// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"

#include <QRectF>
#include <QSortFilterProxyModel>
#include <QString>
#include <functional>
#include <optional>

class QObject;
class QWidget;

namespace warplens::gui {

/// A column's head: its title, or else its id, and its unit.
QString titleOf(const gpu::Column& column);

/// For the clipboard: a line of heads, then a line a row, with all digits.
QString tabSeparated(const gpu::Table& table);

/// Asks where to, and writes the table there as CSV, with gpu::withUnitHeads() or, where that is chosen, ids alone. One
/// of both is heard, for as long as `receiver` lives: the path that was written, or why it could not be.
void exportTable(QWidget* window, const QString& title, const gpu::Table& table, QObject* receiver,
                 std::function<void(const QString& path)> done, std::function<void(const QString& why)> failed);

/// Where a row of a table lies in the picture.
struct RowPlace {
    QRectF box;     ///< pixels; of a point the pixel that holds it
    int slice = 0;  ///< its middle one
    bool operator==(const RowPlace&) const = default;
};
/// Of a table with columns x0, y0, x1, y1, whose ends are the last pixels, or with cx and cy; nothing of others.
std::optional<RowPlace> placeOf(const gpu::Table& table, std::size_t row);

/// The rows of a table in the order of a column, by its values, and those alone whose value of a column lies in a
/// range.
class FiguresRows : public QSortFilterProxyModel {
    Q_OBJECT
public:
    /// The value of a cell: a number, or a text.
    static constexpr int kValueRole = Qt::UserRole + 8;

    using QSortFilterProxyModel::QSortFilterProxyModel;
    /// A negative column: all rows are shown. A value that is not finite lies in a range without bounds alone.
    void setRange(int column, double least, double most);
    /// The column that they are ordered by says so.
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    int m_column = -1;
    double m_least = 0, m_most = 0;
};

}  // namespace warplens::gui
