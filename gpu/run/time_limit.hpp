// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace warplens::gpu {

/// A stop of its own, asked for when the whole is to stop, and when the time is up. No seconds: no limit.
class TimeLimit {
public:
    TimeLimit(double seconds, std::stop_token whole)
        : m_whole(std::move(whole)), m_passOn(m_whole, [this] { m_source.request_stop(); }) {
        if (seconds <= 0) return;
        m_timer = std::jthread([this, seconds](const std::stop_token& done) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any wake;
            wake.wait_for(lock, done, std::chrono::duration<double>(seconds), [] { return false; });
            if (!done.stop_requested()) m_source.request_stop();
        });
    }

    std::stop_token token() const { return m_source.get_token(); }
    /// Whether it was the time, and nothing else.
    bool up() const { return m_source.stop_requested() && !m_whole.stop_requested(); }

private:
    std::stop_token m_whole;
    std::stop_source m_source;
    std::stop_callback<std::function<void()>> m_passOn;
    std::jthread m_timer;  ///< ends first
};

}  // namespace warplens::gpu
