// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/statistics.hpp"

#include "gpu/core/error.hpp"

#include <cmath>
#include <tbb/parallel_sort.h>
#include <utility>
#include <vector>

namespace warplens::gpu::histogram {
namespace {

// Distinct values in rising order with their number; one after the other where a type has too many.
using Ranked = std::vector<std::pair<double, std::int64_t>>;

void checkStop(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "statistics: stopped");
}

template <class T>
Ranked rankIntegers(const T* from, std::int64_t pixels, int stride) {
    std::vector<std::int64_t> times(std::size_t{1} << 8 * sizeof(T));
    for (std::int64_t i = 0; i < pixels; ++i) ++times[from[i * stride]];
    Ranked ranked;
    for (std::size_t v = 0; v < times.size(); ++v) {
        if (times[v] > 0) ranked.emplace_back(static_cast<double>(v), times[v]);
    }
    return ranked;
}

Ranked rankFloats(const float* from, std::int64_t pixels, int stride, Statistics& s, const std::stop_token& stop) {
    std::vector<float> finite;
    finite.reserve(static_cast<std::size_t>(pixels));
    for (std::int64_t i = 0; i < pixels; ++i) {
        const float v = from[i * stride];
        if (std::isnan(v))
            ++s.nan;
        else if (std::isinf(v))
            ++(v > 0 ? s.positiveInfinity : s.negativeInfinity);
        else
            finite.push_back(v);
    }
    checkStop(stop);
    tbb::parallel_sort(finite.begin(), finite.end());
    checkStop(stop);
    Ranked ranked;
    for (const float v : finite) {
        if (!ranked.empty() && ranked.back().first == static_cast<double>(v))
            ++ranked.back().second;
        else
            ranked.emplace_back(static_cast<double>(v), 1);
    }
    return ranked;
}

double percentileOf(const Ranked& ranked, std::int64_t count, double percent) {
    const double at = percent / 100 * static_cast<double>(count - 1);
    const auto rank = static_cast<std::int64_t>(at);
    double low = 0;
    std::int64_t before = 0;
    bool found = false;
    for (const auto& [value, times] : ranked) {
        before += times;
        if (!found && before > rank) {
            low = value;
            found = true;
        }
        if (before > rank + 1 || (found && rank + 1 >= count))
            return low + (at - static_cast<double>(rank)) * (value - low);
    }
    return low;
}

}  // namespace

Statistics statisticsOf(const io::Grid& values, int channel, const std::stop_token& stop) {
    Statistics s;
    s.count = values.shape().pixels();
    const int stride = values.shape().channels;
    Ranked ranked;
    io::withSampleType(values.type(), [&]<class T>(T) {
        if constexpr (std::is_integral_v<T>)
            ranked = rankIntegers(values.as<T>() + channel, s.count, stride);
        else
            ranked = rankFloats(values.as<T>() + channel, s.count, stride, s, stop);
    });
    s.finite = s.count - s.nan - s.positiveInfinity - s.negativeInfinity;
    if (s.finite == 0) return s;
    s.minimum = ranked.front().first;
    s.maximum = ranked.back().first;
    const auto total = static_cast<double>(s.finite);
    for (const auto& [value, times] : ranked) s.mean += value * (static_cast<double>(times) / total);
    double squares = 0;
    for (const auto& [value, times] : ranked)
        squares += (value - s.mean) * (value - s.mean) * (static_cast<double>(times) / total);
    s.deviation = std::sqrt(squares);
    s.median = percentileOf(ranked, s.finite, 50);
    for (std::size_t i = 0; i < s.percentiles.size(); ++i)
        s.percentiles[i] = percentileOf(ranked, s.finite, Statistics::kPercentiles[i]);
    return s;
}

}  // namespace warplens::gpu::histogram
