// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/statistics.hpp"

#include "gpu/core/ranks.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gui {

namespace {

DisplayRange widened(double low, double high) {
    // A constant picture gets a range around its value, so that it shows as middle grey.
    if (low == high) return {low - 0.5, high + 0.5};
    return {low, high};
}

template <class T, class Visit>
void eachColour(const io::Grid& grid, Visit visit) {
    const int channels = grid.shape().channels, used = std::min(channels, 3);
    const T* values = grid.as<T>();
    const std::int64_t pixels = grid.shape().pixels();
    for (std::int64_t i = 0; i < pixels; ++i, values += channels)
        for (int c = 0; c < used; ++c) visit(static_cast<double>(values[c]));
}

template <class T>
ValueHistogram count(const io::Grid& grid, int bins) {
    ValueHistogram made;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    eachColour<T>(grid, [&](double v) {
        if (!std::isfinite(v)) {
            ++made.nonFinite;
            return;
        }
        low = std::min(low, v);
        high = std::max(high, v);
    });
    if (low > high) return made;
    made.low = low == high ? low - 0.5 : low;
    made.high = low == high ? high + 0.5 : high;
    made.counts.assign(low == high ? 1 : static_cast<std::size_t>(bins), 0);
    const double scale = static_cast<double>(made.counts.size()) / (made.high - made.low);
    const std::size_t last = made.counts.size() - 1;
    eachColour<T>(grid, [&](double v) {
        if (std::isfinite(v)) ++made.counts[std::min(static_cast<std::size_t>((v - made.low) * scale), last)];
    });
    return made;
}

}  // namespace

PictureStatistics statisticsOf(const io::Grid& grid) {
    const gpu::Ranked ranked = gpu::valuesAtRanks(grid, 0, std::min(grid.shape().channels, 3), [](std::int64_t finite) {
        // 999 thousandths of the last rank, which overflows nowhere.
        const std::int64_t last = finite - 1, high = last / 1000 * 999 + last % 1000 * 999 / 1000;
        return std::vector{std::int64_t{0}, last, last / 1000, high};
    });
    PictureStatistics s{.finite = ranked.finite,
                        .nonFinite = ranked.nan + ranked.positiveInfinity + ranked.negativeInfinity,
                        .by = QCoreApplication::translate("Statistics", "on the CPU")};
    if (s.finite == 0) return s;
    s.minimum = ranked.at[0];
    s.maximum = ranked.at[1];
    s.low = ranked.at[2];
    s.high = ranked.at[3];
    return s;
}

DisplayRange sampledRange(const io::Grid& grid, double clippedShare) {
    constexpr std::int64_t kPlaces = 65536;
    const std::int64_t pixels = grid.shape().pixels();
    const std::int64_t step = std::max<std::int64_t>(1, pixels / kPlaces) | 1;  // not one column alone
    std::vector<double> values;
    for (std::int64_t back = 0; back < pixels; back += step)
        if (const double v = grid.value(pixels - 1 - back, 0); std::isfinite(v)) values.push_back(v);
    if (values.empty()) return {0, 1};
    const auto out = static_cast<std::ptrdiff_t>(clippedShare * static_cast<double>(values.size()));
    std::ranges::nth_element(values, values.begin() + out);
    const double low = values[static_cast<std::size_t>(out)];
    std::ranges::nth_element(values, values.end() - 1 - out);
    return widened(low, *(values.end() - 1 - out));
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

ValueHistogram valueHistogram(const io::Grid& grid, int bins) {
    return io::withType(grid.type(), [&]<class T>(T) { return count<T>(grid, bins); });
}

bool liesAbout(const DisplayRange& own, const DisplayRange& shown) {
    constexpr double kInside = 0.5, kThin = 0.125;
    const double low = std::min(shown.low, shown.high), high = std::max(shown.low, shown.high), width = high - low;
    const double span = own.high - own.low, inside = std::min(own.high, high) - std::max(own.low, low);
    return width > 0 && inside >= kInside * span && span >= kThin * width;
}

}  // namespace warplens::gui
