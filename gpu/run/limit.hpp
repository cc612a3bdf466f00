// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens::gpu {

// What of a machine's measured ceilings a run reaches. One definition for reports, benchmark and window.

/// Milliseconds that the machine needs for the work at least; 0 where there is no such floor.
struct Floors {
    double memoryMs = 0;      ///< the minimal bytes at the speed measured for such traffic
    double arithmeticMs = 0;  ///< the multiply-adds at the measured rate, where a row does them one by one in f32
};

/// The first of them: it is the same for every row.
double memoryFloorMs(const Work& work, const Limits& limits);

/// Of a row that did `work` and made `values` values (a direct convolution does all its taps, a separable one two rows
/// of them; how others sum is not known).
Floors floorsOf(const RunRecord& record, const Work& work, std::int64_t values, const Limits& limits);

struct ShareOfLimit {
    double percent = 0;
    bool arithmetic = false;  ///< the share of arithmetic is the larger one
};

/// The larger of the two shares: the longer floor over the time. Nothing where the memory's speed was not measured.
std::optional<ShareOfLimit> shareOfLimit(const Floors& floors, double medianMs);

inline constexpr std::string_view kFmaLimit = "FMA";

/// "copy", "read" or "write" when a row's percentOfLimit is of the memory's speed, kFmaLimit when it is of arithmetic:
/// then it is above the memory's share. Empty where a row has none. Holds for reports of any age.
std::string_view limitOfShare(const RunRecord& record, const Limits& limits, Traffic traffic);

}  // namespace warplens::gpu
