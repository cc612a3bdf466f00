// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/equivalent_command.hpp"
#include "gui/session/request_state.hpp"
#include "gui/window/command_palette.hpp"

#include <QAction>
#include <QList>
#include <vector>

namespace warplens::gui {

/// What people call a command or a family's task elsewhere (resources/controls/words.json), as entries of the palette:
/// "Rotate 90 degrees right: Turn right". Commands that are not enabled and families that are not there have none.
std::vector<PaletteEntry> entriesOfWords(const QList<QAction*>& actions, RequestState& request, Activity& activity,
                                         const CommandContext& now);

/// What the families that are not at hand can do, by the values of the choice that comes first in each: "sharpen:
/// Convolution".
std::vector<PaletteEntry> entriesOfOtherFamilies(RequestState& request, const CommandContext& now);

}  // namespace warplens::gui
