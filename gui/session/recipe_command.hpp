// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace warplens::gui {

class RequestState;
struct RecipePlace;

/// The command line that makes the present result: the recipe up to the task, by its file where that holds just this,
/// else as text. Empty when the first picture or a step's lies in no file.
QString recipeCommand(const RequestState& request, const RecipePlace& place);

}  // namespace warplens::gui
