// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/box_reads.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/tiles_overlay.hpp"

#include <array>

namespace warplens::gui {

class CompareSession;

/// The blocks of each pane's variant over its picture; and what is read for a pixel of an integral picture, always.
class TilesTool : public PageTool {
    Q_OBJECT
public:
    TilesTool(Page& page, PaneGrid& panes, CompareSession& session);

    void place() override;
    std::vector<ImageOverlay*> overlays(int pane) override;
    QString inspected() const override;

private:
    std::optional<TilesOverlay::Scene> sceneOf(int pane) const;
    std::optional<BoxReads> boxReads() const;

    static constexpr int kPanes = 6;
    CompareSession& m_session;
    std::array<TilesOverlay, kPanes> m_tiles;  ///< one a pane
    BoxReadsOverlay m_box;                     ///< the same in all
};

}  // namespace warplens::gui
