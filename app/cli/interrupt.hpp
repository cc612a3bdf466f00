// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace warplens::cli {

/// Turns Ctrl-C, SIGTERM and the end of the terminal into a stop request; another one later ends the process at once
/// with status 130. Construct before any other thread exists: they inherit the mask that leaves these signals to this
/// one.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }

private:
    static constexpr int kWake = SIGUSR2;  ///< ends the waiting thread

    std::stop_source m_stop;
    std::jthread m_thread;
};

}  // namespace warplens::cli
