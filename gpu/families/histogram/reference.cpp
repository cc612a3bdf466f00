// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/reference.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace warplens::gpu::histogram {
namespace {

void place(double v, std::int64_t times, const std::vector<double>& edges, CountedChannel& counts) {
    if (std::isnan(v)) {
        counts.nan += times;
    } else if (v < edges.front()) {
        counts.below += times;
    } else if (v >= edges.back()) {
        counts.above += times;
    } else {
        const auto after = std::upper_bound(edges.begin(), edges.end(), v);
        counts.bins[static_cast<std::size_t>(after - edges.begin() - 1)] += times;
    }
}

// A stretch of one channel. Few distinct values of an integer type are searched once each.
template <class T>
void countStretch(const T* from, std::size_t count, int stride, const std::vector<double>& edges,
                  CountedChannel& counts) {
    if constexpr (sizeof(T) == 4) {
        for (std::size_t i = 0; i < count; ++i) place(static_cast<double>(from[i * stride]), 1, edges, counts);
    } else {
        std::vector<std::int64_t> times(std::size_t{1} << 8 * sizeof(T));
        for (std::size_t i = 0; i < count; ++i) ++times[from[i * stride]];
        for (std::size_t v = 0; v < times.size(); ++v) {
            if (times[v] > 0) place(static_cast<double>(v), times[v], edges, counts);
        }
    }
}

template <class T>
void countChannel(const T* from, std::size_t pixels, int stride, const std::vector<double>& edges,
                  CountedChannel& counts, const std::stop_token& stop) {
    constexpr std::size_t kStretch = std::size_t{1} << 20;
    std::mutex mutex;
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, (pixels + kStretch - 1) / kStretch, 1), [&](const auto& range) {
            for (auto i = range.begin(); i != range.end(); ++i) {
                if (stop.stop_requested()) return;
                CountedChannel part;
                part.bins.resize(counts.bins.size());
                const auto first = i * kStretch;
                countStretch(from + first * stride, std::min(kStretch, pixels - first), stride, edges, part);
                const std::lock_guard lock(mutex);
                for (std::size_t k = 0; k < part.bins.size(); ++k) counts.bins[k] += part.bins[k];
                counts.below += part.below;
                counts.above += part.above;
                counts.nan += part.nan;
            }
        });
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
}

}  // namespace

BinnedCounts countExactly(const io::Grid& values, const Edges& edges, const std::vector<std::string>& names,
                          std::stop_token stop) {
    BinnedCounts result{edges.values, {}};
    const int channels = values.shape().channels;
    const auto pixels = static_cast<std::size_t>(values.shape().pixels());
    for (int c = 0; c < channels; ++c) {
        CountedChannel counts;
        counts.name = names[static_cast<std::size_t>(c)];
        counts.bins.resize(static_cast<std::size_t>(edges.bins()));
        io::withSampleType(values.type(), [&]<class T>(T) {
            countChannel(values.as<T>() + c, pixels, channels, edges.values, counts, stop);
        });
        result.channels.push_back(std::move(counts));
    }
    return result;
}

}  // namespace warplens::gpu::histogram
