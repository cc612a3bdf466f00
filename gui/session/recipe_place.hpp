// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe/recipe.hpp"
#include "gui/session/document.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>

namespace warplens::gui {

/// Where a picture stands in a recipe: the steps before `at` made it of `origin`. The task is the step `at`, or behind
/// the last one a step that there is not yet.
struct RecipePlace {
    Document::State origin;
    gpu::recipe::Recipe recipe;
    std::size_t at = 0;
    /// That the step at hand takes as parameters.
    std::map<std::string, std::shared_ptr<const gpu::NamedGrid>> pictures{};
    QString file{};  ///< that holds the recipe as it is; empty: none does

    bool behindLast() const { return at >= recipe.steps.size(); }
};

}  // namespace warplens::gui
