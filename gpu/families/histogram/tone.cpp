// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/tone.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <type_traits>
#include <vector>

namespace warplens::gpu::histogram {
namespace {

/// Applies place(colour, value) -> 0..1 to every colour value and stores it at full scale.
template <class F>
io::Grid mapColours(const io::Grid& picture, F place) {
    const auto& s = picture.shape();
    io::Grid result(s, picture.type());
    result.geometry = picture.geometry;
    result.metadata = picture.metadata;
    result.metadata.notes.clear();
    result.metadata.sourceType.clear();  // the values mean something else now
    if (picture.empty()) return result;
    std::memcpy(result.data(), picture.data(), picture.bytes());
    const int colours = std::min(s.channels, 3);
    const double full = picture.type() == io::PixelType::u8 ? 255 : picture.type() == io::PixelType::u16 ? 65535 : 1;
    const auto apply = [&](auto* values) {
        using T = std::remove_pointer_t<decltype(values)>;
        tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, s.pixels(), 65536), [&](const auto& range) {
            for (auto pixel = range.begin(); pixel != range.end(); ++pixel) {
                for (int c = 0; c < colours; ++c) {
                    T& v = values[pixel * s.channels + c];
                    const double value = static_cast<double>(v);
                    if (std::isnan(value)) continue;
                    const double placed = full * place(c, value);
                    if constexpr (sizeof(T) == 4)
                        v = static_cast<float>(placed);
                    else
                        v = static_cast<T>(std::nearbyint(placed));
                }
            }
        });
    };
    io::withSampleType(picture.type(), [&]<class T>(T) { apply(result.as<T>()); });
    return result;
}

/// Each bin's place in 0..1 by the cumulative sum.
std::vector<double> cumulativePlaces(const CountedChannel& channel) {
    std::vector<double> places;
    std::int64_t total = 0, first = 0;
    for (const auto n : channel.bins) {
        total += n;
        if (first == 0) first = n;
    }
    std::int64_t sum = 0;
    for (const auto n : channel.bins) {
        sum += n;
        // One bin alone holds everything: nothing can be spread.
        places.push_back(sum <= first || total == first
                             ? 0.0
                             : static_cast<double>(sum - first) / static_cast<double>(total - first));
    }
    return places;
}

}  // namespace

io::Grid equalise(const io::Grid& picture, const BinnedCounts& counts) {
    if (counts.channels.empty())
        throw Error(Error::Kind::argument, "equalise: there are no counts: run a histogram first");
    std::vector<std::vector<double>> places;
    for (const auto& channel : counts.channels) places.push_back(cumulativePlaces(channel));
    const auto& edges = counts.edges;
    return mapColours(picture, [&](int colour, double value) {
        if (value < edges.front()) return 0.0;
        if (value >= edges.back()) return 1.0;
        const auto bin = std::upper_bound(edges.begin(), edges.end(), value) - edges.begin() - 1;
        const auto channel = std::min(static_cast<std::size_t>(colour), places.size() - 1);
        return places[channel][static_cast<std::size_t>(bin)];
    });
}

io::Grid stretch(const io::Grid& picture, double lo, double hi) {
    if (!std::isfinite(lo) || !std::isfinite(hi) || !(lo < hi)) {
        throw Error(Error::Kind::argument,
                    "stretch: the range is empty or reversed: choose a lower end below the upper one");
    }
    return mapColours(picture, [&](int, double value) { return std::clamp((value - lo) / (hi - lo), 0.0, 1.0); });
}

}  // namespace warplens::gpu::histogram
