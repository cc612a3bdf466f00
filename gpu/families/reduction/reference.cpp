// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/reduction/reference.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <vector>

namespace warplens::gpu::reduction {
namespace {

constexpr std::int64_t kStretch = std::int64_t{1} << 20;

/// Calls part(stretch, first, last) for stretches of the pixels, in parallel, and gives back what they made, in order.
template <class Part, class F>
std::vector<Part> overStretches(std::int64_t pixels, const std::stop_token& stop, F part) {
    std::vector<Part> parts(static_cast<std::size_t>((pixels + kStretch - 1) / kStretch));
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, parts.size(), 1), [&](const auto& range) {
        for (auto i = range.begin(); i != range.end() && !stop.stop_requested(); ++i) {
            const auto first = static_cast<std::int64_t>(i) * kStretch;
            part(parts[i], first, std::min(first + kStretch, pixels));
        }
    });
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
    return parts;
}

/// What a stretch of a channel amounts to. Integers below 2^64 are exact in a long double.
struct Part {
    std::int64_t nan = 0, lowestAt = -1, highestAt = -1;
    double lowest = 0, highest = 0;
    long double sum = 0, magnitude = 0;
    std::uint64_t whole = 0, squares = 0;
};

template <class T>
ExactStatistics statisticsOf(const T* values, std::int64_t pixels, int stride, const std::stop_token& stop) {
    const auto at = [&](std::int64_t i) { return values[i * stride]; };
    const auto parts = overStretches<Part>(pixels, stop, [&](Part& part, std::int64_t first, std::int64_t last) {
        for (auto i = first; i < last; ++i) {
            const auto v = static_cast<double>(at(i));
            if (std::isnan(v)) {
                ++part.nan;
                continue;
            }
            if (part.lowestAt < 0 || v < part.lowest) part.lowest = v, part.lowestAt = i;
            if (part.highestAt < 0 || v > part.highest) part.highest = v, part.highestAt = i;
            part.sum += v;
            part.magnitude += std::fabs(v);
            if constexpr (sizeof(T) < 4) {
                part.whole += at(i);
                part.squares += std::uint64_t{at(i)} * at(i);
            }
        }
    });
    ExactStatistics exact;
    ChannelStatistics& f = exact.figures;
    std::uint64_t whole = 0, squares = 0;
    long double sum = 0, magnitude = 0;
    for (const Part& part : parts) {
        f.nan += part.nan;
        if (part.lowestAt >= 0 && (f.minimumAt < 0 || part.lowest < f.minimum))
            f.minimum = part.lowest, f.minimumAt = part.lowestAt;
        if (part.highestAt >= 0 && (f.maximumAt < 0 || part.highest > f.maximum))
            f.maximum = part.highest, f.maximumAt = part.highestAt;
        sum += part.sum;
        magnitude += part.magnitude;
        whole += part.whole;
        squares += part.squares;
    }
    f.count = pixels - f.nan;
    f.total = static_cast<std::int64_t>(whole);
    f.sum = static_cast<double>(sum);
    exact.magnitude = static_cast<double>(magnitude);
    if constexpr (sizeof(T) < 4) {
        f.mean = pixels == 0 ? std::numeric_limits<double>::quiet_NaN() : f.sum / static_cast<double>(pixels);
        f.variance = varianceOf(static_cast<std::uint64_t>(pixels), whole, squares);
        return exact;
    }
    if (f.count == 0) f.minimum = f.maximum = std::numeric_limits<double>::quiet_NaN();
    const long double mean = sum / static_cast<long double>(f.count);
    const auto around = overStretches<long double>(pixels, stop, [&](long double& part, auto first, auto last) {
        for (auto i = first; i < last; ++i) {
            const long double off = static_cast<long double>(at(i)) - mean;
            if (at(i) == at(i)) part += off * off;
        }
    });
    long double all = 0;
    for (const long double part : around) all += part;
    f.mean = static_cast<double>(mean);
    f.variance = static_cast<double>(all / static_cast<long double>(f.count));
    return exact;
}

struct PairPart {
    std::int64_t nan = 0, mismatches = 0;
    long double dot = 0, dotMagnitude = 0, magnitude = 0, squares = 0;
    std::uint64_t whole = 0;
    double largest = 0;
    float low = std::numeric_limits<float>::infinity(), high = -std::numeric_limits<float>::infinity();
};

template <class T>
void addPair(PairPart& part, T a, T b) {
    if constexpr (sizeof(T) == 4) {
        if (std::isfinite(b)) {
            part.low = std::min(part.low, b);
            part.high = std::max(part.high, b);
        }
        if (std::isnan(a) || std::isnan(b)) {
            ++part.nan;
            part.mismatches += std::isnan(a) == std::isnan(b) ? 0 : 1;
            return;
        }
    } else {
        part.whole += std::uint64_t{a} * b;
    }
    const auto x = static_cast<long double>(a), y = static_cast<long double>(b);
    const long double off = a == b ? 0 : std::fabs(x - y);
    part.mismatches += a == b ? 0 : 1;
    part.dot += x * y;
    part.dotMagnitude += std::fabs(x * y);
    part.magnitude += off;
    part.squares += off * off;
    part.largest = std::max(part.largest, static_cast<double>(off));
}

template <class T>
ExactComparison comparisonOf(const T* a, const T* b, std::int64_t pixels, int stride, const std::stop_token& stop) {
    PairPart all;
    for (const PairPart& part : overStretches<PairPart>(pixels, stop, [&](PairPart&p, auto first, auto last) {
             for (auto i = first; i < last; ++i) addPair(p, a[i * stride], b[i * stride]);
         })) {
        all.nan += part.nan;
        all.mismatches += part.mismatches;
        all.dot += part.dot;
        all.dotMagnitude += part.dotMagnitude;
        all.magnitude += part.magnitude;
        all.squares += part.squares;
        all.whole += part.whole;
        all.largest = std::max(all.largest, part.largest);
        all.low = std::min(all.low, part.low);
        all.high = std::max(all.high, part.high);
    }
    ExactComparison exact;
    exact.count = pixels - all.nan;
    exact.magnitude = static_cast<double>(all.dotMagnitude);
    const auto n = static_cast<long double>(exact.count);
    ChannelComparison& f = exact.figures;
    f.dot = static_cast<double>(all.dot);
    f.exactDot = static_cast<std::int64_t>(all.whole);
    f.maxAbs = all.largest;
    f.meanAbs = static_cast<double>(all.magnitude / n);
    f.rmse = static_cast<double>(std::sqrt(all.squares / n));
    double peak = sizeof(T) == 1 ? 255 : 65535;
    if (sizeof(T) == 4) peak = all.high > all.low ? static_cast<double>(all.high) - static_cast<double>(all.low) : 1;
    f.psnr = psnrOf(peak, f.rmse);
    f.mismatches = all.mismatches;
    return exact;
}

}  // namespace

ExactStatistics exactStatistics(const io::Grid& picture, int channel, const std::stop_token& stop) {
    const int channels = picture.shape().channels;
    return io::withSampleType(picture.type(), [&]<class T>(T) {
        return statisticsOf(picture.as<T>() + channel, picture.shape().pixels(), channels, stop);
    });
}

ExactComparison exactComparison(const io::Grid& picture, const io::Grid& with, int channel,
                                const std::stop_token& stop) {
    const int channels = picture.shape().channels;
    return io::withSampleType(picture.type(), [&]<class T>(T) {
        return comparisonOf(picture.as<T>() + channel, with.as<T>() + channel, picture.shape().pixels(), channels,
                            stop);
    });
}

}  // namespace warplens::gpu::reduction
