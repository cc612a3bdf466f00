// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gui/window/main_window.hpp"

#include <QString>

namespace warplens::app {

/// Opens the input where none is given, as soon as the device is known: as large as the target of the fast path, or one
/// that a CPU is soon done with.
void openBenchInput(gui::MainWindow& window);

/// The family whose sliders are moved (FamilyInfo::moved): the one of that id, or the first that has any; null: it has
/// none, or there is no such family.
const gpu::Family* benchFamily(const QString& id);
/// The ids of those that there are, with commas between them.
QString benchFamilies();

/// Moves the sliders of that family, one event after the other, waits for each picture to be painted, prints what it
/// took, and ends the program: 0; 1 when the last result is wrong; 3 when `report` cannot be written; 4 when no picture
/// comes. `report`: a JSON file besides, or empty. The window's session reads its input by now or will.
void benchInteractive(gui::MainWindow& window, const gpu::Family& family, const QString& report);

}  // namespace warplens::app
