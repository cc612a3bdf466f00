// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/result.hpp"

#include <QWidget>

class QComboBox;
class QLabel;
class QTableView;
class QToolButton;

namespace warplens::gui {

class FiguresModel;

/// The tables of a result: one of them, with its title, or the choice where there are several, and Copy.
class FiguresView : public QWidget {
    Q_OBJECT
public:
    explicit FiguresView(QWidget* parent = nullptr);
    /// The table shown stays the one of the same id, if there is one.
    void setTables(const gpu::Tables& tables);

public slots:
    /// Puts the table on the clipboard, tab-separated, all digits.
    void copy();

signals:
    void focused();
    void activated();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(int index);

    gpu::Tables m_tables;
    FiguresModel* m_model;
    QLabel* m_title;
    QComboBox* m_choice;
    QTableView* m_table;
};

}  // namespace warplens::gui
