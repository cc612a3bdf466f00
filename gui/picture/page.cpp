// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/page.hpp"

#include "gui/kit/theme/format.hpp"
#include "gui/picture/view_state.hpp"

#include <QAbstractButton>
#include <cmath>

namespace warplens::gui {

QString Page::viewText() const {
    const ViewState* view = currentView();
    if (view == nullptr) return {};
    const QString zoom = tr("%1 %").arg(format::integer(std::llround(100 * view->zoom())));
    return linked() ? tr("%1, linked").arg(zoom) : tr("panes not linked");
}

QAction* Page::makeAction(const char* name, const QString& text, const QKeySequence& key) {
    auto* action = new QAction(text, this);
    action->setObjectName(QString::fromUtf8(name));
    action->setShortcut(key);
    action->setShortcutContext(Qt::WindowShortcut);
    addAction(action);  // a widget's actions hear their keys only while it is shown
    return action;
}

void followAction(QAbstractButton* button, QAction* action) {
    button->setObjectName(action->objectName());
    button->setCheckable(action->isCheckable());
    QObject::connect(button, &QAbstractButton::clicked, action, &QAction::trigger);
    QObject::connect(action, &QAction::toggled, button, &QAbstractButton::setChecked);
    const auto show = [button, action] {
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        button->setToolTip(key.isEmpty() ? action->toolTip() : QStringLiteral("%1 (%2)").arg(action->toolTip(), key));
        button->setEnabled(action->isEnabled());
    };
    QObject::connect(action, &QAction::changed, button, show);
    show();
    button->setChecked(action->isChecked());
}

void Page::zoomIn() {
    if (ViewState* view = currentView()) view->zoomIn();
}

void Page::zoomOut() {
    if (ViewState* view = currentView()) view->zoomOut();
}

void Page::actualSize() {
    if (ViewState* view = currentView()) view->actualSize();
}

void Page::fit() {
    if (ViewState* view = currentView()) view->fit();
}

}  // namespace warplens::gui
