// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>
#include <QList>
#include <QObject>

class QAction;

namespace warplens::gui {

/// What an action does, without the marks of menus: "Open filter matrix".
QString plainText(const QAction& action);

/// Whether keys pressed in this widget are text.
bool takesText(const QWidget* widget);

/// Leaves letters to a list of choices that has the focus: there they look up an entry, and no command of the window
/// must take them away.
class TypingKeys : public QObject {
    Q_OBJECT
public:
    /// Watches the whole program for as long as it lives.
    explicit TypingKeys(QObject* parent);
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// Tells when Shift alone is held in `page`'s window while the page is shown and nothing is being typed.
class ShiftKey : public QObject {
    Q_OBJECT
public:
    explicit ShiftKey(QWidget* page);
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void held(bool held);

private:
    QWidget* m_page;
    bool m_held = false;
};

/// The key pressed last and what it does, large, over the lower edge of the window: for an audience.
class LastKey : public QLabel {
    Q_OBJECT
public:
    /// Set to true on a page that shows the last key itself: while the focus is in there this one stays away.
    static constexpr const char* kShownElsewhere = "shows-last-key";
    /// `actions` outlive it; `window` is its parent.
    LastKey(const QList<QAction*>& actions, QWidget* window);
    /// Shown only while on, from the first key on.
    void setOn(bool on);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    QList<QAction*> m_actions;
    bool m_on = false;
};

}  // namespace warplens::gui
