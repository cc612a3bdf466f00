// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/figures_rows.hpp"
#include "gui/regions/components_model.hpp"

#include <QWidget>
#include <optional>

class QLabel;
class QTableView;

namespace warplens::gui {

class AreasChart;
class DockSection;
class ValueSpin;

/// Beside the pictures: the regions of a result in a table that is sorted by its heads, the histogram of their areas,
/// and which areas are kept.
class ComponentsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ComponentsPanel(QWidget* parent = nullptr);
    /// Null: none. What the user keeps stays kept; until he says so, all areas are.
    void setTable(const std::shared_ptr<const gpu::Table>& table);
    const ComponentsModel& model() const { return *m_model; }
    /// Chooses the row of a label and brings it into sight; of none, or one that is left out: no row.
    void choose(std::int64_t label);
    /// The row of the table.
    std::optional<std::size_t> chosen() const;
    bool keeps(std::size_t row) const;
    std::int64_t kept() const { return m_rows->rowCount(); }
    /// The rows as they are shown, all their columns and digits.
    gpu::Table shownTable() const;

signals:
    /// A row was chosen, by the user or by choose(), or none is any more.
    void chosenChanged();
    /// Other areas are kept, or the table is another.
    void keptChanged();
    /// A file could not be written, and why.
    void failed(const QString& why);

private:
    void fitColumns();
    void makeTable();
    QWidget* makeAreas();
    void keep();
    void refresh();
    void exportCsv();

    ComponentsModel* m_model;
    FiguresRows* m_rows;
    QTableView* m_table;
    DockSection* m_areas;
    AreasChart* m_chart;
    ValueSpin *m_least = nullptr, *m_most = nullptr;
    QLabel *m_count, *m_kept = nullptr, *m_mean = nullptr;
    bool m_limited = false;  ///< the user said which areas
};

}  // namespace warplens::gui
