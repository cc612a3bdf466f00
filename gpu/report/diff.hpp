// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// One run in two reports. Milliseconds.
struct DiffRow {
    std::string variant;
    std::string id;                           ///< what the runs of both are called: the variant and what was chosen
    std::optional<Clock> clock;               ///< that both were timed by
    std::optional<double> beforeMs, afterMs;  ///< medians
    Verdict verdict = Verdict::undecided;     ///< of B against A
    std::optional<double> ratio;              ///< before / after; only when faster or slower
    std::string reason;                       ///< why it is undecided, or empty
};

struct Diff {
    std::vector<DiffRow> rows;       ///< A's order, then what only B has
    std::vector<std::string> notes;  ///< in what else the reports differ, a sentence each
};

/// Compares B with A, run by run as their ids match, from the intervals that the reports store; only within one clock.
/// Times of different work (family, parameters, extents, type) are not compared: every row is undecided and a note says
/// why.
Diff diff(const Report& a, const Report& b);

/// An aligned table with the notes below; `times`: where the reader's times come from.
std::string toText(const Diff& diff, Origin times = Origin::measured);
std::string toJson(const Diff& diff);

}  // namespace warplens::gpu
