// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/result.hpp"
#include "gui/picture/figures_rows.hpp"

#include <QWidget>

class QComboBox;
class QLabel;
class QTableView;
class QToolButton;

namespace warplens::gui {

class FiguresModel;
class ValueSpin;

/// The tables of a result: one of them, with its title, or the choice where there are several, Copy and CSV. A click on
/// a head sorts; a row that lies somewhere in the picture is gone to; rows with areas can be chosen by them.
class FiguresView : public QWidget {
    Q_OBJECT
public:
    explicit FiguresView(QWidget* parent = nullptr);
    /// The table shown stays the one of the same id, if there is one.
    void setTables(const gpu::Tables& tables);

public slots:
    /// Puts the table on the clipboard, tab-separated, all digits.
    void copy();
    /// Asks for a file and writes the table there, all its rows.
    void exportCsv();

signals:
    /// A row was chosen that lies there.
    void placeChosen(const warplens::gui::RowPlace& place);
    /// A file could not be written, and why.
    void failed(const QString& why);
    void focused();
    void activated();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(int index);
    QWidget* makeAreas();
    void filter();
    void choose(const QModelIndex& index);

    gpu::Tables m_tables;
    FiguresModel* m_model;
    FiguresRows* m_rows;
    ValueSpin *m_least = nullptr, *m_most = nullptr;
    QLabel* m_kept = nullptr;
    QWidget* m_areas;  ///< shown for tables with areas
    QLabel* m_title;
    QComboBox* m_choice;
    QTableView* m_table;
};

}  // namespace warplens::gui
