// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/column_choice.hpp"

#include "gui/compare/run_table.hpp"
#include "gui/kit/form.hpp"

#include <QHeaderView>
#include <QMenu>
#include <QSettings>
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

}  // namespace

ColumnChoice::ColumnChoice(QSettings& settings, RunTable* table)
    : QObject(table), m_settings(settings), m_table(table), m_menu(new QMenu(table)) {
    setWords(m_menu, {.id = "columns-menu", .name = tr("Columns of the table of times")});
    m_hidden = settings.value(kKey).toStringList();
    QHeaderView* head = table->horizontalHeader();
    head->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(head, &QWidget::customContextMenuRequested, this,
            [this, head](const QPoint& at) { choose(head->mapToGlobal(at)); });
    apply();
}

void ColumnChoice::choose(const QPoint& at) {
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

void ColumnChoice::show(int column, bool shown) {
    m_hidden.removeAll(nameOf(column));
    if (!shown) m_hidden << nameOf(column);
    keep();
}

void ColumnChoice::keep() {
    if (m_hidden.isEmpty())
        m_settings.remove(kKey);
    else
        m_settings.setValue(kKey, m_hidden);
    apply();
}

void ColumnChoice::apply() {
    std::set<int> columns;
    for (int column = 0; column < RunTableModel::kColumns; ++column)
        if (!alwaysShown(column) && m_hidden.contains(nameOf(column))) columns.insert(column);
    m_table->setHiddenByChoice(std::move(columns));
}

}  // namespace warplens::gui
