// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/march.hpp"

#include <algorithm>
#include <limits>

namespace warplens::gpu::convolution {
namespace {

std::int64_t ceilOf(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

/// Blocks of 32 x threadsDown threads with four outputs each; see frame.cuh.
std::int64_t frameBlocks(const MarchedPicture& p) {
    constexpr int kOutputs = 32 * 4;
    const std::int64_t rows = (p.filterHeight - 1) * p.width, columns = (p.filterWidth + 5) * p.height;
    return ceilOf(rows + columns, static_cast<std::int64_t>(kOutputs) * p.threadsDown) * p.planes;
}

int rowsAfter(const March& march, int rows) {
    if (!march.halves) return rows + march.granule - rows % march.granule;
    do rows = (rows & (rows - 1)) == 0 ? rows / 2 * 3 : rows / 3 * 4;
    while (rows % march.granule != 0);
    return rows;
}

}  // namespace

int fittedRows(const March& march, const MarchedPicture& p, int multiprocessors, int most) {
    constexpr int kFrameRows = 4;
    const std::int64_t turn = static_cast<std::int64_t>(std::max(multiprocessors, 1)) * march.together;
    const std::int64_t frame = march.frameWaits ? frameBlocks(p) : 0;
    const auto cost = [&](int rows) {
        const std::int64_t blocks = p.across * ceilOf(p.height, static_cast<std::int64_t>(rows) * p.threadsDown);
        const std::int64_t turns = ceilOf(blocks, turn);
        const double share = static_cast<double>(blocks) / static_cast<double>(turn);
        const bool atOnce = share * march.together <= march.atOnce;
        const double waited =
            atOnce ? std::max(share, 1.0) : share + march.waiting * (static_cast<double>(turns) - share);
        const double tail = atOnce ? march.tailAtOnce : march.tail;
        const bool late = march.frameWaits && blocks + frame > turns * turn;
        return (march.together * waited + tail) * (rows + p.filterHeight + march.lead) + (late ? kFrameRows : 0);
    };
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    const int limit = march.mostRows > 0 ? march.mostRows : most + most / 16;
    for (int rows = march.leastRows; rows <= limit; rows = rowsAfter(march, rows)) {
        if (const double costs = cost(rows); costs < least) {
            least = costs;
            best = rows;
        }
    }
    return best > 0 ? best : most;
}

}  // namespace warplens::gpu::convolution
