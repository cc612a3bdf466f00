// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

namespace warplens::gpu::simt {

/// The blocks of one launch that run at this moment, one a worker. A block whose threads all wait for memory to change
/// comes here until another block has changed it. Thread-safe.
class RunningBlocks {
public:
    /// `stopped` says whether the launch is to end early.
    explicit RunningBlocks(std::function<bool()> stopped) : m_stopped(std::move(stopped)) {}

    /// Lives while an OS thread runs one block after the other.
    class Worker {
    public:
        explicit Worker(RunningBlocks& blocks) : m_blocks(blocks) { m_blocks.add(1); }
        ~Worker() { m_blocks.add(-1); }
        Worker(const Worker&) = delete;
        Worker& operator=(const Worker&) = delete;

    private:
        RunningBlocks& m_blocks;
    };

    bool stopped() const { return m_stopped(); }

    enum class Outcome { ready, deadlock, stopped };
    /// Asks `ready` until it says yes. A deadlock is told for certain: every running block is in here, and each has
    /// asked in vain since the last of them came.
    Outcome wait(const std::function<bool()>& ready);

private:
    void add(int workers);
    void changed();

    const std::function<bool()> m_stopped;
    std::mutex m_mutex;
    int m_workers = 0;
    int m_asked = 0;             ///< blocks that asked in vain since the last change
    std::uint64_t m_change = 0;  ///< counts the moments at which a worker began or ended, or a block to wait
};

}  // namespace warplens::gpu::simt
