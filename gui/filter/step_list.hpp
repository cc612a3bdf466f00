// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/known_steps.hpp"

#include <vector>

class QWidget;

namespace warplens::gui {

class RecipeState;
class RequestState;

/// The recipe's steps, one below the other, each with a box that switches it, its name and its values. Clicking one
/// makes it the task; dragging, or Alt with an arrow, changes the order; Space switches, Delete removes.
QWidget* makeStepList(RecipeState& recipe, RequestState& request, const std::vector<KnownStep>& known, QWidget* parent);

}  // namespace warplens::gui
