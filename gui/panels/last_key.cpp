// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/last_key.hpp"

#include "gui/panels/actions.hpp"
#include "gui/panels/typing_keys.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/fonts.hpp"
#include "gui/theme/metrics.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <algorithm>

namespace warplens::gui {

namespace {

/// Whether a page that a key goes to shows it in a place of its own.
bool shownElsewhere(const QObject* at) {
    for (; at != nullptr; at = at->parent())
        if (at->property(LastKey::kShownElsewhere).toBool()) return true;
    return false;
}

}  // namespace

LastKey::LastKey(const QList<QAction*>& actions, QWidget* window) : QLabel(window), m_actions(actions) {
    setObjectName(QStringLiteral("last-key"));
    setAccessibleName(tr("Key pressed last"));
    setLook(this, "last-key");
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    qApp->installEventFilter(this);
}

void LastKey::setOn(bool on) {
    m_on = on;
    if (!on) hide();
}

bool LastKey::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) place();
    // Every key press is first offered as an override, shortcuts included.
    if (!m_on || event->type() != QEvent::ShortcutOverride || takesText(qobject_cast<QWidget*>(watched))) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const int code = key->key();
    if (code == 0 || code == Qt::Key_unknown || code == Qt::Key_Control || code == Qt::Key_Alt || code == Qt::Key_Meta)
        return false;
    if (shownElsewhere(QApplication::focusWidget())) {
        hide();
        return false;
    }
    if (code == Qt::Key_Shift) {
        setText(tr("Shift"));
    } else {
        const QKeySequence keys(key->modifiers().toInt() | code);
        const auto done = std::ranges::find_if(m_actions, [&](const QAction* action) {
            return action->isEnabled() && action->shortcuts().contains(keys);
        });
        QString text = keys.toString(QKeySequence::NativeText);
        if (done != m_actions.end()) text += QStringLiteral("   ") + plainText(**done);
        setText(text);
    }
    place();
    show();
    raise();
    return false;
}

void LastKey::place() {
    adjustSize();
    const QWidget* window = parentWidget();
    move((window->width() - width()) / 2, window->height() - height() - kHeadHeight - 3 * kGap);
}

}  // namespace warplens::gui
