// SPDX-License-Identifier: Apache-2.0
#include "gui/recipe/recipe_files.hpp"

#include "gui/kit/files.hpp"
#include "gui/recipe/recipe_strip.hpp"
#include "gui/session/compare_session.hpp"

#include <QFileInfo>

namespace warplens::gui {

void openRecipe(QWidget& over, CompareSession& session) {
    openFileDialog(over.window(),
                   {.title = RecipeStrip::tr("Open a recipe"),
                    .filters = {RecipeStrip::tr("Recipes (*.json)"), RecipeStrip::tr("All files (*)")},
                    .id = "open-recipe-dialog"},
                   &over, [&session](const QString& path) { session.recipe().open(path); });
}

void saveRecipe(QWidget& over, CompareSession& session) {
    openFileDialog(over.window(),
                   {.title = RecipeStrip::tr("Save the recipe"),
                    .filters = {RecipeStrip::tr("Recipes (*.json)")},
                    .suffix = QStringLiteral("json"),
                    .name = QFileInfo(session.document().name()).completeBaseName() + QStringLiteral("-recipe"),
                    .id = "save-recipe-dialog"},
                   &over, [&session](const QString& path) { session.recipe().save(path); });
}

}  // namespace warplens::gui
