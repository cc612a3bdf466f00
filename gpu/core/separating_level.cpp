// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/separating_level.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <vector>

namespace warplens::gpu {

namespace {

constexpr std::int64_t kSampled = 1 << 16;
constexpr std::size_t kBinCount = 256;
constexpr double kOfOneValue = 0;

/// Of each `stride`-th pixel the least colour, where it is finite.
template <class F>
void eachLeast(const io::Grid& grid, std::int64_t stride, F f) {
    const io::Shape& s = grid.shape();
    const int colours = s.channels == 4 ? 3 : s.channels;
    for (std::int64_t i = 0; i < s.pixels(); i += stride) {
        double least = grid.value(i, 0);
        for (int c = 1; c < colours; ++c) least = std::min(least, grid.value(i, 0, 0, c));
        if (std::isfinite(least)) f(least);
    }
}

std::vector<double> sample(const io::Grid& grid) {
    const io::Shape& s = grid.shape();
    std::int64_t stride = std::max<std::int64_t>(1, s.pixels() / kSampled);
    while (std::gcd(stride, s.width) != 1) ++stride;  // every column, not a few
    std::vector<double> values;
    eachLeast(grid, stride, [&](double value) { values.push_back(value); });
    if (!values.empty() && std::ranges::min(values) < std::ranges::max(values)) return values;
    // A few pixels that the sample has missed make it a picture of several values.
    double low = std::numeric_limits<double>::infinity(), high = -low;
    eachLeast(grid, 1, [&](double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    });
    return low < high ? std::vector{low, high} : low == high ? std::vector{low} : std::vector<double>{};
}

/// The values in bins of equal width from the least to the largest, each in the middle of its bin.
struct Histogram {
    std::array<double, kBinCount> counts{};
    double low = 0, wide = 0;
    double middle(double bin) const { return low + wide * bin; }
};
Histogram histogramOf(const std::vector<double>& values) {
    const auto [low, high] = std::ranges::minmax(values);
    Histogram made{.low = low, .wide = (high - low) / static_cast<double>(kBinCount - 1)};
    for (const double value : values) ++made.counts[static_cast<std::size_t>((value - low) / made.wide)];
    return made;
}

/// The bin farthest from the line that leads from the peak to the end of the longer tail.
double triangle(const std::vector<double>& values) {
    Histogram histogram = histogramOf(values);
    auto& counts = histogram.counts;
    std::size_t peak = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
    const bool flipped = peak < kBinCount - 1 - peak;
    if (flipped) {
        std::ranges::reverse(counts);
        peak = kBinCount - 1 - peak;
    }
    const auto width = static_cast<double>(peak), height = counts[peak];
    double most = -1;
    std::size_t best = 0;
    for (std::size_t i = 0; i < peak; ++i)
        if (const double apart = height * static_cast<double>(i) - width * counts[i]; apart > most) {
            most = apart;
            best = i;
        }
    return histogram.middle(static_cast<double>(flipped ? kBinCount - 1 - best : best));
}

/// The least level that lies in the middle of the means of both parts.
double isodata(const std::vector<double>& values) {
    const Histogram histogram = histogramOf(values);
    double all = 0, sum = 0, below = 0, sumBelow = 0;
    for (std::size_t i = 0; i < kBinCount; ++i) {
        all += histogram.counts[i];
        sum += histogram.counts[i] * static_cast<double>(i);
    }
    for (std::size_t i = 0; i + 1 < kBinCount; ++i) {
        below += histogram.counts[i];
        sumBelow += histogram.counts[i] * static_cast<double>(i);
        if (below == 0 || below == all) continue;
        const double beyond = (sumBelow / below + (sum - sumBelow) / (all - below)) / 2 - static_cast<double>(i);
        if (beyond >= 0 && beyond < 1) return histogram.middle(static_cast<double>(i));
    }
    return histogram.middle(sum / all);
}

double meanOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// From the mean on, until a step is shorter than half of what values differ by at least.
double li(std::vector<double> values) {
    std::ranges::sort(values);
    const double low = values.front();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i] > values[i - 1]) least = std::min(least, values[i] - values[i - 1]);
    constexpr int kMostSteps = 1000;
    double level = meanOf(values), before = -std::numeric_limits<double>::infinity();
    for (int step = 0; step < kMostSteps && std::fabs(level - before) > least / 2; ++step) {
        before = level;
        double above = 0, sumAbove = 0, below = 0, sumBelow = 0;
        for (const double value : values) {
            (value > level ? above : below) += 1;
            (value > level ? sumAbove : sumBelow) += value - low;
        }
        if (above == 0 || below == 0 || sumBelow == 0) break;  // the rest below is all of the least value
        const double fore = sumAbove / above, back = sumBelow / below;
        level = low + (back - fore) / (std::log(back) - std::log(fore));
    }
    return level;
}

