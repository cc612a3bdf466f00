// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace warplens::gpu::histogram {

/// Which values the 32 lanes of a warp take in one step, and what they add. Lane l of warp w takes, in step s of
/// 0 .. laneStride - 1, value w * 32 * laneStride + l * laneStride + s.
struct WarpMapping {
    std::uint64_t laneStride = 1;  ///< values from lane to lane: 1 is coalesced
    unsigned copies = 1;           ///< lanes l and m add to the same counters only when l % copies == m % copies
    bool matched = false;          ///< lanes with equal bins are joined before one of them adds
    std::uint64_t runStride =
        0;                ///< not 0: a lane goes on to the value this far ahead and adds only when its bin changes
    bool atomics = true;  ///< false: counters are private to a thread, so that lanes never meet
};

/// How many lanes of a warp meet in one bin, counted from the values and the mapping: not measured, not modelled.
struct Contention {
    /// Of each 32 consecutive values the most lanes that meet in one bin; where a warp's step takes values of several
    /// such cells, each gets the mean over the warp's steps. 0: no lane adds.
    std::vector<float> cells;
    /// requests[n]: warp requests in which at most n lanes meet, 1..32. [0] stays 0.
    std::array<std::int64_t, 33> requests{};

    std::int64_t count() const;     ///< of requests
    double mean() const;            ///< over all requests; 0 when there are none
    double share(int lanes) const;  ///< 0..1 of the requests in which `lanes` or more meet
};

/// Enumerates every warp request of one channel. `slots` has each value's slot. Throws Error(cancelled).
Contention countContention(std::span<const std::uint32_t> slots, const WarpMapping& mapping,
                           const std::stop_token& stop = {});

}  // namespace warplens::gpu::histogram
