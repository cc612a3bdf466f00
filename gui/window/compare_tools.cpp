// SPDX-License-Identifier: Apache-2.0
#include "gui/window/compare_tools.hpp"

#include "gui/compare/compare_page.hpp"
#include "gui/compare/difference_tool.hpp"
#include "gui/compare/tools.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/recipe/recipe_files.hpp"
#include "gui/regions/paint_layer.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/live_tool.hpp"

namespace warplens::gui {

void giveTools(ComparePage& page, CompareSession& session) {
    PaneGrid& panes = *page.panes();
    auto* wipe = makeWipeTool(page, panes, session);
    auto* difference = new DifferenceTool(page, panes, session);
    auto* reference = makeReferenceTool(page, panes, session);
    auto* magnifier = makeMagnifierTool(page, panes);
    auto* paint = makePaintTool(page, panes, session);
    addViewCommands(page, session);
    addChoiceCommands(page, session);
    auto* tiles = makeTilesTool(page, panes, session);
    addResultCommands(page, session);
    auto* profile = makeProfileTool(page, panes, session);
    auto* recipe = makeRecipeTool(page, panes, session);
    auto* live =
        new LiveTool(page, panes, session, [&session] { return QString::fromStdString(session.request().current()); });
    QObject::connect(&session.preview(), &LivePreview::ended, live, &LiveTool::release);
    auto* figures = makeFiguresTool(page, panes, session);
    page.setTools({wipe, difference, reference, magnifier, paint, tiles, profile, recipe, live, figures},
                  {wipe, reference, difference, tiles, paint});
}

}  // namespace warplens::gui
