// SPDX-License-Identifier: Apache-2.0
#include "gui/window/compare_tools.hpp"

#include "gui/compare/commands.hpp"
#include "gui/compare/compare_page.hpp"
#include "gui/compare/difference_tool.hpp"
#include "gui/compare/figures_tool.hpp"
#include "gui/compare/live_tool.hpp"
#include "gui/compare/magnifier_tool.hpp"
#include "gui/compare/profile_tool.hpp"
#include "gui/compare/reference_tool.hpp"
#include "gui/compare/tiles_tool.hpp"
#include "gui/compare/wipe_tool.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/recipe/recipe_tool.hpp"
#include "gui/regions/paint_tool.hpp"

namespace warplens::gui {

void giveTools(ComparePage& page, CompareSession& session) {
    PaneGrid& panes = *page.panes();
    auto* wipe = new WipeTool(page, panes, session.request());
    auto* difference = new DifferenceTool(page, panes, session);
    auto* reference = new ReferenceTool(page, panes, session);
    auto* magnifier = new MagnifierTool(page, panes);
    auto* paint = new PaintTool(page, panes, session);
    addViewCommands(page, session);
    addChoiceCommands(page, session);
    auto* tiles = new TilesTool(page, panes, session);
    addResultCommands(page, session);
    auto* profile = new ProfileTool(page, panes, session.activity());
    auto* recipe = new RecipeTool(page, panes, session);
    auto* live = new LiveTool(page, panes, session);
    auto* figures = new FiguresTool(page, panes, session);
    page.setTools({wipe, difference, reference, magnifier, paint, tiles, profile, recipe, live, figures},
                  {wipe, reference, difference, tiles, paint});
}

}  // namespace warplens::gui
