// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>

class QAction;
class QKeySequenceEdit;
class QLabel;
class QSettings;
class QTableWidget;

namespace warplens::gui {

/// The keys of all actions: their own, or what the user chose, kept in the settings by the action's name.
class KeyMap : public QObject {
    Q_OBJECT
public:
    /// Takes what the actions have now as their own keys and gives them what the settings say. All outlive it.
    KeyMap(const QList<QAction*>& actions, QSettings& settings, QObject* parent = nullptr);

    /// Actions whose keys can be changed; nine numbered keys are one gesture and stay.
    const QList<QAction*>& actions() const { return m_actions; }
    /// Gives an action one key, or none. Another action's key is refused: returns that action, and nothing changes.
    QAction* set(QAction* action, const QKeySequence& key);
    /// Every action has its own keys again.
    void reset();
    bool changed(const QAction* action) const;

private:
    QList<QAction*> m_all, m_actions;
    QSettings& m_settings;
    QHash<const QAction*, QList<QKeySequence>> m_own;
};

/// Changes keys: an action is chosen in the table, its new key is pressed, "Take" gives it to the action.
class KeyEditor : public QDialog {
    Q_OBJECT
public:
    KeyEditor(KeyMap& keys, QWidget* window);

private:
    void refresh();
    void choose();
    void take();

    KeyMap& m_keys;
    QTableWidget* m_table;
    QKeySequenceEdit* m_edit;
    QLabel* m_said;
};

}  // namespace warplens::gui
