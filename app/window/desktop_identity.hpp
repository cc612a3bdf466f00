// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::app {

/// Tells the desktop which of its menu entries the running program is (resources/desktop), and gives its windows the
/// icon. Needs the QApplication.
void setDesktopIdentity();

}  // namespace warplens::app
