// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/request/parameter_form.hpp"
#include "gui/session/input_files.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"

#include <QString>
#include <functional>

namespace warplens::gui {

/// What a form is for: trying values, or seeing how they work as well, by what the family's lens puts below some rows.
enum class FormFor { filtering, explaining };

/// The form of the family at hand. `refuse` hears of values that were
/// not taken, and why.
ParameterForm* makeTaskForm(RequestState& request, Results& results, InputFiles& inputs,
                            std::function<void(const QString& why)> refuse, FormFor use, QWidget* parent);

}  // namespace warplens::gui
