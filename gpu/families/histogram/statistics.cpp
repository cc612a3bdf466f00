// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/statistics.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace warplens::gpu::histogram {
namespace {

void checkStop(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "statistics: stopped");
}

/// Exact but for the last roundings: squares of 16 bits add up in 64.
template <class T>
void addMoments(const T* from, int stride, Statistics& s, const std::stop_token& stop) {
    std::uint64_t sum = 0, squares = 0;
    checkStop(stop);
    for (std::int64_t i = 0; i < s.count; ++i, from += stride) {
        sum += *from;
        squares += std::uint64_t{*from} * *from;
    }
    const auto n = static_cast<long double>(s.count);
    const long double mean = static_cast<long double>(sum) / n;
    s.mean = static_cast<double>(mean);
    s.deviation = std::sqrt(static_cast<double>(std::max(0.0L, static_cast<long double>(squares) / n - mean * mean)));
}

void addMoments(const float* from, int stride, Statistics& s, const std::stop_token& stop) {
    const auto meanOf = [&](const auto& part) {
        checkStop(stop);
        double sum = 0;
        for (std::int64_t i = 0; i < s.count; ++i)
            if (const float v = from[i * stride]; std::isfinite(v)) sum += part(static_cast<double>(v));
        return sum / static_cast<double>(s.finite);
    };
    s.mean = meanOf([](double v) { return v; });
    s.deviation = std::sqrt(meanOf([mean = s.mean](double v) { return (v - mean) * (v - mean); }));
}

}  // namespace

Statistics statisticsOf(const io::Grid& values, int channel, const std::stop_token& stop) {
    constexpr double kMedian = 50;
    std::vector<double> percents(Statistics::kPercentiles.begin(), Statistics::kPercentiles.end());
    percents.push_back(kMedian);
    const auto place = [](double percent, std::int64_t finite) {
        return percent / 100 * static_cast<double>(finite - 1);
    };
    const Ranked ranked = valuesAtRanks(
        values, channel, 1,
        [&](std::int64_t finite) {
            std::vector<std::int64_t> ranks{0, finite - 1};
            for (const double percent : percents) {
                const auto rank = static_cast<std::int64_t>(place(percent, finite));
                ranks.push_back(rank);
                ranks.push_back(std::min(rank + 1, finite - 1));
            }
            return ranks;
        },
        stop);
    Statistics s{.count = values.shape().pixels(),
                 .finite = ranked.finite,
                 .nan = ranked.nan,
                 .positiveInfinity = ranked.positiveInfinity,
                 .negativeInfinity = ranked.negativeInfinity};
    if (s.finite == 0) return s;
    s.minimum = ranked.at[0];
    s.maximum = ranked.at[1];
    const auto between = [&](std::size_t i) {
        const double low = ranked.at[2 + 2 * i], high = ranked.at[3 + 2 * i], at = place(percents[i], s.finite);
        return low + (at - std::floor(at)) * (high - low);
    };
    for (std::size_t i = 0; i < s.percentiles.size(); ++i) s.percentiles[i] = between(i);
    s.median = between(s.percentiles.size());
    io::withSampleType(values.type(),
                       [&]<class T>(T) { addMoments(values.as<T>() + channel, values.shape().channels, s, stop); });
    return s;
}

}  // namespace warplens::gpu::histogram
