// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/rank/networks.hpp"

#include <vector>

namespace warplens::gui {

/// The exchanges that bring the median of a square window to one wire, as the family's kernels make them: by its
/// description, without those that the median does not depend on.
struct RankNetwork {
    int wires = 0;   ///< values of the window
    int result = 0;  ///< the wire that the median leaves on
    std::vector<gpu::rank::Exchange> exchanges;
    std::vector<int>
        columns;  ///< of each exchange, so that none of a column meets another; never before those it needs
    int columnCount = 0;

    int steps() const { return static_cast<int>(exchanges.size()); }
};

/// Networks are drawn of squares of radius 1 and 2.
inline constexpr int kLargestDrawnRadius = 2;
RankNetwork rankNetwork(int radius);

/// What the wires hold after the first `steps` exchanges. What is not a number is larger than every number.
std::vector<double> flowThrough(const RankNetwork& network, std::vector<double> values, int steps);

}  // namespace warplens::gui
