// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {

/// The outer boundary of what hangs together of one label in a slice, along the edges of its pixels and corners
/// included: a closed polygon, clockwise, its last point not the first again. A pixel at (x, y) covers [x, x + 1) times
/// [y, y + 1). What it encloses is filled.
struct RegionOutline {
    struct Corner {
        std::int32_t x = 0, y = 0;
        bool operator==(const Corner&) const = default;
    };
    std::int64_t label = 0, slice = 0;
    std::vector<Corner> corners{};
};

/// Of the labels above 0 that `kept` takes, slice by slice, in the order of their first pixels. Throws
/// std::invalid_argument where `labels` is no picture of labels, Error(cancelled) on a stop.
std::vector<RegionOutline> regionOutlines(const io::Grid& labels, const std::function<bool(std::int64_t label)>& kept,
                                          const std::stop_token& stop);

/// The ending of a file of outlines.
inline constexpr const char* kOutlinesEnding = ".zip";

/// ImageJ's RoiSet.zip: a traced region (format 228) for each outline, stored as it is. Named by its label, "5.roi",
/// with "-z3" behind it in a stack, and a further part of a label in a slice "-2". Throws Error(unsupported) where a
/// picture is wider or higher than 32,767 pixels, whose coordinates such a file does not hold.
std::vector<std::byte> toImageJ(const std::vector<RegionOutline>& outlines, const io::Shape& shape);

}  // namespace warplens::gpu
