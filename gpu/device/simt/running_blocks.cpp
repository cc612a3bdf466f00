// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/simt/running_blocks.hpp"

#include <chrono>
#include <thread>

namespace warplens::gpu::simt {

void RunningBlocks::changed() {
    ++m_change;
    m_asked = 0;
}

void RunningBlocks::add(int workers) {
    const std::lock_guard lock(m_mutex);
    m_workers += workers;
    changed();
}

RunningBlocks::Outcome RunningBlocks::wait(const std::function<bool()>& ready) {
    constexpr int kEager = 200;  // an answer is mostly near; who waits long leaves the processor to others
    constexpr std::chrono::microseconds kPause{50};
    std::uint64_t now = 0;
    {
        const std::lock_guard lock(m_mutex);
        changed();
        now = m_change;
    }
    std::uint64_t askedAt = 0;
    for (int round = 0;; ++round) {
        const bool done = ready();
        // Before the count: that others stop is no deadlock.
        if (!done && m_stopped()) return Outcome::stopped;
        {
            const std::lock_guard lock(m_mutex);
            if (done) {
                changed();
                return Outcome::ready;
            }
            // No block ran between the two looks at the count: nothing has changed since it was asked.
            if (now == m_change && askedAt != now) {
                askedAt = now;
                if (++m_asked == m_workers) return Outcome::deadlock;
            }
            now = m_change;
        }
        if (round < kEager)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(kPause);
    }
}

}  // namespace warplens::gpu::simt
