// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace warplens::gui {
class MainWindow;
}

namespace warplens::app {

/// Shows the page of this name; where `file` is a session, also when that has opened, rather than the session's own.
/// False where there is no such page.
bool startOn(gui::MainWindow& window, const QString& name, const QString& file);

}  // namespace warplens::app
