// SPDX-License-Identifier: Apache-2.0
// The part of ComparePage that draws tiles and halos, and that keeps results: pinned, as the next input, as snapshots.
#include "gui/compare/compare_page.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/tiles_overlay.hpp"
#include "gui/request/launch_draft.hpp"
#include "gui/session/lens.hpp"
#include "gui/session/shown_variants.hpp"
#include "gui/session/snapshots.hpp"

#include <QAction>
#include <utility>

namespace warplens::gui {

void ComparePage::makeResultActions() {
    m_tilesAction = makeAction("tiles", tr("&Tiles and halos"), QKeySequence(Qt::Key_T));
    m_tilesAction->setCheckable(true);
    m_tilesAction->setToolTip(
        tr("The grid of blocks; of the block under the cursor the tile it writes and what it stages; "
           "the inputs that the pixel reads."));
    connect(m_tilesAction, &QAction::toggled, this, &ComparePage::placeTiles);
    connect(m_grid->viewState(), &ViewState::cursorChanged, this, &ComparePage::placeTiles);
    connect(&LaunchDraft::of(m_session.request()), &LaunchDraft::changed, this, &ComparePage::placeTiles);
    QAction* pin =
        makeAction("pin-baseline", tr("Pin the &current result as baseline"), QKeySequence(Qt::SHIFT | Qt::Key_P));
    connect(pin, &QAction::triggered, this, [this] { m_session.request().setBaseline(m_session.request().current()); });
    QAction* keep = makeAction("take-snapshot", tr("&Keep a snapshot of the result"), QKeySequence(Qt::Key_K));
    connect(keep, &QAction::triggered, &m_session.outputs(), &ResultFiles::takeSnapshot);
    for (int i = 0; i < Snapshots::kMost; ++i) {
        m_snapshotActions << makeAction(qPrintable(QStringLiteral("snapshot-%1").arg(i + 1)), {}, {});
        connect(m_snapshotActions.back(), &QAction::triggered, this, [this, i] {
            m_session.lookedAt().setReference(
                m_session.snapshots().all()[static_cast<std::size_t>(i)].key.toStdString());
        });
    }
    connect(&m_session.snapshots(), &Snapshots::changed, this, &ComparePage::nameSnapshots);
    connect(&m_session.snapshots(), &Snapshots::changed, &m_later, qOverload<>(&QTimer::start));
    nameSnapshots();
}

void ComparePage::nameSnapshots() {
    const auto& all = m_session.snapshots().all();
    for (int i = 0; i < Snapshots::kMost; ++i) {
        const bool there = i < std::ssize(all);
        if (there) {
            const Snapshot& snapshot = all[static_cast<std::size_t>(i)];
            m_snapshotActions[i]->setText(tr("Reference %1: %2").arg(snapshot.title, snapshot.detail));
        }
        m_snapshotActions[i]->setVisible(there);
        m_snapshotActions[i]->setEnabled(there);
    }
}

const Lens& ComparePage::lens() const { return lensOf(*m_session.parameters().family()); }

void ComparePage::placeBox() {
    const auto at = m_grid->viewState()->cursor();
    const auto input = m_session.document().grid();
    const std::string& current = m_session.request().current();
    const gpu::RunRecord* record = m_session.results().stale(current) ? nullptr : m_session.results().of(current);
    std::optional<BoxReads> reads;
    if (at && input != nullptr)
        reads = lens().boxReads(m_session.parameters().values(), *input,
                                record != nullptr ? record->result.picture.get() : nullptr, *at,
                                m_grid->viewState()->slice());
    m_inspector->setExtra(reads ? reads->text : QString());
    m_box.set(std::move(reads));
}

void ComparePage::placeTiles() {
    const auto& panes = m_grid->panes();
    const bool boxed = m_box.reads().has_value(), more = m_tiles.size() < panes.size();
    placeBox();
    const bool box = m_box.reads().has_value(), line = m_profileAction->isChecked();
    const bool lined = std::exchange(m_lineShown, line);
    while (m_tiles.size() < panes.size()) m_tiles.push_back(std::make_unique<TilesOverlay>());
    for (std::size_t i = 0; i < panes.size(); ++i) {
        ImageView* view = m_grid->pane(static_cast<int>(i))->view();
        // The input and a difference show what the current variant does with them.
        const std::string own = panes[i].key.toStdString();
        const gpu::Variant* variant = m_session.variants().variant(
            m_session.variants().variant(own) != nullptr ? own : m_session.request().current());
        const gpu::RunRecord* record = variant != nullptr ? m_session.results().of(variant->id) : nullptr;
        std::optional<TilesOverlay::Scene> scene;
        std::optional<gpu::Footprint> footprint;
        if (record != nullptr && !m_session.results().stale(variant->id)) footprint = record->footprint;
        if (variant != nullptr)
            if (const auto typed = LaunchDraft::of(m_session.request()).footprint(variant->id)) footprint = typed;
        if (m_tilesAction->isChecked() && footprint && variant->kind == gpu::Variant::Kind::kernel) {
            scene = TilesOverlay::Scene{.footprint = *footprint, .idea = variant->idea};
            scene->taps = lens().taps(m_session.request());
            scene->pixel = m_grid->viewState()->cursor();
            scene->labels = static_cast<int>(i) == m_grid->current();
        }
        const bool was = m_tiles[i]->scene().has_value(), is = scene.has_value();
        m_tiles[i]->setScene(std::move(scene));
        if (was != is || boxed != box || lined != line || more) {
            std::vector<ImageOverlay*> overlays;
            if (is) overlays.push_back(m_tiles[i].get());
            if (box) overlays.push_back(&m_box);
            if (line) overlays.push_back(&m_lineOverlay);
            view->setOverlays(std::move(overlays));
        }
        if (is || box) view->update();
    }
    // A pane that is not shown any more keeps nothing that may go.
    for (std::size_t i = panes.size(); i < m_tiles.size(); ++i) m_tiles[i]->setScene({});
}

}  // namespace warplens::gui
