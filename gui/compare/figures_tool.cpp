// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/tools.hpp"
#include "gui/picture/figures_rows.hpp"
#include "gui/picture/figures_view.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/session/compare_session.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

constexpr double kSeeRegion = 64, kMostZoom = 16;  // screen pixels, screen pixels a picture pixel

class FiguresTool : public PageTool {
public:
    FiguresTool(Page& page, PaneGrid& panes, CompareSession& session)
        : PageTool(page, panes), m_session(session), m_figures(new FiguresView(&page)) {
        setSide(m_figures);
        follow(*m_figures);
    }

    void attach(Pane& pane) override { follow(*pane.findChild<FiguresView*>()); }

    void prepare() override {
        const gpu::RunRecord* record = m_session.results().present(m_session.request().current());
        const gpu::Family* family = m_session.parameters().family();
        const bool any = family != nullptr && family->info().makesTables && record != nullptr &&
                         record->result.picture != nullptr && !record->result.tables.empty();
        m_figures->setTables(any ? record->result.tables : gpu::Tables{});
        showSide(any);
    }

private:
    /// Goes where its rows lie, says what it wrote.
    void follow(FiguresView& figures) {
        Activity& activity = m_session.activity();
        connect(&figures, &FiguresView::placeChosen, this, &FiguresTool::goToRow);
        connect(&figures, &FiguresView::exported, &activity, [&activity](const QString& what) { activity.note(what); });
        connect(&figures, &FiguresView::failed, &activity, &Activity::report);
    }

    void goToRow(const RowPlace& place) {
        ViewState* view = panes().currentViewState();
        panes().viewState()->setSlice(place.slice);
        m_session.regions().mark(place.box, place.slice);
        // As large as it is, unless that would be too small to be seen or larger than the pane.
        const double extent = std::max(place.box.width(), place.box.height());
        if (view->zoom() * extent < kSeeRegion) view->setZoom(std::min(kSeeRegion / extent, kMostZoom));
        view->setCentre(place.box.center());
        view->setCursor(place.box.center().toPoint());
    }

    CompareSession& m_session;
    FiguresView* m_figures;
};

}  // namespace

PageTool* makeFiguresTool(Page& page, PaneGrid& panes, CompareSession& session) {
    return new FiguresTool(page, panes, session);
}

}  // namespace warplens::gui
