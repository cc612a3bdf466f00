// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/key_map.hpp"

#include "gui/panels/page.hpp"

#include <QAction>
#include <QSettings>

namespace warplens::gui {

namespace {

QString settingOf(const QAction* action) { return QStringLiteral("keys/") + action->objectName(); }

/// Whether the keys of both are heard at once: not those of two pages, of which one is shown.
bool meet(const QAction& a, const QAction& b) {
    const auto* page = qobject_cast<const Page*>(a.parent());
    const auto* other = qobject_cast<const Page*>(b.parent());
    return page == nullptr || other == nullptr || page == other;
}

}  // namespace

KeyMap::KeyMap(const QList<QAction*>& actions, QSettings& settings, QObject* parent)
    : QObject(parent), m_all(actions), m_settings(settings) {
    for (QAction* action : actions) {
        m_own[action] = action->shortcuts();
        if (action->property("sheetKeys").isValid() || action->objectName().startsWith(QStringLiteral("snapshot-")))
            continue;
        m_actions << action;
        if (settings.contains(settingOf(action)))
            action->setShortcuts(QKeySequence::listFromString(settings.value(settingOf(action)).toString()));
    }
}

QAction* KeyMap::set(QAction* action, const QKeySequence& key) {
    for (QAction* other : m_all)
        if (other != action && !key.isEmpty() && other->shortcuts().contains(key) && meet(*action, *other))
            return other;
    const QList<QKeySequence> keys = key.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{key};
    action->setShortcuts(keys);
    if (keys == m_own[action])
        m_settings.remove(settingOf(action));
    else
        m_settings.setValue(settingOf(action), QKeySequence::listToString(keys));
    return nullptr;
}

void KeyMap::reset() {
    for (QAction* action : m_actions) {
        action->setShortcuts(m_own[action]);
        m_settings.remove(settingOf(action));
    }
}

bool KeyMap::changed(const QAction* action) const { return action->shortcuts() != m_own[action]; }

}  // namespace warplens::gui
