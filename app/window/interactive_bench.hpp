// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/window/main_window.hpp"

#include <QString>

namespace warplens::app {

/// Opens the input where none is given, as soon as the device is known: as large as the target of the fast path, or one
/// that a CPU is soon done with.
void openBenchInput(gui::MainWindow& window);

/// Moves the slider of the first family that has one to move (FamilyInfo::moved), one event after the other, waits for
/// each picture to be painted, prints what it took, and ends the program: 0; 1 when the last result is wrong; 3 when
/// `report` cannot be written; 4 when no picture comes. `report`: a JSON file besides, or empty. The window's session
/// reads its input by now or will.
void benchInteractive(gui::MainWindow& window, const QString& report);

}  // namespace warplens::app
