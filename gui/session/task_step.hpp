// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe/recipe.hpp"

#include <QString>

namespace warplens::gui {

class RequestState;
struct RecipePlace;

/// The command line that makes the present result: the recipe up to the task, by its file where that holds just this,
/// else as text. Empty when the first picture or a step's lies in no file.
QString recipeCommand(const RequestState& request, const RecipePlace& place);

/// The task at hand as a step: what differs from the defaults and shapes the result, and the current variant.
gpu::recipe::Step stepOf(const RequestState& request);
/// Whether the task is the step of the recipe that it stands at.
bool isItsStep(const RequestState& request, const RecipePlace& place);
/// The steps that make the present result of the origin, the task the last of them.
gpu::recipe::Recipe recipeToHere(const RequestState& request, const RecipePlace& place);

/// "Median and ranks": the family; and "radius 2, shape disc": what differs from its defaults.
QString titleOf(const gpu::recipe::Step& step);
QString valuesOf(const gpu::recipe::Step& step);

}  // namespace warplens::gui
