// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/tools.hpp"
#include "gui/picture/overlays.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/tiles_overlay.hpp"
#include "gui/request/launch_fields.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/lens.hpp"
#include "gui/session/pane_contents.hpp"

#include <array>

namespace warplens::gui {

namespace {

class TilesTool : public PageTool {
public:
    TilesTool(Page& page, PaneGrid& panes, CompareSession& session) : PageTool(page, panes), m_session(session) {
        static_assert(kPanes == PaneGrid::kMaxPanes);
        makeSwitch(
            {.id = "tiles",
             .text = tr("&Tiles and halos"),
             .key = Qt::Key_T,
             .tip = tr("The grid of blocks; of the block under the cursor the tile it writes and what it stages; "
                       "the inputs that the pixel reads."),
             .button = tr("Tiles"),
             .sessionKey = "tiles"});
        connect(action(), &QAction::toggled, this, &TilesTool::placeAgain);
        connect(panes.viewState(), &ViewState::cursorChanged, this, &TilesTool::placeAgain);
        connect(&LaunchDraft::of(session.request()), &LaunchDraft::changed, this, &TilesTool::placeAgain);
    }

    void place() override {
        m_box.set(boxReads());
        // A pane that is not shown any more keeps nothing that may go.
        for (int i = 0; i < kPanes; ++i)
            m_tiles[static_cast<std::size_t>(i)].setScene(i < std::ssize(panes().panes()) ? sceneOf(i) : std::nullopt);
    }

    std::vector<ImageOverlay*> overlays(int pane) override {
        std::vector<ImageOverlay*> over;
        TilesOverlay& tiles = m_tiles[static_cast<std::size_t>(pane)];
        if (tiles.scene()) over.push_back(&tiles);
        if (m_box.reads()) over.push_back(&m_box);
        return over;
    }

    QString inspected() const override { return m_box.reads() ? m_box.reads()->text : QString(); }

private:
    std::optional<TilesOverlay::Scene> sceneOf(int pane) const {
        if (!on()) return std::nullopt;
        // The input and a difference show what the current variant does with them.
        const gpu::Variant* variant =
            m_session.variants().variant(panes().panes()[static_cast<std::size_t>(pane)].key.toStdString());
        if (variant == nullptr) variant = m_session.request().currentVariant();
        if (variant == nullptr || variant->kind != gpu::Variant::Kind::kernel) return std::nullopt;
        auto footprint = LaunchDraft::of(m_session.request()).footprint(variant->id);
        if (const gpu::RunRecord* record = m_session.results().present(variant->id); record != nullptr && !footprint)
            footprint = record->footprint;
        if (!footprint) return std::nullopt;
        return TilesOverlay::Scene{.footprint = *footprint,
                                   .idea = variant->idea,
                                   .pixel = panes().viewState()->cursor(),
                                   .taps = lensOf(*m_session.parameters().family()).taps(m_session.request()),
                                   .labels = pane == panes().current()};
    }

    std::optional<BoxReads> boxReads() const {
        const ViewState& view = *panes().viewState();
        const auto input = m_session.document().grid();
        if (!view.cursor() || input == nullptr) return std::nullopt;
        const auto result = presentPicture(m_session, m_session.request().current());
        return lensOf(*m_session.parameters().family())
            .boxReads(m_session.parameters().values(), *input, result.get(), *view.cursor(), view.slice());
    }

    static constexpr int kPanes = 6;
    CompareSession& m_session;
    std::array<TilesOverlay, kPanes> m_tiles;  ///< one a pane
    BoxReadsOverlay m_box;                     ///< the same in all
};

}  // namespace

PageTool* makeTilesTool(Page& page, PaneGrid& panes, CompareSession& session) {
    return new TilesTool(page, panes, session);
}

}  // namespace warplens::gui
