// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace warplens::gpu::stencil {

/// When to look at the change of a step, and when to stop.
struct Schedule {
    std::int64_t iterations = 0;     ///< steps at most
    std::int64_t residualEvery = 0;  ///< steps between two residuals; 0: none
    double tolerance = 0;            ///< stop below this largest change; 0: never
};

}  // namespace warplens::gpu::stencil
