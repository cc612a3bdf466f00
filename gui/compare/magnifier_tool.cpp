// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/magnifier_tool.hpp"

#include "gui/compare/magnifier.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/pane_grid.hpp"

namespace warplens::gui {

MagnifierTool::MagnifierTool(Page& page, PaneGrid& panes) : PageTool(page, panes), m_magnifier(new Magnifier(&page)) {
    makeSwitch({.id = "magnifier",
                .text = tr("&Magnifier"),
                .key = Qt::Key_M,
                .tip = tr("The surroundings of the pixel under the cursor, with its exact values."),
                .sessionKey = "magnifier"});
    m_magnifier->hide();
    connect(action(), &QAction::toggled, this, [this](bool on) {
        m_magnifier->setVisible(on);
        emit sideChanged();
    });
}

QWidget* MagnifierTool::side() { return m_magnifier; }

void MagnifierTool::place() {
    m_magnifier->setViewState(panes().currentViewState());
    if (const Pane* pane = panes().pane(panes().current())) m_magnifier->setPane(pane->content());
}

}  // namespace warplens::gui
