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

/// A row of the result. `strength` and `noise` in levels.
std::vector<Exact> exactRow(const io::Grid& input, const Case& of, double strength, double noise, std::int64_t y,
                            std::int64_t z);

}  // namespace warplens::gpu::nlmeans
