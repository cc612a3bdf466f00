// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/report.hpp"

#include <string>
#include <vector>

namespace warplens::gpu::history {

/// A run that was clearly faster before.
struct Slower {
    std::string run;  ///< its id
    double nowMs = 0;
    double thenMs = 0;  ///< recorded
    std::string date;   ///< of that time: ISO 8601, UTC
};

/// The runs of a comparison that took less time in one of the earlier ones (Store::alike()), with the same tunables and
/// by the same clock: by more than both spreads between the quartiles together, and by 5 % at least. Each is held
/// against the fastest that it ever was. By factor, the largest first.
std::vector<Slower> slowerThanBefore(const Report& now, const std::vector<Report>& earlier);

/// One sentence that names the first of them, or nothing: "Slower than on 2026-11-16: naive 0.414 ms now, 0.264 ms then
/// (recorded; same picture, parameters, device and driver); so are 2 more runs."
std::string sentenceOf(const std::vector<Slower>& slower);

}  // namespace warplens::gpu::history
