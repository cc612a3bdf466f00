// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>
#include <QList>

class QAction;

namespace warplens::gui {

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
