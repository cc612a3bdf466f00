// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QWidget;

namespace warplens::gui {

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

}  // namespace warplens::gui
