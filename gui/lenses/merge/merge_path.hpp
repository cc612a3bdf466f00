// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstdint>
#include <vector>

namespace warplens::gui {

/// Two short sorted lists taken from a picture, and how a block merges them in rounds, as the family's kernels do with
/// long ones.
struct MergePath {
    static constexpr int kTile = 8;  ///< outputs of a round, and places of a ring

    std::vector<double> a, b;
    std::vector<int> fromA;  ///< of the first k outputs, k from 0 to all

    int outputs() const { return static_cast<int>(a.size() + b.size()); }
    int rounds() const { return (outputs() + kTile - 1) / kTile; }
};

/// Up to `longest` of the first channel's first `first` values, and of those behind them, evenly spaced in raster order
/// and sorted. Of equal values the first list's come first, NaN last.
MergePath mergePathOf(const io::Grid& grid, std::int64_t first, int longest = 24);

/// What one round has in shared memory of one list.
struct RingFill {
    int first = 0, held = 0;  ///< values at hand when the round begins to merge
    int loaded = 0;           ///< of these, the last so many were loaded for it; the others were left over
    int used = 0;             ///< of these, the first so many go into its outputs
};

struct MergeRound {
    int first = 0, count = 0;  ///< outputs
    RingFill a, b;
    std::vector<int> probes;  ///< values of a that the search for the round's end looked at, in turn

    int loaded() const { return a.loaded + b.loaded; }
    int kept() const { return a.held + b.held - loaded(); }
};

/// Round 0 is the first.
MergeRound roundOf(const MergePath& path, int round);

}  // namespace warplens::gui
