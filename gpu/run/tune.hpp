// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/race.hpp"
#include "gpu/run/tuning.hpp"

#include <memory>
#include <stop_token>
#include <vector>

namespace warplens::gpu {

/// How thoroughly to tune.
struct TuneSettings {
    double budgetSeconds = 0.1;  ///< of timing, a candidate
    std::size_t finalists = 3;   ///< variants whose tunables are tried
};

/// What tuning found.
struct Tuned {
    TuningEntry entry;             ///< for the problem's traits
    std::vector<RunRecord> tried;  ///< every candidate that ran, in the order in which it did
};

/// Measures which variant and tunables are fastest for a problem: all kernels race with their defaults; then the
/// finalists with each tunable changed, one at a time, to its neighbours; then with those changes together that made it
/// faster beyond doubt (intervals that do not overlap). Every candidate is verified; what is wrong is in no ranking.
/// Throws Error(cancelled), Error(unsupported) when no kernel was right.
Tuned tune(const Family& family, const Problem& problem, Device& device,
           std::vector<std::unique_ptr<Resident>>& residents, const TuneSettings& settings, std::stop_token stop,
           const Observer& observer = {});

/// Values of a tunable to try beside `value`: its neighbours among the choices; else a half, twice and four times as
/// much, as far as they are allowed.
std::vector<int> neighbours(const Tunable& tunable, int value);

/// The ranking that records of one problem give: kernels that are right, verified and timed by one clock, the fastest
/// first, of each variant its fastest tunables. `auto` is left out. Without rows when there are none.
TuningEntry rankingOf(const std::string& family, const Traits& traits, const std::vector<const RunRecord*>& records);

}  // namespace warplens::gpu
