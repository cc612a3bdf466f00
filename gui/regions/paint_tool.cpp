// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/page.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/regions/mask_files.hpp"
#include "gui/regions/paint_layer.hpp"
#include "gui/regions/region_strip.hpp"
#include "gui/session/compare_session.hpp"

#include <QApplication>

namespace warplens::gui {

namespace {

class PaintTool : public PageTool {
public:
    PaintTool(Page& page, PaneGrid& panes, CompareSession& session)
        : PageTool(page, panes), m_session(session), m_strip(new RegionStrip(session.regions(), &page)) {
        setRow(m_strip);
        RegionTools& tools = session.regions();
        makeSwitch({.id = "paint-mask",
                    .text = tr("&Paint a mask"),
                    .key = Qt::Key_B,
                    .tip = tr("Wand, brush, eraser and polygon: which pixels a task is for."),
                    .button = tr("Mask")});
        connect(action(), &QAction::toggled, &tools, &RegionTools::setOn);
        // Its keys are heard by what the page holds: W is the wand then, and not the wipe.
        connect(action(), &QAction::toggled, this, [this](bool painting) {
            const Pane* pane = this->panes().pane(QString::fromStdString(m_session.request().current()));
            if (painting && pane != nullptr && !this->page().isAncestorOf(QApplication::focusWidget()))
                pane->view()->setFocus();
        });
        connect(&tools, &RegionTools::changed, this, [this, &tools] { action()->setChecked(tools.on()); });
        page.installEventFilter(&tools);
        offerMaskFiles(*m_strip, session);
    }

    bool takesMouse() const override { return true; }

    // On top: while a tool is on, the mouse is its own.
    void attach(Pane& pane) override { new PaintLayer(*pane.view(), m_session.regions()); }

private:
    CompareSession& m_session;
    RegionStrip* m_strip;
};

}  // namespace

PageTool* makePaintTool(Page& page, PaneGrid& panes, CompareSession& session) {
    return new PaintTool(page, panes, session);
}

}  // namespace warplens::gui
