// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/page.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/recipe/recipe_files.hpp"
#include "gui/recipe/recipe_strip.hpp"
#include "gui/session/compare_session.hpp"

namespace warplens::gui {

namespace {

class RecipeTool : public PageTool {
public:
    RecipeTool(Page& page, PaneGrid& panes, CompareSession& session)
        : PageTool(page, panes), m_strip(new RecipeStrip(session.recipe(), session.request(), &page)) {
        setRow(m_strip);
        RecipeState& recipe = session.recipe();
        makeCommand("use-result", tr("&Use the result as the next input, as a step"), Qt::Key_U,
                    [&recipe] { recipe.append(); });
        const auto step = [&](const char* id, const QString& text, Qt::Key key, int by) {
            return makeCommand(id, text, Qt::ALT | key, [&recipe, by] {
                const RecipePlace* place = recipe.place();
                if (place != nullptr && (by > 0 || place->at > 0))
                    recipe.select(by > 0 ? place->at + 1 : place->at - 1);
            });
        };
        QAction* back = step("step-back", tr("Pr&evious step of the recipe"), Qt::Key_Left, -1);
        QAction* on = step("step-on", tr("Ne&xt step of the recipe"), Qt::Key_Right, 1);
        const auto saved = [&page, &session] { saveRecipe(page, session); };
        QAction* save = makeCommand("save-recipe", tr("Save the rec&ipe..."), {}, saved);
        makeCommand("open-recipe", tr("&Open a recipe..."), {}, [&page, &session] { openRecipe(page, session); });
        connect(m_strip, &RecipeStrip::saveWanted, this, saved);
        const auto follow = [&recipe, back, on, save] {
            const RecipePlace* place = recipe.place();
            save->setEnabled(place != nullptr);
            back->setEnabled(place != nullptr && place->at > 0);
            on->setEnabled(place != nullptr && !place->behindLast());
        };
        connect(&recipe, &RecipeState::changed, this, follow);
        follow();
    }

private:
    RecipeStrip* m_strip;
};

}  // namespace

PageTool* makeRecipeTool(Page& page, PaneGrid& panes, CompareSession& session) {
    return new RecipeTool(page, panes, session);
}

}  // namespace warplens::gui
