// SPDX-License-Identifier: Apache-2.0
#include "gui/style/projector.hpp"

#include <QAbstractItemView>
#include <QGridLayout>
#include <QHeaderView>
#include <QLayout>
#include <QWidget>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

int scaled(int length, double factor) {
    return static_cast<int>(std::lround(length * factor));
}

void scaleSizes(QWidget* widget, double factor) {
    const QSize least = widget->minimumSize(), most = widget->maximumSize();
    const auto greatest = [&](int length) {
        return length >= QWIDGETSIZE_MAX ? QWIDGETSIZE_MAX : std::min(scaled(length, factor), QWIDGETSIZE_MAX);
    };
    // A fixed size has both; the wider one goes first, so that neither pushes the other.
    widget->setMaximumSize(std::max(greatest(most.width()), most.width()),
                           std::max(greatest(most.height()), most.height()));
    widget->setMinimumSize(scaled(least.width(), factor), scaled(least.height(), factor));
    widget->setMaximumSize(greatest(most.width()), greatest(most.height()));
}

void scaleLayout(QLayout* layout, double factor) {
    const QMargins m = layout->contentsMargins();
    layout->setContentsMargins(scaled(m.left(), factor), scaled(m.top(), factor), scaled(m.right(), factor),
                               scaled(m.bottom(), factor));
    if (auto* grid = qobject_cast<QGridLayout*>(layout)) {
        if (grid->horizontalSpacing() > 0) grid->setHorizontalSpacing(scaled(grid->horizontalSpacing(), factor));
        if (grid->verticalSpacing() > 0) grid->setVerticalSpacing(scaled(grid->verticalSpacing(), factor));
    } else if (layout->spacing() > 0) {
        layout->setSpacing(scaled(layout->spacing(), factor));
    }
}

}  // namespace

void scaleWidgets(QWidget* window, double factor) {
    for (QWidget* widget : window->findChildren<QWidget*>()) {
        scaleSizes(widget, factor);
        if (widget->testAttribute(Qt::WA_SetFont) && widget->font().pixelSize() > 0) {
            QFont font = widget->font();
            font.setPixelSize(scaled(font.pixelSize(), factor));
            widget->setFont(font);
        }
        if (auto* header = qobject_cast<QHeaderView*>(widget)) {
            // Not below what the section may be on the way.
            if (factor < 1) header->setMinimumSectionSize(scaled(header->minimumSectionSize(), factor));
            header->setDefaultSectionSize(scaled(header->defaultSectionSize(), factor));
            for (int i = 0; header->orientation() == Qt::Horizontal && i < header->count(); ++i)
                if (header->sectionResizeMode(i) == QHeaderView::Interactive && !header->isSectionHidden(i))
                    header->resizeSection(i, scaled(header->sectionSize(i), factor));
        } else if (auto* view = qobject_cast<QAbstractItemView*>(widget)) {
            if (view->iconSize().isValid()) view->setIconSize(view->iconSize() * factor);
            view->doItemsLayout();
        }
    }
    for (QLayout* layout : window->findChildren<QLayout*>()) scaleLayout(layout, factor);
}

}  // namespace warplens::gui
