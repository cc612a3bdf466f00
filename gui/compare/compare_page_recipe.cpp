// SPDX-License-Identifier: Apache-2.0
// The part of ComparePage that is about the recipe: its strip above the panes, its commands and keys.
#include "gui/compare/compare_page.hpp"
#include "gui/recipe/recipe_files.hpp"
#include "gui/recipe/recipe_strip.hpp"

#include <QAction>

namespace warplens::gui {

QWidget* ComparePage::makeRecipeStrip() {
    auto* strip = new RecipeStrip(m_session.recipe(), m_session.request(), this);
    connect(strip, &RecipeStrip::saveWanted, this, [this] { saveRecipe(*this, m_session); });
    return strip;
}

void ComparePage::makeRecipeActions() {
    RecipeState& recipe = m_session.recipe();
    QAction* use =
        makeAction("use-result", tr("&Use the result as the next input, as a step"), QKeySequence(Qt::Key_U));
    connect(use, &QAction::triggered, &recipe, &RecipeState::append);
    const auto step = [&](const char* name, const QString& text, Qt::Key key, int by) {
        QAction* action = makeAction(name, text, QKeySequence(Qt::ALT | key));
        connect(action, &QAction::triggered, &recipe, [&recipe, by] {
            const RecipePlace* place = recipe.place();
            if (place != nullptr && (by > 0 || place->at > 0)) recipe.select(by > 0 ? place->at + 1 : place->at - 1);
        });
        return action;
    };
    QAction* back = step("step-back", tr("Pr&evious step of the recipe"), Qt::Key_Left, -1);
    QAction* on = step("step-on", tr("Ne&xt step of the recipe"), Qt::Key_Right, 1);
    QAction* save = makeAction("save-recipe", tr("Save the rec&ipe..."), {});
    connect(save, &QAction::triggered, this, [this] { saveRecipe(*this, m_session); });
    QAction* open = makeAction("open-recipe", tr("&Open a recipe..."), {});
    connect(open, &QAction::triggered, this, [this] { openRecipe(*this, m_session); });
    const auto follow = [&recipe, back, on, save] {
        const RecipePlace* place = recipe.place();
        save->setEnabled(place != nullptr);
        back->setEnabled(place != nullptr && place->at > 0);
        on->setEnabled(place != nullptr && !place->behindLast());
    };
    connect(&recipe, &RecipeState::changed, this, follow);
    follow();
}

}  // namespace warplens::gui
