// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/why/why_model.hpp"

#include <QWidget>

class QLabel;
class QTableWidget;

namespace warplens::gui {

/// "÷ 17.5", "× 1.16", "new", "gone" or nothing.
QString changeText(double before, double now);

/// The counts and times that moved between the current rung and the one it is compared with; of the first rung all
/// counts.
class MovedTable : public QWidget {
    Q_OBJECT
public:
    explicit MovedTable(WhyModel& model, QWidget* parent = nullptr);
    QTableWidget* table() const { return m_table; }

private:
    void refresh();
    /// Heads with all their words, or those that have room beside the rows.
    void fitHeads();
    void addRow(const QString& name, const QString& before, const QString& now, const QString& change,
                std::optional<Origin> origin = {});

    WhyModel& m_model;
    QLabel* m_detail;
    QTableWidget* m_table;
};

}  // namespace warplens::gui
