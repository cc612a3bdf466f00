// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.hpp"

#include "app/cli/exit_status.hpp"

#include <chrono>
#include <pthread.h>
#include <unistd.h>

namespace warplens::cli {

namespace {

using Clock = std::chrono::steady_clock;

// timeout(1) and shells send the same signal twice in a row; a person who is impatient takes longer.
constexpr auto kSameRequest = std::chrono::milliseconds(500);

/// What asks us to end, but for what whoever started us has ignored (nohup, a shell's background job).
sigset_t awaited() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction present {};
        sigaction(signal, nullptr, &present);
        if (present.sa_handler != SIG_IGN) sigaddset(&set, signal);
    }
    return set;
}

}  // namespace

Interrupt::Interrupt() {
    sigset_t set = awaited();
    sigaddset(&set, kWake);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_thread = std::jthread([this, set](const std::stop_token& ending) {
        Clock::time_point first{};
        for (int signal = 0; sigwait(&set, &signal) == 0 && !ending.stop_requested();) {
            if (signal == kWake) continue;
            // Stop callbacks take locks, so they must not run in a signal handler; here they may.
            if (m_stop.request_stop())
                first = Clock::now();
            else if (Clock::now() - first > kSameRequest)
                _exit(kInterrupted);
        }
    });
}

Interrupt::~Interrupt() {
    m_thread.request_stop();
    pthread_kill(m_thread.native_handle(), kWake);
}

}  // namespace warplens::cli
