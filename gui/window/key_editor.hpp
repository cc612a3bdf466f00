// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>

class QAction;
class QDialog;
class QSettings;
class QWidget;

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

/// Where the keys are changed.
QDialog* makeKeyEditor(KeyMap& keys, QWidget* window);

}  // namespace warplens::gui
