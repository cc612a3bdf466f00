// SPDX-License-Identifier: Apache-2.0
#include "gui/session/run_sort_proxy.hpp"

namespace warplens::gui {

RunSortProxy::RunSortProxy(RunTableModel* runs, QObject* parent) : QSortFilterProxyModel(parent), m_runs(runs) {
    setDynamicSortFilter(true);
    setSortRole(RunTableModel::SortRole);
    setSourceModel(runs);
    connect(runs, &QAbstractItemModel::modelReset, this, &RunSortProxy::followDevice);
    followDevice();
}

void RunSortProxy::followDevice() {
    const bool sorts = m_runs->ranking() || !m_runs->ofTimes(m_wanted);
    QSortFilterProxyModel::sort(sorts ? m_wanted : -1, m_order);
}

void RunSortProxy::sort(int column, Qt::SortOrder order) {
    m_wanted = column;
    m_order = order;
    followDevice();
}

int RunSortProxy::sourceRow(int row) const { return mapToSource(index(row, 0)).row(); }

int RunSortProxy::rowOf(const std::string& id) const {
    const int row = m_runs->rowOf(id);
    return row < 0 ? -1 : mapFromSource(m_runs->index(row, 0)).row();
}

bool RunSortProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(RunTableModel::SortRole), b = right.data(RunTableModel::SortRole);
    const bool ascending = sortOrder() == Qt::AscendingOrder;
    if (a.isValid() != b.isValid()) return ascending ? a.isValid() : b.isValid();
    if (!a.isValid()) return ascending ? left.row() < right.row() : left.row() > right.row();
    if (a.typeId() == QMetaType::QString) return a.toString() < b.toString();
    return a.toDouble() < b.toDouble();
}

QString RunSortProxy::tsv() const {
    const auto line = [this](auto&& cell) {
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column)
            if (m_runs->applies(column)) cells << cell(column);
        return cells.join('\t');
    };
    QStringList lines{line([this](int column) { return headerData(column, Qt::Horizontal).toString(); })};
    for (int row = 0; row < rowCount(); ++row)
        lines << line([this, row](int column) { return index(row, column).data().toString(); });
    return lines.join('\n') + '\n';
}

}  // namespace warplens::gui
