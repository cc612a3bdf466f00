// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/compare/run_sort_proxy.hpp"
#include "gui/kit/table.hpp"

#include <QTableView>

namespace warplens::gui {

/// Cells: shape before the name, the median bold, the verdict word before the ratio, a badge at the end.
class RunDelegate : public RowDelegate {
    Q_OBJECT
public:
    using RowDelegate::RowDelegate;

protected:
    RowCell cell(const QModelIndex& index, bool selected) const override;
    bool ruled() const override { return true; }
};

/// The table of runs. Rows are 24 px; a row without numbers says why across them.
class RunTable : public QTableView {
    Q_OBJECT
public:
    explicit RunTable(RunSortProxy* runs, QWidget* parent = nullptr);
    /// Leaves out Quartiles, Regs, Shared and Occup., which stay in the row's tooltip.
    void setFewColumns(bool few);
    /// Sum of the widths that the shown columns need.
    int neededWidth() const;

signals:
    /// Rows, order or values changed; once an event loop turn.
    void refreshed();
    /// Other columns are shown than before, or the type has another size: neededWidth() is another.
    void columnsChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void arrange();
    /// The first column after the names.
    int firstShown() const;
    RunSortProxy* m_runs;
    bool m_few = false;
    int m_widest = 0;  ///< what the first column needs at the present size of the type
};

}  // namespace warplens::gui
