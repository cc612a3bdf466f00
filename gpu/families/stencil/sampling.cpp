// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/verify.hpp"

#include <algorithm>
#include <numeric>

namespace warplens::gpu::stencil {
namespace {

// In cell steps of a 7-point stencil, about 2 ns each on a core. What one tile holds is limited as well: 32 bytes a
// cell.
constexpr double kWholeBudget = 1e9, kSampleBudget = 6e8, kMostBudget = 6e9;
constexpr std::int64_t kMostCells = 32'000'000;
// Keeps the middle tile off multiples of a kernel's own tile.
constexpr std::int64_t kShift = 7;

struct Stretch {
    std::int64_t lo, hi;
};

/// The two ends and the middle, or all of it when they would meet.
std::vector<Stretch> along(std::int64_t n, std::int64_t side, bool middle) {
    if (n <= 3 * side + 2 * kShift) return {{0, n}};
    const auto mid = (n - side) / 2 + kShift;
    if (!middle) return {{0, side}, {n - side, n}};
    return {{0, side}, {mid, mid + side}, {n - side, n}};
}

std::vector<Box> boxesOf(const io::Shape& s, std::int64_t side, bool middle) {
    std::vector<Box> boxes;
    for (const auto& z : along(s.depth, side, middle)) {
        for (const auto& y : along(s.height, side, middle)) {
            for (const auto& x : along(s.width, side, middle))
                boxes.push_back({{x.lo, y.lo, z.lo}, {x.hi, y.hi, z.hi}});
        }
    }
    return boxes;
}

}  // namespace

std::vector<Box> sampleBoxes(const io::Shape& shape, Pattern pattern, std::int64_t steps, int channels) {
    const double each = std::max(1.0, tapsOf(pattern) / 7.0) * channels;
    const auto costs = [&](const std::vector<Box>& boxes) {
        return std::accumulate(boxes.begin(), boxes.end(), 0.0, [&](double sum, const Box& box) {
            return sum + each * (costOf(box, shape, pattern, steps) + static_cast<double>(box.cells()));
        });
    };
    const auto fits = [&](const std::vector<Box>& boxes) {
        return std::all_of(boxes.begin(), boxes.end(),
                           [&](const Box& box) { return sourceOf(box, shape, pattern, steps).cells() <= kMostCells; });
    };
    const std::vector<Box> whole{{{0, 0, 0}, {shape.width, shape.height, shape.depth}}};
    if (fits(whole) && costs(whole) <= kWholeBudget) return whole;
    for (const std::int64_t side : {256, 128, 96, 64, 48, 32, 24, 16, 8}) {
        auto boxes = boxesOf(shape, side, true);
        if (fits(boxes) && costs(boxes) <= kSampleBudget) return boxes;
    }
    // Corners reach only inwards, so they are the cheapest.
    for (const bool middle : {true, false}) {
        auto boxes = boxesOf(shape, 8, middle);
        if (fits(boxes) && costs(boxes) <= kMostBudget) return boxes;
    }
    return {};
}

}  // namespace warplens::gpu::stencil
