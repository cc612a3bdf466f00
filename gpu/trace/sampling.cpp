// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace warplens::gpu::trace {
namespace {

int kindOnAxis(unsigned i, unsigned n) { return i == 0 ? 0 : i == n - 1 ? 2 : 1; }

/// The blocks of one kind on one axis: a stretch of numbers.
struct Stretch {
    unsigned first, count;
};

Stretch stretchOf(int kind, unsigned n) {
    if (kind == 0) return {0, 1};
    if (kind == 1) return {1, n > 2 ? n - 2 : 0};
    return {n - 1, n > 1 ? 1U : 0U};
}

std::array<Stretch, 3> stretches(int kind, dim3 grid) {
    return {stretchOf(kind % 3, grid.x), stretchOf(kind / 3 % 3, grid.y), stretchOf(kind / 9, grid.z)};
}

}  // namespace

int kindOf(uint3 index, dim3 grid) {
    return kindOnAxis(index.x, grid.x) + 3 * kindOnAxis(index.y, grid.y) + 9 * kindOnAxis(index.z, grid.z);
}

std::array<std::int64_t, kKinds> population(dim3 grid) {
    std::array<std::int64_t, kKinds> counts{};
    for (int kind = 0; kind < kKinds; ++kind) {
        counts[kind] = 1;
        for (const auto& stretch : stretches(kind, grid)) counts[kind] *= stretch.count;
    }
    return counts;
}

std::vector<uint3> chooseBlocks(dim3 grid, std::int64_t wanted) {
    constexpr std::int64_t kLeast = 2;
    const auto counts = population(grid);
    const double total = static_cast<double>(grid.x) * grid.y * grid.z;
    std::vector<uint3> blocks;
    for (int kind = 0; kind < kKinds; ++kind) {
        const auto share = static_cast<std::int64_t>(
            std::llround(static_cast<double>(wanted) / total * static_cast<double>(counts[kind])));
        const auto taken =
            std::min(counts[kind], std::max(kLeast, static_cast<double>(wanted) >= total ? counts[kind] : share));
        const auto [x, y, z] = stretches(kind, grid);
        for (std::int64_t i = 0; i < taken; ++i) {
            // The middle of each of `taken` equal parts.
            const auto at = (2 * i + 1) * counts[kind] / (2 * taken);
            const auto row = at / x.count;
            blocks.push_back({x.first + static_cast<unsigned>(at % x.count),
                              y.first + static_cast<unsigned>(row % y.count),
                              z.first + static_cast<unsigned>(row / y.count)});
        }
    }
    std::sort(blocks.begin(), blocks.end(),
              [](uint3 a, uint3 b) { return std::tuple(a.z, a.y, a.x) < std::tuple(b.z, b.y, b.x); });
    return blocks;
}

}  // namespace warplens::gpu::trace
