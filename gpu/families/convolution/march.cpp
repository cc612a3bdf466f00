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

}  // namespace

int fittedRows(const March& march, const MarchedPicture& p, int most) {
    constexpr int kFrameRows = 3;
    const int granule = march.granule;
    const auto whole = [granule](int rows) { return (rows + granule - 1) / granule * granule; };
    const std::int64_t frame = march.framed ? frameBlocks(p) : 0;
    const auto cost = [&](int rows) {
        const std::int64_t blocks = p.across * ceilOf(p.height, static_cast<std::int64_t>(rows) * p.threadsDown);
        const std::int64_t turns = ceilOf(blocks, march.blocksAtOnce);
        const double share = static_cast<double>(blocks) / march.blocksAtOnce;
        const bool late = blocks + frame > turns * march.blocksAtOnce;
        return (static_cast<double>(turns) + 2 * share) * (rows + p.filterHeight + march.lead) +
               (late ? kFrameRows : 0);
    };
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int rows = whole(std::max(march.leastRows, p.filterHeight)); rows <= most + most / 16; rows += granule) {
        if (const double costs = cost(rows); costs < least) {
            least = costs;
            best = rows;
        }
    }
    return best > 0 ? best : most;
}

}  // namespace warplens::gpu::convolution
