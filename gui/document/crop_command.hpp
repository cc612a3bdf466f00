// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/family_work.hpp"

#include <QWidget>
#include <functional>

namespace warplens::gui {

class RecipeState;

/// Makes a part of the picture that is open the picture. Where it belongs to a recipe, that part of the recipe's input,
/// so that the steps stay.
struct Cropping {
    /// What the first view of the picture below `page` shows.
    std::function<void(const QWidget& page)> toSeen;
    /// The next rectangle that is drawn in any view of the picture below `page`. Escape, or asking again, ends it.
    std::function<void(const QWidget& page)> toRectangle;
};
Cropping makeCropping(FamilyWork& work, RecipeState& recipe, RequestState& request, Activity& activity,
                      QObject* parent);

}  // namespace warplens::gui
