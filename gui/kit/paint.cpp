// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/paint.hpp"

#include <QHelpEvent>
#include <QToolTip>

namespace warplens::gui {

bool Plot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* const help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
    return true;
}

}  // namespace warplens::gui
