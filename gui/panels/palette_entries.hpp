// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/compare_session.hpp"
#include "gui/panels/command_palette.hpp"

#include <QList>

class QAction;

namespace warplens::gui {

class Presets;

/// What can be asked for now: enabled actions, families, the choices of the family's parameters (its filters), its
/// variants, its presets, and samples.
std::vector<PaletteEntry> paletteEntries(const QList<QAction*>& actions, CompareSession& session,
                                         const Presets& presets);

}  // namespace warplens::gui
