// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/magnifier.hpp"
#include "gui/compare/tools.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/pane_grid.hpp"

namespace warplens::gui {

namespace {

class MagnifierTool : public PageTool {
public:
    MagnifierTool(Page& page, PaneGrid& panes) : PageTool(page, panes), m_magnifier(new Magnifier(&page)) {
        makeSwitch({.id = "magnifier",
                    .text = tr("&Magnifier"),
                    .key = Qt::Key_M,
                    .tip = tr("The surroundings of the pixel under the cursor, with its exact values."),
                    .sessionKey = "magnifier"});
        setSide(m_magnifier);
    }

    void place() override {
        m_magnifier->setViewState(panes().currentViewState());
        if (const Pane* pane = panes().pane(panes().current())) m_magnifier->setPane(pane->content());
    }

private:
    Magnifier* m_magnifier;
};

}  // namespace

PageTool* makeMagnifierTool(Page& page, PaneGrid& panes) { return new MagnifierTool(page, panes); }

}  // namespace warplens::gui
