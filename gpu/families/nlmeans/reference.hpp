// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/nlmeans/arguments.hpp"
#include "io/grid.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace warplens::gpu::nlmeans {

/// A pixel by the definition, in double, and what single precision may be off there.
struct Exact {
    static constexpr int kMostChannels = 4;
    using Colour = std::array<double, kMostChannels>;

    Colour value{}, bound{};
    bool any = false;  ///< whether a pixel has a weight; else the value is the pixel's own
};

/// How far weights may be off, beside what single precision does to them.
struct WeightError {
    double raised = 1;  ///< the most that a weight below 1 is multiplied by
    double step = 0;    ///< at least what rounding adds or takes away
    double least = 0;   ///< a smaller weight counts as 0
};

/// A row of the result. `strength` and `noise` in levels.
std::vector<Exact> exactRow(const io::Grid& input, const Case& of, double strength, double noise,
                            const WeightError& own, std::int64_t y, std::int64_t z);

}  // namespace warplens::gpu::nlmeans
