// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/specialisation.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace warplens::gpu {

/// What the driver reports of a launch. Zero where it does not apply.
struct LaunchFacts {
    std::array<unsigned, 3> grid{}, block{};
    int registers = 0;             ///< a thread; 0: not reported (SIMT device)
    std::int64_t sharedBytes = 0;  ///< a block
    double occupancy = 0;          ///< 0..1; 0: not reported
    int kernels = 1;               ///< kernels a run consists of
    /// Local memory of a thread: what found no register and goes through the caches. Absent: not reported.
    std::optional<std::int64_t> localBytes{};
    /// Absent where the program holds the instance that the task wants, or no other can be made.
    std::optional<Specialisation> special{};
};

}  // namespace warplens::gpu
