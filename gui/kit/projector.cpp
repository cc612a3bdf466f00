// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/projector.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <vector>

namespace warplens::gui {

namespace {

int scaled(int length, double factor) { return static_cast<int>(std::lround(length * factor)); }

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
    for (int i = 0; i < layout->count(); ++i)
        if (QSpacerItem* room = layout->itemAt(i)->spacerItem()) {
            const QSize size = room->sizeHint();
            const QSizePolicy policy = room->sizePolicy();
            room->changeSize(scaled(size.width(), factor), scaled(size.height(), factor), policy.horizontalPolicy(),
                             policy.verticalPolicy());
        }
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

void scaleSections(QHeaderView& header, double factor) {
    // Another default resizes every section, so that their own sizes are kept first.
    std::vector<int> sizes;
    for (int i = 0; i < header.count(); ++i) sizes.push_back(header.sectionSize(i));
    if (factor < 1) header.setMinimumSectionSize(scaled(header.minimumSectionSize(), factor));
    header.setDefaultSectionSize(scaled(header.defaultSectionSize(), factor));
    if (header.orientation() == Qt::Vertical) return;
    for (int i = 0; i < header.count(); ++i) {
        const bool own = header.sectionResizeMode(i) == QHeaderView::Interactive && !header.isSectionHidden(i);
        if (own) header.resizeSection(i, scaled(sizes[static_cast<std::size_t>(i)], factor));
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
        if (qobject_cast<QLabel*>(widget) != nullptr) {
            const QMargins m = widget->contentsMargins();
            widget->setContentsMargins(scaled(m.left(), factor), scaled(m.top(), factor), scaled(m.right(), factor),
                                       scaled(m.bottom(), factor));
        }
        if (auto* button = qobject_cast<QAbstractButton*>(widget); button != nullptr && !button->icon().isNull())
            button->setIconSize(
                QSize(scaled(button->iconSize().width(), factor), scaled(button->iconSize().height(), factor)));
        if (auto* box = qobject_cast<QComboBox*>(widget)) box->setIconSize(box->iconSize() * factor);
        if (auto* header = qobject_cast<QHeaderView*>(widget)) {
            scaleSections(*header, factor);
        } else if (auto* view = qobject_cast<QAbstractItemView*>(widget)) {
            if (view->iconSize().isValid()) view->setIconSize(view->iconSize() * factor);
            view->doItemsLayout();
        }
    }
    for (QLayout* layout : window->findChildren<QLayout*>()) scaleLayout(layout, factor);
}

}  // namespace warplens::gui
