// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.hpp"

#include "app/cli/exit_status.hpp"

#include <pthread.h>
#include <unistd.h>

namespace warplens::cli {

Interrupt::Interrupt() {
    // Whoever started us with SIGINT ignored (nohup, a shell's background job) wants it so.
    struct sigaction present {};
    sigaction(SIGINT, nullptr, &present);
    if (present.sa_handler == SIG_IGN) return;

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_thread = std::jthread([this, set](const std::stop_token& ending) {
        for (int signal = 0; sigwait(&set, &signal) == 0 && !ending.stop_requested();) {
            // Stop callbacks take locks, so they must not run in a signal handler; here they may.
            if (!m_stop.request_stop()) _exit(kInterrupted);
        }
    });
}

Interrupt::~Interrupt() {
    if (!m_thread.joinable()) return;
    m_thread.request_stop();
    pthread_kill(m_thread.native_handle(), SIGINT);
}

}  // namespace warplens::cli
