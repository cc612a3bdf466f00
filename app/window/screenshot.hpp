// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/window/main_window.hpp"

#include <QString>
#include <functional>

namespace warplens::app {

/// Writes a picture of the window to `path` once `done` says that there is something to show and everything is drawn,
/// then ends the program: status 0, 3 when it could not be written, 4 when that has not happened after five minutes.
void takeScreenshot(gui::MainWindow& window, const QString& path, std::function<bool()> done);

}  // namespace warplens::app
