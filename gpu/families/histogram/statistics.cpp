// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/statistics.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace warplens::gpu::histogram {
namespace {

void checkStop(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "statistics: stopped");
}

/// Of integers whose counts are known, without another look at them. Exact but for the last roundings: squares of 16
/// bits add up in 64.
void addMoments(const std::vector<std::int64_t>& counts, Statistics& s) {
    std::uint64_t sum = 0, squares = 0;
    for (std::uint64_t v = 0; v < counts.size(); ++v) {
        const auto times = static_cast<std::uint64_t>(counts[v]);
        sum += v * times;
        squares += v * v * times;
    }
    const auto n = static_cast<long double>(s.count);
    const long double mean = static_cast<long double>(sum) / n;
    s.mean = static_cast<double>(mean);
    s.deviation = std::sqrt(static_cast<double>(std::max(0.0L, static_cast<long double>(squares) / n - mean * mean)));
}

/// In one pass over distances from the median, from which the mean is never further than the deviation: so little is
/// lost when its square is taken off.
void addMoments(const float* from, int stride, Statistics& s, const std::stop_token& stop) {
    checkStop(stop);
    double sum = 0, squares = 0;
    for (std::int64_t i = 0; i < s.count; ++i)
        if (const float v = from[i * stride]; std::isfinite(v)) {
            const double distance = static_cast<double>(v) - s.median;
            sum += distance;
            squares += distance * distance;
        }
    const auto n = static_cast<double>(s.finite);
    s.mean = s.median + sum / n;
    s.deviation = std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)));
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
    io::withSampleType(values.type(), [&]<class T>(T) {
        if constexpr (std::is_integral_v<T>)
            addMoments(ranked.counts, s);
        else
            addMoments(values.as<T>() + channel, values.shape().channels, s, stop);
    });
    return s;
}

}  // namespace warplens::gpu::histogram
