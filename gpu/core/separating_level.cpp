// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/separating_level.hpp"

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

/// NaN where there is nothing to part.
double otsu(const std::vector<double>& values, bool floats) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto [low, high] = std::ranges::minmax(values);
    if (high <= low) return std::numeric_limits<double>::quiet_NaN();
    std::array<double, kBinCount> counts{};
    const double wide = (high - low) / static_cast<double>(kBinCount - 1);
    for (const double value : values) ++counts[static_cast<std::size_t>((value - low) / wide)];
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
    const double level = low + wide * (static_cast<double>(first + last) / 2 + 0.5);
    return floats ? level : std::floor(level);
}

}  // namespace

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
