// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/figures_rows.hpp"
#include "gui/regions/components_model.hpp"

#include <QWidget>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QTableView;

namespace warplens::gui {

class DockSection;
class MeasureChart;
class MeasureScatter;
class ValueSpin;

/// Beside the pictures: the regions of a result in a table that is sorted by its heads, the histogram of one of their
/// measures or its scatter against another, and which values of it are kept.
class ComponentsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ComponentsPanel(QWidget* parent = nullptr);
    /// Null: none. What the user keeps stays kept; until he says so, all areas are.
    void setTable(const std::shared_ptr<const gpu::Table>& table);
    /// What was measured of its regions; null: not known yet. The measure by which they are kept stays.
    void setMeasures(const std::shared_ptr<const gpu::Table>& measures);
    const ComponentsModel& model() const { return *m_model; }
    /// Chooses the row of a label and brings it into sight; of none, or one that is left out: no row.
    void choose(std::int64_t label);
    /// The row of the table.
    std::optional<std::size_t> chosen() const;
    bool keeps(std::size_t row) const;
    std::set<std::int64_t> keptLabels() const;
    std::int64_t kept() const { return m_rows->rowCount(); }
    /// The rows as they are shown, all their columns and digits.
    gpu::Table shownTable() const;

signals:
    /// A row was chosen, by the user or by choose(), or none is any more.
    void chosenChanged();
    /// Other regions are kept, or the table is another.
    void keptChanged();
    /// The outlines of the regions that are kept are to be written.
    void outlinesWanted();
    /// shownTable() is to be written.
    void tableWanted();

private:
    void fitColumns();
    void makeTable();
    QWidget* makeKept();
    void listMeasures();
    void showMeasure();
    void showScatter();
    void showChosen();
    std::vector<double> valuesOf(int column) const;
    void keep();
    /// The column of the model by whose values regions are kept.
    int keptBy() const;
    /// Without bounds until somebody gave some.
    std::pair<double, double> limits() const;
    void refresh();

    ComponentsModel* m_model;
    FiguresRows* m_rows;
    QTableView* m_table;
    DockSection* m_distribution;
    MeasureChart* m_chart;
    MeasureScatter* m_scatter;
    QComboBox *m_by = nullptr, *m_against = nullptr;
    ValueSpin *m_least = nullptr, *m_most = nullptr;
    QLabel *m_count, *m_kept = nullptr, *m_mean = nullptr;
    QString m_measure;       ///< the title of the one by which regions are kept; empty: the area in pixels
    QString m_other;         ///< of the one against which it is shown; empty: none
    bool m_limited = false;  ///< the user said which values
};

}  // namespace warplens::gui
