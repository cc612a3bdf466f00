// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPoint>
#include <QStringList>

class QMenu;
class QSettings;

namespace warplens::gui {

class RunTable;

/// Which columns of the run table are shown, as its user chose by a right click on a head; kept in the settings. Names
/// and checks always are.
class ColumnChoice : public QObject {
    Q_OBJECT
public:
    /// The settings outlive this object, a child of the table.
    ColumnChoice(QSettings& settings, RunTable* table);
    /// A menu with an entry for each column that says anything now, at a place on the screen.
    void choose(const QPoint& at);

private:
    void show(int column, bool shown);
    void keep();
    void apply();
    QSettings& m_settings;
    RunTable* m_table;
    QMenu* m_menu;
    QStringList m_hidden;  ///< by their fields in CSV, which other versions have too
};

}  // namespace warplens::gui
