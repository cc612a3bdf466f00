// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace warplens::app {

/// While it lives, a toolkit that finds no display ends the program by one sentence and `status` instead of aborting;
/// what the toolkit says otherwise is said when it goes.
class DisplayGuard {
public:
    explicit DisplayGuard(int status);
    ~DisplayGuard();
    DisplayGuard(const DisplayGuard&) = delete;
    DisplayGuard& operator=(const DisplayGuard&) = delete;

private:
    QtMessageHandler m_before;
};

}  // namespace warplens::app
