// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/keys.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/paint.hpp"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <algorithm>

namespace warplens::gui {

QString plainText(const QAction& action) { return action.text().remove('&').remove(QStringLiteral("...")); }

namespace {

/// Whether a page that a key goes to shows it in a place of its own.
bool shownElsewhere(const QObject* at) {
    for (; at != nullptr; at = at->parent())
        if (at->property(LastKey::kShownElsewhere).toBool()) return true;
    return false;
}

}  // namespace

bool takesText(const QWidget* widget) {
    if (const auto* edit = qobject_cast<const QPlainTextEdit*>(widget)) return !edit->isReadOnly();
    if (const auto* edit = qobject_cast<const QTextEdit*>(widget)) return !edit->isReadOnly();
    return qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
}

TypingKeys::TypingKeys(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool TypingKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride || qobject_cast<QComboBox*>(watched) == nullptr) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool plain = !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (!plain || key->text().isEmpty() || !key->text().front().isLetterOrNumber()) return false;
    event->accept();
    return true;
}

ShiftKey::ShiftKey(QWidget* page) : QObject(page), m_page(page) { qApp->installEventFilter(this); }

bool ShiftKey::eventFilter(QObject* watched, QEvent* event) {
    bool held = m_held;
    switch (event->type()) {
        case QEvent::KeyPress: {
            const auto* key = static_cast<QKeyEvent*>(event);
            const bool alone = !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
            if (key->key() != Qt::Key_Shift || !alone || key->isAutoRepeat()) return false;
            held = m_page->isVisible() && m_page->window()->isActiveWindow() &&
                   !takesText(QApplication::focusWidget()) && QApplication::activePopupWidget() == nullptr;
            break;
        }
        case QEvent::KeyRelease:
            if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Shift) held = false;
            break;
        case QEvent::WindowDeactivate:
            if (watched == m_page->window()) held = false;
            break;
        default: return false;
    }
    if (held != m_held) {
        m_held = held;
        emit this->held(held);
    }
    return false;
}

LastKey::LastKey(const QList<QAction*>& actions, QWidget* window) : QLabel(window), m_actions(actions) {
    setWidgetText(this, {.id = "last-key", .look = "last-key", .name = tr("Key pressed last")});
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
            // Another page's may have the same key.
            const auto* page = qobject_cast<const QWidget*>(action->parent());
            return action->isEnabled() && (page == nullptr || page->isVisible()) && action->shortcuts().contains(keys);
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
    // Over the page's own lower end, not over the results below it.
    const auto* window = qobject_cast<QMainWindow*>(parentWidget());
    const QWidget* page =
        window == nullptr || window->centralWidget() == nullptr ? parentWidget() : window->centralWidget();
    const QPoint end = page->mapTo(parentWidget(), QPoint(page->width() / 2, page->height()));
    move(end.x() - width() / 2, end.y() - height() - kStripHeight - kGap);
}

}  // namespace warplens::gui
