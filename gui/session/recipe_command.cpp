// SPDX-License-Identifier: Apache-2.0
#include "gui/session/recipe_command.hpp"

#include "gpu/core/error.hpp"
#include "gpu/recipe/file.hpp"
#include "gui/session/equivalent_command.hpp"
#include "gui/session/recipe_place.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/task_step.hpp"

namespace warplens::gui {

QString recipeCommand(const RequestState& request, const RecipePlace& place) {
    const Document::State& origin = place.origin;
    if (origin.derived) return {};
    const gpu::recipe::Recipe steps = recipeToHere(request, place);
    QString given = place.file;
    if (given.isEmpty() || steps != place.recipe) {
        try {
            given = QString::fromStdString(gpu::recipe::toJson(steps, {}, true));
        } catch (const gpu::Error&) {
            return {};  // a painted mask
        }
    }
    return recipeLine(origin.input, origin.choice, given, request.devices().id());
}

}  // namespace warplens::gui
