// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/page.hpp"

#include "gui/theme/format.hpp"
#include "gui/views/view_state.hpp"

#include <cmath>

namespace warplens::gui {

QString Page::viewText() const {
    const ViewState* view = currentView();
    if (view == nullptr) return {};
    const QString zoom = tr("%1 %").arg(format::integer(std::llround(100 * view->zoom())));
    return linked() ? tr("%1, linked").arg(zoom) : tr("panes not linked");
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
