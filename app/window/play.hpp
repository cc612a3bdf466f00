// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/window/main_window.hpp"

#include <cstdint>
#include <functional>

namespace warplens::app {

/// Shows the Volume page, iterates on the picture that is being opened as soon as it can, and pauses after so
/// many steps, at least 1. Returns whether that has happened.
std::function<bool()> playSteps(gui::MainWindow& window, std::int64_t steps);

}  // namespace warplens::app
