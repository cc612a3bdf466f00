// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/families/scan/arguments.hpp"
#include "gpu/families/scan/task.hpp"

#include <stop_token>
#include <vector>

namespace warplens::gpu::scan {

/// Additions that a sum of so many values along a row, and of so many down a column, went through at most, one after
/// another.
struct Depths {
    double (*line)(double length) = nullptr;
    double (*column)(double length) = nullptr;
};

/// Sums and integral pictures by their definitions, in 64-bit integers and long double. Integers must be exact; floats
/// may be off by (depth + 1) eps times the sum of magnitudes, of what a sum is made of: the values up to it. Where
/// magnitudes leave the range of f32 while signs differ, what comes out depends on the order, and is not compared.
Verification verifySums(const ScanOptions& asked, const io::Grid& input, const io::Grid& output, const Depths& depths,
                        const std::stop_token& stop);
/// Means of windows, and what is above them, likewise; a bound follows from the window's own values. `narrow` additions
/// and products of a value are in f32, the others in f64. A mask must be as the sums in f64 say: where these are exact,
/// whatever the order of additions, to the last digit.
Verification verifyWindows(const ScanOptions& asked, const io::Grid& input, const io::Grid& output, int narrow,
                           const std::stop_token& stop);

/// One channel of a slice by OpenCV's formulas.
std::vector<int> equalised(const io::Grid& input, std::int64_t z, int channel);
std::vector<int> equalisedLocally(const io::Grid& input, std::int64_t z, int channel, double clip, int tiles);
Verification verifyLevels(const ScanOptions& asked, const io::Grid& input, const io::Grid& output,
                          const std::stop_token& stop);

/// Places of a channel's kept values, in the order of memory.
using Kept = std::vector<std::vector<std::uint32_t>>;
Kept keptOf(const ScanOptions& asked, const io::Grid& input);
/// Rows in raster order, channel by channel of a pixel.
Table keptTable(const io::Grid& input, const Kept& kept);

}  // namespace warplens::gpu::scan
