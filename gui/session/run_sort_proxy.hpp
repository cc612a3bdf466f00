// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/run_table_model.hpp"

#include <QSortFilterProxyModel>

namespace warplens::gui {

/// The table's order. Rows without a comparable number come last, in ladder order, whichever way it is sorted; on a
/// device whose times rank nothing the ladder takes the place of their order.
class RunSortProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit RunSortProxy(RunTableModel* runs, QObject* parent = nullptr);
    RunTableModel* runs() const { return m_runs; }
    /// Source row of a shown row, or -1.
    int sourceRow(int row) const;
    /// Shown row of a variant, or -1.
    int rowOf(const std::string& id) const;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    /// The table as shown, tab-separated, with heads and units: for spreadsheets.
    QString tsv() const;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    void followDevice();
    RunTableModel* m_runs;
    int m_wanted = gpu::RunColumn::median;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

}  // namespace warplens::gui
