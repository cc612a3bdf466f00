// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/main_window.hpp"

#include <QString>

namespace warplens::app {

/// Writes a picture of the window to `path` once the comparison under way has ended and everything is drawn, then ends
/// the program: status 0, 3 when it could not be written, 4 when there is no result after five minutes.
void takeScreenshot(gui::MainWindow& window, const QString& path);

}  // namespace warplens::app
