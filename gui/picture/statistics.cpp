// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/statistics.hpp"

#include "gpu/core/ranks.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

DisplayRange widened(double low, double high) {
    // A constant picture gets a range around its value, so that it shows as middle grey.
    if (low == high) return {low - 0.5, high + 0.5};
    return {low, high};
}

}  // namespace

PictureStatistics statisticsOf(const io::Grid& grid) {
    const gpu::Ranked ranked = gpu::valuesAtRanks(grid, 0, std::min(grid.shape().channels, 3), [](std::int64_t finite) {
        const std::int64_t left = finite / 1000;
        return std::vector{std::int64_t{0}, finite - 1, left, finite - 1 - left};
    });
    PictureStatistics s{.finite = ranked.finite,
                        .nonFinite = ranked.nan + ranked.positiveInfinity + ranked.negativeInfinity};
    if (s.finite == 0) return s;
    s.minimum = ranked.at[0];
    s.maximum = ranked.at[1];
    s.low = ranked.at[2];
    s.high = ranked.at[3];
    return s;
}

DisplayRange sampledRange(const io::Grid& grid) {
    constexpr std::int64_t kPlaces = 65536;
    const std::int64_t pixels = grid.shape().pixels();
    const std::int64_t step = std::max<std::int64_t>(1, pixels / kPlaces) | 1;  // not one column alone
    PictureStatistics s;
    for (std::int64_t back = 0; back < pixels; back += step) {
        const double v = grid.value(pixels - 1 - back, 0);
        if (!std::isfinite(v)) continue;
        s.minimum = s.finite == 0 ? v : std::min(s.minimum, v);
        s.maximum = s.finite == 0 ? v : std::max(s.maximum, v);
        ++s.finite;
    }
    return s.finite == 0 ? DisplayRange{0, 1} : widened(s.minimum, s.maximum);
}

DisplayRange defaultRange(io::PixelType type, const PictureStatistics& statistics) {
    if (type == io::PixelType::u8) return {0, 255};
    if (type == io::PixelType::u16) return {0, 65535};
    return autoRange(statistics);
}

DisplayRange autoRange(const PictureStatistics& statistics) {
    if (statistics.finite == 0) return {0, 1};
    // Nearly everything one value: show what is left instead of one flat grey.
    if (statistics.low == statistics.high) return widened(statistics.minimum, statistics.maximum);
    return {statistics.low, statistics.high};
}

}  // namespace warplens::gui
