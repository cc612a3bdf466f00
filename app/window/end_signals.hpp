// SPDX-License-Identifier: Apache-2.0
#pragma once

class QApplication;

namespace warplens::app {

/// From now on SIGTERM, SIGHUP and SIGINT close the windows as the user does, which leaves nothing to recover, and end
/// the program with `status`. One that is ignored, as nohup has it, stays ignored; a second one ends it at once.
void endOnSignals(QApplication& application, int status);

}  // namespace warplens::app
