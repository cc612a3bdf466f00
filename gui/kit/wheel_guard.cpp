// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/wheel_guard.hpp"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QSlider>

namespace warplens::gui {
namespace {

bool isField(const QObject* object) {
    return qobject_cast<const QComboBox*>(object) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(object) != nullptr;
}

bool scrollsWithItsPanel(const QObject* object) {
    if (qobject_cast<const QSlider*>(object) == nullptr) return false;
    for (const QObject* outer = object->parent(); outer != nullptr; outer = outer->parent())
        if (qobject_cast<const QAbstractScrollArea*>(outer) != nullptr) return true;
    return false;
}

}  // namespace

WheelGuard::WheelGuard(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Polish && isField(watched)) {
        // Qt gives the focus by the wheel before anybody is asked.
        auto* field = static_cast<QWidget*>(watched);
        if ((field->focusPolicy() & Qt::WheelFocus) == Qt::WheelFocus) field->setFocusPolicy(Qt::StrongFocus);
    } else if (event->type() == QEvent::Wheel && (isField(watched) || scrollsWithItsPanel(watched)) &&
               !static_cast<QWidget*>(watched)->hasFocus()) {
        event->ignore();
        return true;
    }
    return false;
}

}  // namespace warplens::gui
