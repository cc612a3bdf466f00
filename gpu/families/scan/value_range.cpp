// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/scan/value_range.hpp"

#include <bit>
#include <cstdint>
#include <tbb/parallel_for.h>
#include <vector>

namespace warplens::gpu::scan {
namespace {

/// Of values that lie `stride` apart; ofSlice is their sum as well.
ValueRange rangeOfRow(const float* values, std::int64_t count, int stride) {
    ValueRange range;
    for (std::int64_t i = 0; i < count; ++i) {
        const float value = values[i * stride];
        if (!std::isfinite(value)) {
            range.finite = false;
            continue;
        }
        range.unit = std::min(range.unit, unitOf(value));
        const double magnitude = std::fabs(value);
        range.largest = std::max(range.largest, magnitude);
        range.ofRow += magnitude;
    }
    range.ofSlice = range.ofRow;
    return range;
}

/// Of two parts whose sums are `ofSlice`.
ValueRange joined(const ValueRange& a, const ValueRange& b, double ofSlice) {
    return {.finite = a.finite && b.finite,
            .unit = std::min(a.unit, b.unit),
            .largest = std::max(a.largest, b.largest),
            .ofRow = std::max(a.ofRow, b.ofRow),
            .ofSlice = ofSlice};
}

}  // namespace

int unitOf(float value) {
    if (value == 0) return ValueRange::kHighestUnit;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const int exponent = static_cast<int>(bits >> 23 & 0xffU);
    const std::uint32_t digits = (bits & 0x7fffffU) | (exponent > 0 ? 0x800000U : 0U);
    return std::max(exponent, 1) - 150 + std::countr_zero(digits);
}

ValueRange rangeOf(const io::Grid& grid, int channels) {
    const io::Shape& s = grid.shape();
    ValueRange all;
    std::vector<ValueRange> rows(static_cast<std::size_t>(s.height));
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (int c = 0; c < channels; ++c) {
            const float* const slice = grid.as<float>() + z * s.height * s.width * s.channels + c;
            tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t y) {
                rows[y] = rangeOfRow(slice + static_cast<std::int64_t>(y) * s.width * s.channels, s.width, s.channels);
            });
            ValueRange one;
            for (const ValueRange& row : rows) one = joined(one, row, one.ofSlice + row.ofSlice);
            all = joined(all, one, std::max(all.ofSlice, one.ofSlice));
        }
    return all;
}

}  // namespace warplens::gpu::scan
