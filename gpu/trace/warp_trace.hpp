// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counters.hpp"
#include "io/grid.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu {

/// Asks for the warp behind one pixel, channel 0: the one whose thread writes its result or, where a kernel writes no
/// picture, the one whose thread reads it.
struct WarpQuery {
    std::string kernel{};  ///< as in KernelCounters; empty: the first kernel that has such a warp
    std::int64_t x = 0, y = 0, z = 0;
    bool operator==(const WarpQuery&) const = default;
};

/// Where a kernel's code accesses memory.
struct WarpSite {
    Space space{};
    Operation operation{};
    int bytes = 0;       ///< a lane
    std::string file{};  ///< as in CounterLine, line and stack too
    int line = 0;
    std::vector<std::string> stack{};
    bool operator==(const WarpSite&) const = default;
};

/// A buffer in global memory.
struct WarpBuffer {
    std::int64_t bytes = 0;
    int valueBytes = 0;  ///< of a value, where it holds planes of the picture's size, one a channel; 0: something else
    bool operator==(const WarpBuffer&) const = default;
};

/// One instruction of the warp that accesses memory.
struct WarpRequest {
    int site = 0;            ///< number in WarpTrace::sites
    int buffer = -1;         ///< number in WarpTrace::buffers; -1 unless global
    std::uint32_t mask = 0;  ///< a bit a lane that takes part
    std::array<std::int64_t, 32>
        offset{};         ///< bytes from the start of the buffer or array; 0 for other lanes. Starts are aligned to 256
    AccessCount count{};  ///< of this request alone
    bool operator==(const WarpRequest&) const = default;
};

/// What one warp does, counted by replaying it.
struct WarpTrace {
    std::string kernel;
    std::array<unsigned, 3> grid{}, block{};  ///< of the launch, in blocks and threads
    std::array<unsigned, 3> index{};          ///< of the warp's block
    int warp = 0;                             ///< its number in the block
    int lane = 0;                             ///< the one that was asked for
    std::vector<WarpSite> sites;
    std::vector<WarpBuffer> buffers;
    std::vector<WarpRequest> requests;  ///< in the order in which the warp makes them
    std::int64_t omittedRequests = 0;   ///< further requests
    bool operator==(const WarpTrace&) const = default;
};

/// How often a variant reads each pixel from global memory, counted.
struct LoadMap {
    std::shared_ptr<const io::Grid> loads;  ///< f32, one channel: loads of the pixel's values, mean of its channels
    std::int64_t launches = 1;              ///< of each kernel in which they were counted; the kernels' first
};

}  // namespace warplens::gpu
