// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/ranks.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <type_traits>

namespace warplens::gpu {
namespace {

using Counts = std::vector<std::int64_t>;
constexpr std::size_t kBins = 65536;

template <class T, class Visit>
void eachValue(const io::Grid& grid, int first, int channels, const std::stop_token& stop, Visit visit) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "statistics: stopped");
    const std::int64_t pixels = grid.shape().pixels();
    const int stride = grid.shape().channels;
    const T* values = grid.as<T>() + first;
    for (std::int64_t i = 0; i < pixels; ++i, values += stride)
        for (int c = 0; c < channels; ++c) visit(values[c]);
}

/// In the order of the values; of 32 bits as unsigned integers, so that a histogram of them holds any range.
std::uint32_t keyOf(float v) {
    const auto bits = std::bit_cast<std::uint32_t>(v);
    return bits & 0x80000000U ? ~bits : bits | 0x80000000U;
}
std::uint32_t keyOf(std::int32_t v) { return static_cast<std::uint32_t>(v) ^ 0x80000000U; }
std::uint32_t keyOf(std::uint32_t v) { return v; }

template <class T>
double valueOf(std::uint32_t key) {
    if constexpr (std::is_same_v<T, float>)  // -0 is shown as 0
        return static_cast<double>(std::bit_cast<float>(key & 0x80000000U ? key & 0x7fffffffU : ~key)) + 0.0;
    else
        return std::bit_cast<T>(key ^ (std::is_signed_v<T> ? 0x80000000U : 0U));
}

/// The bin that holds a rank, which becomes one within it.
std::size_t binOf(const Counts& counts, std::int64_t& rank) {
    std::size_t bin = 0;
    while (bin + 1 < counts.size() && counts[bin] <= rank) rank -= counts[bin++];
    return bin;
}

template <class T>
Ranked ofShort(const io::Grid& grid, int first, int channels, const RanksOf& ranks, const std::stop_token& stop) {
    Ranked result{.finite = grid.shape().pixels() * channels, .counts = Counts(std::size_t{1} << 8 * sizeof(T))};
    eachValue<T>(grid, first, channels, stop, [&counts = result.counts](T v) { ++counts[v]; });
    if (result.finite == 0) return result;
    for (std::int64_t rank : ranks(result.finite)) result.at.push_back(static_cast<double>(binOf(result.counts, rank)));
    return result;
}

template <class T>
Ranked ofWide(const io::Grid& grid, int first, int channels, const RanksOf& ranks, const std::stop_token& stop) {
    Ranked result;
    Counts coarse(kBins);
    const auto finite = [](T v) {
        if constexpr (std::is_same_v<T, float>) return std::isfinite(v);
        return true;
    };
    eachValue<T>(grid, first, channels, stop, [&](T v) {
        if (finite(v))
            ++coarse[keyOf(v) >> 16];
        else if (v > 0)
            ++result.positiveInfinity;
        else
            ++(v < 0 ? result.negativeInfinity : result.nan);
    });
    result.finite = grid.shape().pixels() * channels - result.nan - result.positiveInfinity - result.negativeInfinity;
    if (result.finite == 0) return result;

    std::vector<std::int64_t> within = ranks(result.finite);
    std::vector<std::size_t> bins;
    for (std::int64_t& rank : within) bins.push_back(binOf(coarse, rank));
    // The bins that are looked into, and where in `fine`; 0 is for all others.
    std::vector<std::uint8_t> place(kBins);
    std::vector<Counts> fine(1, Counts(kBins));
    for (const std::size_t bin : bins) {
        if (place[bin] != 0) continue;
        place[bin] = static_cast<std::uint8_t>(fine.size());
        fine.emplace_back(kBins);
    }
    eachValue<T>(grid, first, channels, stop, [&](T v) {
        const std::uint32_t key = keyOf(v);
        const std::uint8_t at = place[key >> 16];
        if (at != 0 && finite(v)) ++fine[at][key & 0xffffU];
    });
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const std::size_t low = binOf(fine[place[bins[i]]], within[i]);
        result.at.push_back(valueOf<T>(static_cast<std::uint32_t>(bins[i] << 16 | low)));
    }
    return result;
}

}  // namespace

Ranked valuesAtRanks(const io::Grid& values, int first, int channels, const RanksOf& ranks,
                     const std::stop_token& stop) {
    return io::withType(values.type(), [&]<class T>(T) {
        if constexpr (sizeof(T) < 4)
            return ofShort<T>(values, first, channels, ranks, stop);
        else
            return ofWide<T>(values, first, channels, ranks, stop);
    });
}

}  // namespace warplens::gpu
