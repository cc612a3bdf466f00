// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/typing_keys.hpp"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace warplens::gui {

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

}  // namespace warplens::gui
