// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/result.hpp"
#include "gui/picture/figures_rows.hpp"

#include <QWidget>
#include <map>
#include <optional>
#include <string>

class QComboBox;
class QLabel;
class QLayout;
class QTableView;
class QToolButton;

namespace warplens::gui {

class ElidedLabel;
class FiguresModel;
class ValueSpin;

/// The tables of a result: one of them, with its title, or the choice where there are several, Copy and CSV. A click on
/// a head sorts; a row that lies somewhere in the picture is gone to; rows with areas can be chosen by them. Order and
/// choice stay those of a table's id, whichever result it comes with.
class FiguresView : public QWidget {
    Q_OBJECT
public:
    explicit FiguresView(QWidget* parent = nullptr);
    /// The table shown stays the one of the same id, if there is one.
    void setTables(const gpu::Tables& tables);

public slots:
    /// Puts the rows that are seen on the clipboard, in their order, tab-separated, all digits.
    void copy();
    /// Asks for a file and writes the rows there that are seen, in their order.
    void exportCsv();

signals:
    /// A row was chosen that lies there.
    void placeChosen(const warplens::gui::RowPlace& place);
    /// What was written, and how much of the table.
    void exported(const QString& what);
    /// A file could not be written, and why.
    void failed(const QString& why);
    void focused();
    void activated();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// What was chosen for the tables of one id; absent: nothing was.
    struct Arrangement {
        std::string column{};  ///< ordered by it
        Qt::SortOrder order = Qt::AscendingOrder;
        std::optional<double> least{}, most{};
    };
    QLayout* makeHead();
    QWidget* makeAreas();
    void show(int index);
    void putInOrder(const Arrangement& kept);
    void putAreas(const Arrangement& kept);
    void rememberOrder(int column, Qt::SortOrder order);
    void keepAreas(const ValueSpin* end, double value);
    void filter();
    void choose(const QModelIndex& index);
    /// The rows that are seen, in their order, with all columns.
    gpu::Table seen() const;
    QString rowsSeen() const;

    gpu::Tables m_tables;
    std::map<std::string, Arrangement> m_arrangements;
    bool m_arranging = false;  ///< rows come and go: none of them is chosen, no order asked for
    FiguresModel* m_model;
    FiguresRows* m_rows;
    ValueSpin *m_least = nullptr, *m_most = nullptr;
    QLabel* m_kept = nullptr;
    QWidget* m_areas;  ///< shown for tables with areas
    ElidedLabel* m_title;
    QComboBox* m_choice;
    QToolButton* m_copy = nullptr;
    QTableView* m_table;
};

}  // namespace warplens::gui
