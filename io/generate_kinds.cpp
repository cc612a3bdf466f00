// SPDX-License-Identifier: Apache-2.0
#include "io/generate.hpp"
#include "io/generate_description.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <vector>

namespace warplens::io::generated {
namespace {

double squaredDistance(const Shape& s, std::int64_t x, std::int64_t y, std::int64_t z) {
    // From the value that gen:impulse sets, so that a bump and an impulse share their centre.
    const auto dx = static_cast<double>(x - s.width / 2);
    const auto dy = static_cast<double>(y - s.height / 2);
    const auto dz = static_cast<double>(z - s.depth / 2);
    return dx * dx + dy * dy + dz * dz;
}

Brightness gradient(Description& d) {
    const auto axis = d.takeWord("axis", "x");
    const auto share = [](std::int64_t i, std::int64_t n) {
        return n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 0.0;
    };
    const auto s = d.shape;
    if (axis == "x") return [=](auto x, auto, auto) { return share(x, s.width); };
    if (axis == "y") return [=](auto, auto y, auto) { return share(y, s.height); };
    if (axis == "z") return [=](auto, auto, auto z) { return share(z, s.depth); };
    if (axis == "xy") return [=](auto x, auto y, auto) { return share(x + y, s.width + s.height - 1); };
    refuse("gen: axis " + inQuotes(axis), "choose x, y, z or xy");
}

Brightness checkerboard(Description& d) {
    const auto cell = d.take<std::int64_t>("cell", 8);
    if (cell < 1) refuse("gen: cell=" + std::to_string(cell), "choose at least 1");
    return [=](auto x, auto y, auto z) { return static_cast<double>((x / cell + y / cell + z / cell) % 2); };
}

Brightness zoneplate(Description& d) {
    const auto s = d.shape;
    // The phase grows as r^2: its slope reaches pi a value, the Nyquist rate, at half the longest side.
    const auto rate = std::numbers::pi / static_cast<double>(std::max({s.width, s.height, s.depth}));
    return [=](auto x, auto y, auto z) { return 0.5 + 0.5 * std::cos(rate * squaredDistance(s, x, y, z)); };
}

Brightness gaussian(Description& d) {
    const auto s = d.shape;
    auto shortest = std::min(s.width, s.height);
    if (s.depth > 1) shortest = std::min(shortest, s.depth);
    const auto sigma = d.take<double>("sigma", std::max(1.0, static_cast<double>(shortest) / 6));
    if (!(sigma > 0) || !std::isfinite(sigma)) refuse("gen: sigma must be above 0", "choose a width in values");
    return [=](auto x, auto y, auto z) { return std::exp(-squaredDistance(s, x, y, z) / (2 * sigma * sigma)); };
}

Brightness sphere(Description& d) {
    const auto s = d.shape;
    auto shortest = std::min(s.width, s.height);
    if (s.depth > 1) shortest = std::min(shortest, s.depth);
    const auto radius = d.take<double>("r", 0.4 * static_cast<double>(shortest));
    if (!(radius > 0) || !std::isfinite(radius)) refuse("gen: r must be above 0", "choose a radius in values");
    // The surface is one value thick, so that it has a slope to be filtered and shaded.
    return [=](auto x, auto y, auto z) {
        return std::clamp(radius - std::sqrt(squaredDistance(s, x, y, z)) + 0.5, 0.0, 1.0);
    };
}

/// From -1 to 1 along an axis, 0 for an axis of one value.
double unit(std::int64_t i, std::int64_t n) {
    return n > 1 ? 2 * static_cast<double>(i) / static_cast<double>(n - 1) - 1 : 0.0;
}

/// The test signal of Marschner and Lobb (An evaluation of reconstruction filters for volume rendering, Visualization
/// 1994), with their frequency of 6 and amplitude of 0.25.
Brightness marschnerLobb(Description& d) {
    const auto frequency = d.take<double>("frequency", 6);
    const auto amplitude = d.take<double>("amplitude", 0.25);
    if (!std::isfinite(frequency)) refuse("gen: frequency must be finite", "choose 6, for example");
    if (!(amplitude >= 0) || !std::isfinite(amplitude))
        refuse("gen: amplitude must not be negative", "choose 0.25, for example");
    const auto s = d.shape;
    return [=](auto ix, auto iy, auto iz) {
        const auto x = unit(ix, s.width);
        const auto y = unit(iy, s.height);
        const auto z = unit(iz, s.depth);
        const auto half = std::numbers::pi / 2;
        const auto ripple = std::cos(2 * std::numbers::pi * frequency * std::cos(half * std::sqrt(x * x + y * y)));
        return (1 - std::sin(half * z) + amplitude * (1 + ripple)) / (2 * (1 + amplitude));
    };
}

/// Gaussian spots at places that the seed decides; where they overlap the brightest counts.
Brightness hotspots(Description& d) {
    const auto count = d.take<std::int64_t>("count", 8);
    const auto seed = d.take<std::uint64_t>("seed", 0);
    const auto s = d.shape;
    auto shortest = std::min(s.width, s.height);
    if (s.depth > 1) shortest = std::min(shortest, s.depth);
    const auto sigma = d.take<double>("sigma", std::max(1.0, static_cast<double>(shortest) / 16));
    if (count < 1 || count > 1000) refuse("gen: count=" + std::to_string(count), "choose 1 to 1000 spots");
    if (!(sigma > 0) || !std::isfinite(sigma)) refuse("gen: sigma must be above 0", "choose a width in values");
    std::vector<std::array<double, 3>> spots(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < spots.size(); ++i) {
        const auto place = [&](std::uint64_t axis, std::int64_t extent) {
            const auto share = static_cast<double>(randomBits(seed, 3 * i + axis) >> 11) * 0x1p-53;
            return std::floor(share * static_cast<double>(extent));
        };
        spots[i] = {place(0, s.width), place(1, s.height), place(2, s.depth)};
    }
    return [=](auto x, auto y, auto z) {
        auto nearest = std::numeric_limits<double>::infinity();
        for (const auto& spot : spots) {
            const auto dx = static_cast<double>(x) - spot[0];
            const auto dy = static_cast<double>(y) - spot[1];
            const auto dz = static_cast<double>(z) - spot[2];
            nearest = std::min(nearest, dx * dx + dy * dy + dz * dz);
        }
        return std::exp(-nearest / (2 * sigma * sigma));
    };
}

}  // namespace

Brightness brightnessOf(Description& d, const std::stop_token& stop) {
    if (d.kind == "maze") return maze(d, stop);
    static const std::map<std::string, Brightness (*)(Description&), std::less<>> kKinds{
        {"gradient", gradient},   {"checkerboard", checkerboard},
        {"zoneplate", zoneplate}, {"gaussian", gaussian},
        {"sphere", sphere},       {"marschner_lobb", marschnerLobb},
        {"hotspots", hotspots},   {"spiral", spiral},
        {"comb", comb},           {"blobs", blobs},
        {"coins", coins}};
    const auto found = kKinds.find(d.kind);
    return found == kKinds.end() ? Brightness{} : found->second(d);
}

}  // namespace warplens::io::generated
