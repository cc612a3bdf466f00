// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace warplens::gpu::trace {

/// Which blocks of a launch told which, through words of global memory, that what they wrote is there: a release is a
/// fence and then an atomic, or a releaseStore(); an acquire an atomic, an acquireLoad() or a waitUntil(). Blocks are
/// known by number. Thread-safe.
class HappensBefore {
public:
    /// Called before the word is written; `fences` of the block came before.
    void release(std::uint32_t block, std::uint32_t fences, std::uint64_t address);
    /// Called after the word was read.
    void acquire(std::uint32_t block, std::uint64_t address);
    /// Whether what `writer` did after so many fences was released and then acquired by `reader`, or by a third block
    /// that released in its turn.
    bool order(std::uint32_t writer, std::uint32_t fences, std::uint32_t reader) const;

private:
    struct Release {
        std::uint32_t fences;
        std::uint64_t at;
    };
    using Releases = std::unordered_map<std::uint32_t, std::vector<Release>>;  ///< by block, fences rising
    using Times = std::unordered_map<std::uint64_t, std::uint64_t>;            ///< by address

    std::atomic<bool> m_any{false};
    mutable std::mutex m_mutex;
    std::uint64_t m_now = 0;
    std::unordered_map<std::uint64_t, Releases> m_releases;  ///< by address
    std::unordered_map<std::uint32_t, Times> m_acquires;     ///< by block: when it last did
};

}  // namespace warplens::gpu::trace
