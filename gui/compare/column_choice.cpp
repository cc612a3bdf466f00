// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/run_table.hpp"
#include "gui/kit/form.hpp"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QObject>
#include <QPoint>
#include <QSettings>
#include <QStringList>
#include <set>

namespace warplens::gui {

namespace {

using gpu::RunColumn;

const QString kKey = QStringLiteral("compare/hidden-columns");

/// The window's own columns have no field.
QString nameOf(int column) {
    const RunColumn& known = gpu::runColumn(static_cast<RunColumn::Id>(column));
    return QString::fromUtf8(*known.field != '\0' ? known.field : known.title);
}

bool alwaysShown(int column) { return column == RunColumn::variant || column == RunColumn::check; }

class ColumnChoice : public QObject {
public:
    /// The settings outlive this object, a child of the table.
    ColumnChoice(QSettings& settings, RunTable* table)
        : QObject(table), m_settings(settings), m_table(table), m_menu(new QMenu(table)) {
        setWidgetText(m_menu, {.id = "columns-menu", .name = tr("Columns of the table of times")});
        m_hidden = settings.value(kKey).toStringList();
        QHeaderView* head = table->horizontalHeader();
        head->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(head, &QWidget::customContextMenuRequested, this,
                [this, head](const QPoint& at) { choose(head->mapToGlobal(at)); });
        apply();
    }

    /// A menu with an entry for each column that says anything now, at a place on the screen.
    void choose(const QPoint& at) {
        m_menu->clear();
        for (int column = 0; column < RunTableModel::kColumns; ++column) {
            if (alwaysShown(column) || !m_table->says(column)) continue;
            QAction* entry = m_menu->addAction(m_table->model()->headerData(column, Qt::Horizontal).toString());
            entry->setCheckable(true);
            entry->setChecked(!m_hidden.contains(nameOf(column)));
            connect(entry, &QAction::toggled, this, [this, column](bool shown) { show(column, shown); });
        }
        m_menu->addSeparator();
        connect(m_menu->addAction(tr("Show all columns")), &QAction::triggered, this, [this] {
            m_hidden.clear();
            keep();
        });
        m_menu->popup(at);
    }

private:
    void show(int column, bool shown) {
        m_hidden.removeAll(nameOf(column));
        if (!shown) m_hidden << nameOf(column);
        keep();
    }

    void keep() {
        if (m_hidden.isEmpty())
            m_settings.remove(kKey);
        else
            m_settings.setValue(kKey, m_hidden);
        apply();
    }

    void apply() {
        std::set<int> columns;
        for (int column = 0; column < RunTableModel::kColumns; ++column)
            if (!alwaysShown(column) && m_hidden.contains(nameOf(column))) columns.insert(column);
        m_table->setHiddenByChoice(std::move(columns));
    }

    QSettings& m_settings;
    RunTable* m_table;
    QMenu* m_menu;
    QStringList m_hidden;  ///< by their fields in CSV, which other versions have too
};

}  // namespace

void offerColumns(QSettings& settings, RunTable* table, QAction* command) {
    auto* choice = new ColumnChoice(settings, table);
    QObject::connect(command, &QAction::triggered, choice,
                     [table, choice] { choice->choose(table->mapToGlobal(QPoint())); });
}

}  // namespace warplens::gui
