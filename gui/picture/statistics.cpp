// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

namespace warplens::gui {

namespace {

/// Colour values in storage order, alpha left out.
template <class T, class Visit>
void eachValue(const io::Grid& grid, Visit visit) {
    const T* values = grid.as<T>();
    const std::int64_t pixels = grid.shape().pixels();
    const int channels = grid.shape().channels;
    const int used = std::min(channels, 3);
    for (std::int64_t i = 0; i < pixels; ++i, values += channels) {
        for (int c = 0; c < used; ++c) visit(values[c]);
    }
}

/// Position in a histogram of the value with `rank` (from 0); `below` becomes the count before that bin.
std::size_t binOf(std::span<const std::int64_t> counts, std::int64_t rank, std::int64_t& below) {
    below = 0;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        if (below + counts[bin] > rank) return bin;
        below += counts[bin];
    }
    return counts.size() - 1;
}

template <class T>
bool isFinite(T v) {
    if constexpr (std::is_floating_point_v<T>) return std::isfinite(v);
    return true;
}

std::int64_t lowRank(std::int64_t count) { return count / 1000; }

template <class T>
PictureStatistics ofIntegers(const io::Grid& grid) {
    std::vector<std::int64_t> counts(std::size_t{1} << (8 * sizeof(T)));
    eachValue<T>(grid, [&](T v) { ++counts[v]; });
    PictureStatistics s;
    for (const std::int64_t n : counts) s.finite += n;
    if (s.finite == 0) return s;
    std::int64_t below = 0;
    const auto at = [&](std::int64_t rank) { return static_cast<double>(binOf(counts, rank, below)); };
    s.minimum = at(0);
    s.maximum = at(s.finite - 1);
    s.low = at(lowRank(s.finite));
    s.high = at(s.finite - 1 - lowRank(s.finite));
    return s;
}

/// Values of 32 bits in order as unsigned integers, so that a histogram of them gives exact quantiles whatever their
/// range.
std::uint32_t key(float v) {
    const auto bits = std::bit_cast<std::uint32_t>(v);
    return bits & 0x80000000U ? ~bits : bits | 0x80000000U;
}
std::uint32_t key(std::uint32_t v) { return v; }
std::uint32_t key(std::int32_t v) { return static_cast<std::uint32_t>(v) ^ 0x80000000U; }

template <class T>
T valueOf(std::uint32_t key) {
    if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(key & 0x80000000U ? key & 0x7fffffffU : ~key);
    return std::bit_cast<T>(key ^ (std::is_signed_v<T> ? 0x80000000U : 0U));
}

/// Of values of 32 bits, in two steps of 16.
template <class T>
PictureStatistics ofWide(const io::Grid& grid) {
    PictureStatistics s;
    std::vector<std::int64_t> coarse(65536);
    eachValue<T>(grid, [&](T v) {
        if (isFinite(v)) {
            ++coarse[key(v) >> 16];
        } else {
            ++s.nonFinite;
        }
    });
    for (const std::int64_t n : coarse) s.finite += n;
    if (s.finite == 0) return s;

    const std::array ranks{std::int64_t{0}, lowRank(s.finite), s.finite - 1 - lowRank(s.finite), s.finite - 1};
    std::array<std::size_t, 4> bins{};
    std::array<std::int64_t, 4> below{};
    for (std::size_t i = 0; i < 4; ++i) bins[i] = binOf(coarse, ranks[i], below[i]);

    std::array<std::vector<std::int64_t>, 4> fine;
    for (auto& f : fine) f.resize(65536);
    eachValue<T>(grid, [&](T v) {
        if (!isFinite(v)) return;
        const std::uint32_t k = key(v);
        for (std::size_t i = 0; i < 4; ++i) {
            if (k >> 16 == bins[i]) ++fine[i][k & 0xffffU];
        }
    });
    std::array<double, 4> found{};
    for (std::size_t i = 0; i < 4; ++i) {
        std::int64_t inside = 0;
        const std::size_t bin = binOf(fine[i], ranks[i] - below[i], inside);
        found[i] = valueOf<T>(static_cast<std::uint32_t>(bins[i] << 16 | bin));
    }
    s.minimum = found[0];
    s.low = found[1];
    s.high = found[2];
    s.maximum = found[3];
    return s;
}

DisplayRange widened(double low, double high) {
    // A constant picture gets a range around its value, so that it shows as middle grey.
    if (low == high) return {low - 0.5, high + 0.5};
    return {low, high};
}

}  // namespace

PictureStatistics statisticsOf(const io::Grid& grid) {
    return io::withType(grid.type(), [&]<class T>(T) {
        if constexpr (sizeof(T) < 4)
            return ofIntegers<T>(grid);
        else
            return ofWide<T>(grid);
    });
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
