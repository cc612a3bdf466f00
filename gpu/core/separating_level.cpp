// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/separating_level.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

namespace warplens::gpu {

namespace {

constexpr std::int64_t kSampled = 1 << 16;
constexpr std::size_t kBinCount = 256;
constexpr double kOfMasks = 0.5;

std::vector<double> sample(const io::Grid& grid) {
    const io::Shape& s = grid.shape();
    const int colours = s.channels == 4 ? 3 : s.channels;
    std::int64_t stride = std::max<std::int64_t>(1, s.pixels() / kSampled);
    while (std::gcd(stride, s.width) != 1) ++stride;  // every column, not a few
    std::vector<double> values;
    for (std::int64_t i = 0; i < s.pixels(); i += stride) {
        double least = grid.value(i, 0);
        for (int c = 1; c < colours; ++c) least = std::min(least, grid.value(i, 0, 0, c));
        if (std::isfinite(least)) values.push_back(least);
    }
    return values;
}

}  // namespace

double separatingLevel(const io::Grid& grid) {
    const std::vector<double> values = sample(grid);
    if (values.empty()) return kOfMasks;
    const auto [low, high] = std::ranges::minmax(values);
    if (high <= low) return kOfMasks;
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
    return grid.type() == io::PixelType::f32 ? level : std::floor(level);
}

Parameter levelParameter(const std::string& help) {
    return {.id = "level",
            .title = "Level",
            .type = Parameter::Type::real,
            .fallback = std::string(kAutomatic),
            .minimum = -3e38,
            .maximum = 3e38,
            .choices = {kAutomatic},
            .help = help + " auto parts the picture's values best, by Otsu's method."};
}

Level levelOf(const std::vector<Parameter>& parameters, const ParameterValues& values, const io::Grid& grid) {
    const Parameter::Value& asked = valueOf(parameters, values, "level");
    if (const auto* number = std::get_if<double>(&asked)) return {.value = *number};
    const double level = separatingLevel(grid);
    char fact[64];
    std::snprintf(fact, sizeof fact, "level %.6g, by Otsu's method", level);
    return {.value = level, .fact = fact};
}

}  // namespace warplens::gpu
