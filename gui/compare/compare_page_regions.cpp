// SPDX-License-Identifier: Apache-2.0
// The part of ComparePage that has the mask painted: the strip of tools, a layer over each pane.
#include "gpu/core/registry.hpp"
#include "gui/compare/compare_page.hpp"
#include "gui/picture/figures_view.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/regions/mask_files.hpp"
#include "gui/regions/paint_layer.hpp"
#include "gui/regions/region_strip.hpp"
#include "gui/session/lens.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

constexpr double kSeeRegion = 64, kMostZoom = 16;  // screen pixels, screen pixels a picture pixel

}  // namespace

QWidget* ComparePage::makeRegionStrip() {
    auto* strip = new RegionStrip(m_session.regions(), this);
    installEventFilter(&m_session.regions());
    offerMaskFiles(*strip, m_session);
    follow(*m_figures);
    return strip;
}

void ComparePage::follow(FiguresView& figures) {
    connect(&figures, &FiguresView::placeChosen, this, &ComparePage::goToRow);
    connect(&figures, &FiguresView::exported, &m_session.activity(),
            [this](const QString& what) { m_session.activity().note(what); });
    connect(&figures, &FiguresView::failed, &m_session.activity(), &Activity::report);
}

void ComparePage::goToRow(const RowPlace& place) {
    ViewState* view = m_grid->currentViewState();
    m_grid->viewState()->setSlice(place.slice);
    m_session.regions().mark(place.box, place.slice);
    // As large as it is, unless that would be too small to be seen or larger than the pane.
    const double extent = std::max(place.box.width(), place.box.height());
    if (view->zoom() * extent < kSeeRegion) view->setZoom(std::min(kSeeRegion / extent, kMostZoom));
    view->setCentre(place.box.center());
    view->setCursor(place.box.center().toPoint());
}

void ComparePage::placePaint() {
    for (int i = 0; i < static_cast<int>(m_grid->panes().size()); ++i) {
        ImageView* view = m_grid->pane(i)->view();
        if (view->findChild<PaintLayer*>() != nullptr) continue;
        for (const gpu::Family* family : gpu::families()) lensOf(*family).makeLayer(m_session.request(), *view);
        new PaintLayer(*view, m_session.regions());  // on top: while a tool is on, the mouse is its own
        follow(*m_grid->pane(i)->findChild<FiguresView*>());
    }
}

}  // namespace warplens::gui