/// NaN where there is nothing to part.
double otsu(const std::vector<double>& values, bool floats) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto [low, high] = std::ranges::minmax(values);
    if (high <= low) return std::numeric_limits<double>::quiet_NaN();
    const auto [counts, least, wide] = histogramOf(values);
    double all = 0, sum = 0;
    for (std::size_t i = 0; i < kBinCount; ++i) {
        all += counts[i];
        sum += counts[i] * static_cast<double>(i);
    }
    double below = 0, sumBelow = 0, best = -1;
    std::size_t first = 0, last = 0;
    for (std::size_t i = 0; i + 1 < kBinCount; ++i) {
        below += counts[i];
        sumBelow += counts[i] * static_cast<double>(i);
        if (below == 0 || below == all) continue;
        const double apart = sumBelow / below - (sum - sumBelow) / (all - below);
        const double between = below * (all - below) * apart * apart;
        if (between > best * (1 + 1e-12)) {
            best = between;
            first = i;
        }
        if (between >= best * (1 - 1e-12)) last = i;
    }
    const double level = least + wide * (static_cast<double>(first + last) / 2 + 0.5);
    return floats ? level : std::floor(level);
}

}  // namespace

const std::vector<std::string>& levelRules() {
    static const std::vector<std::string> all{"otsu", "triangle", "isodata", "li", "mean"};
    return all;
}

double separatingLevel(const io::Grid& grid, const std::string& rule) {
    if (std::ranges::find(levelRules(), rule) == levelRules().end())
        throw Error(Error::Kind::argument, "no rule '" + rule + "' for a level");
    const std::vector<double> values = sample(grid);
    if (values.empty() || std::ranges::min(values) == std::ranges::max(values)) return kOfOneValue;
    const bool floats = grid.type() == io::PixelType::f32;
    if (rule == "otsu") return otsu(values, floats);
    const double level = rule == "triangle"  ? triangle(values)
                         : rule == "isodata" ? isodata(values)
                         : rule == "li"      ? li(values)
                                             : meanOf(values);
    return floats ? level : std::floor(level);
}

double otsuThreshold(const io::Grid& grid) {
    const double level = otsu(sample(grid), grid.type() == io::PixelType::f32);
    return std::isnan(level) ? kOfOneValue : level;
}

Parameter levelParameter(const std::string& help) {
    return {
        .id = "level",
        .title = "Level",
        .role = Parameter::Role::level,
        .type = Parameter::Type::real,
        .fallback = std::string(kAutomatic),
        .minimum = -3e38,
        .maximum = 3e38,
        .choices = {kAutomatic},
        .help = help + " auto parts the picture's values best, by Otsu's method; of a picture of one value it is 0."};
}

Level levelOf(const Parameter::Value& asked, const io::Grid& grid) {
    if (const auto* number = std::get_if<double>(&asked)) return {.value = *number};
    const std::vector<double> sampled = sample(grid);
    const double level = otsu(sampled, grid.type() == io::PixelType::f32);
    char fact[96];
    if (!std::isnan(level)) {
        std::snprintf(fact, sizeof fact, "level %.6g, by Otsu's method", level);
        return {.value = level, .fact = fact};
    }
    if (sampled.empty())
        std::snprintf(fact, sizeof fact, "level %.6g, as no pixel has a finite value", kOfOneValue);
    else
        std::snprintf(fact, sizeof fact, "level %.6g, as all pixels are %.6g", kOfOneValue, sampled.front());
    return {.value = kOfOneValue, .fact = fact};
}

}  // namespace warplens::gpu
