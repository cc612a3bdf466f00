// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/session/parameter_state.hpp"
#include "gui/session/presets.hpp"

class QDialog;
class QMenu;
class QWidget;

namespace warplens::gui {

/// Fills a menu with the family's presets.
void fillPresets(QMenu* menu, ParameterState& parameters, Activity& activity, const Presets& presets);

/// The family's presets: the present values saved under a name, those saved applied, renamed, removed.
QDialog* makePresetBox(Presets& presets, ParameterState& parameters, Activity& activity, QWidget* window);
/// Says which preset the values are, and offers the others.
QWidget* makePresetButton(ParameterState& parameters, Activity& activity, const Presets& presets, QWidget* parent);

}  // namespace warplens::gui
