// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/run_table_model.hpp"

#include <QTableView>
#include <set>

class QAction;
class QSettings;

namespace warplens::gui {

/// The table of runs. Rows are 24 px; a row without numbers says why across them.
class RunTable : public QTableView {
    Q_OBJECT
public:
    explicit RunTable(RunSortProxy* runs, QWidget* parent = nullptr);
    /// Leaves out Quartiles, Regs, Shared and Occup., which stay in the row's tooltip.
    void setFewColumns(bool few);
    /// Leaves these out, whatever they say.
    void setHiddenByChoice(std::set<int> columns);
    /// Whether a column has something to say of these runs.
    bool says(int column) const { return m_runs->runs()->applies(column); }
    /// Which stages have columns: all; the kernel and the total, as bars beside draw each; the kernel, as their labels
    /// say the total.
    enum class Stages { all, total, kernel };
    void setStages(Stages stages);
    /// Sum of the widths that the columns need which are shown then.
    int neededWidth(Stages stages) const;
    int neededWidth() const { return neededWidth(m_stages); }

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
    bool hides(int column, Stages stages) const;
    bool m_few = false;
    std::set<int> m_hidden;  ///< by the user's choice
    Stages m_stages = Stages::all;
    int m_widest = 0;    ///< what the first column needs at the present size of the type
    double m_scale = 1;  ///< of the type, when the style changed last
};

/// Which columns of the run table are shown, as its user chose by a right click on a head; kept in the settings. Names
/// and checks always are.
/// `command` and the context menu of the heads ask for it. The settings outlive the table.
void offerColumns(QSettings& settings, RunTable* table, QAction* command);

}  // namespace warplens::gui
