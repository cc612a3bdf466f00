// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/families/scan/arguments.hpp"

#include <stop_token>
#include <vector>

namespace warplens::gpu::scan {

/// Additions that a sum along a row and one down a column went through at most, one after another.
struct Depths {
    double line = 0, column = 0;
    bool rounded = false;  ///< of windows: the sum of each of its rows was rounded to f32
    int narrow = 0;        ///< of windows: additions in f32 that a value went through at most
};

/// Sums, integral pictures, means and masks by their definitions, in 64-bit integers and long double. Integers must be
/// exact; floats may be off by (depth + 1) eps times the sum of magnitudes. Where such a sum leaves the range of f32,
/// what comes out depends on the order, and is not compared.
Verification verifySums(const Asked& asked, const io::Grid& input, const io::Grid& output, const Depths& depths,
                        const std::stop_token& stop);
Verification verifyWindows(const Asked& asked, const io::Grid& input, const io::Grid& output, const Depths& depths,
                           const std::stop_token& stop);

/// One channel of a slice by OpenCV's formulas.
std::vector<int> equalised(const io::Grid& input, std::int64_t z, int channel);
std::vector<int> equalisedLocally(const io::Grid& input, std::int64_t z, int channel, double clip, int tiles);
Verification verifyLevels(const Asked& asked, const io::Grid& input, const io::Grid& output,
                          const std::stop_token& stop);

/// Places of a channel's kept values, in the order of memory.
using Kept = std::vector<std::vector<std::uint32_t>>;
Kept keptOf(const Asked& asked, const io::Grid& input);
/// Rows in raster order, channel by channel of a pixel.
Table keptTable(const io::Grid& input, const Kept& kept);

}  // namespace warplens::gpu::scan
