// SPDX-License-Identifier: Apache-2.0
// Kinds whose bright regions are what matters: where they lie, and how they hang together.
#include "io/generate.hpp"
#include "io/generate_description.hpp"

#include <algorithm>
#include <array>

namespace warplens::io::generated {
namespace {

std::int64_t takeExtent(Description& d, const char* key, std::int64_t otherwise) {
    const auto extent = d.take<std::int64_t>(key, otherwise);
    if (extent < 1) refuse(std::string("gen: ") + key + "=" + std::to_string(extent), "choose at least 1");
    return extent;
}

/// Uniform from 0 to 1, the same for the same cell of a lattice.
double shareOf(std::uint64_t seed, std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto bits = [](std::int64_t i) { return static_cast<std::uint64_t>(i); };
    return static_cast<double>(randomBits(randomBits(randomBits(seed, bits(x)), bits(y)), bits(z)) >> 11) * 0x1p-53;
}

}  // namespace

Brightness spiral(Description& d) {
    const auto width = takeExtent(d, "width", 1);
    const auto columns = (d.shape.width + width - 1) / width, rows = (d.shape.height + width - 1) / width;
    const auto rings = (std::min(columns, rows) + 1) / 2;
    return [=](auto px, auto py, auto) {
        const auto x = px / width, y = py / width;
        // Rings around one another, every other one bright; each is cut below its corner and led on to the next.
        const auto ring = std::min({x, y, columns - 1 - x, rows - 1 - y});
        const bool below = x == ring && y == ring + 1;
        if (ring % 2 == 0) return below && columns - 1 - ring > ring ? 0.0 : 1.0;
        return below && ring + 1 < rings ? 1.0 : 0.0;
    };
}

Brightness comb(Description& d) {
    const auto width = takeExtent(d, "width", 1);
    const auto back = d.shape.height - width;
    return [=](auto x, auto y, auto) { return y >= back || x / width % 2 == 0 ? 1.0 : 0.0; };
}

Brightness blobs(Description& d) {
    const auto cell = takeExtent(d, "cell", 16);
    const auto seed = d.take<std::uint64_t>("seed", 0);
    const bool volume = d.shape.depth > 1;
    return [=](auto x, auto y, auto z) {
        // Between the corners of its cell, with a slope of 0 there.
        const auto weight = [cell](std::int64_t i) {
            const double t = static_cast<double>(i % cell) / static_cast<double>(cell);
            return t * t * (3 - 2 * t);
        };
        const auto alongX = [&](std::int64_t cy, std::int64_t cz) {
            const double left = shareOf(seed, x / cell, cy, cz), right = shareOf(seed, x / cell + 1, cy, cz);
            return left + (right - left) * weight(x);
        };
        const auto alongY = [&](std::int64_t cz) {
            const double above = alongX(y / cell, cz), below = alongX(y / cell + 1, cz);
            return above + (below - above) * weight(y);
        };
        if (!volume) return alongY(0);
        const double before = alongY(z / cell), behind = alongY(z / cell + 1);
        return before + (behind - before) * weight(z);
    };
}

Brightness coins(Description& d) {
    const auto cell = takeExtent(d, "cell", 64);
    const auto seed = d.take<std::uint64_t>("seed", 0);
    const auto noise = d.take<double>("noise", 0.06);
    if (!(noise >= 0 && noise <= 1)) refuse("gen: noise must be from 0 to 1", "choose 0.06, for example");
    const bool volume = d.shape.depth > 1;
    const auto s = d.shape;
    return [=](auto x, auto y, auto z) {
        const auto side = static_cast<double>(cell);
        const std::array<std::int64_t, 3> at{x, y, z}, in{x / cell, y / cell, z / cell};
        const auto random = [&](std::uint64_t which) { return shareOf(seed + which, in[0], in[1], in[2]); };
        // A coin a cell, wholly inside it.
        const double radius = side * (0.22 + 0.24 * random(0)), play = side / 2 - radius - 0.5;
        double squared = 0;
        for (std::uint64_t axis = 0; axis < (volume ? 3U : 2U); ++axis) {
            const double centre = (side - 1) / 2 + play * (2 * random(axis + 1) - 1);
            const double away = static_cast<double>(at[axis] - in[axis] * cell) - centre;
            squared += away * away;
        }
        const double inside = std::clamp(radius - std::sqrt(squared) + 0.5, 0.0, 1.0);
        const auto counter = static_cast<std::uint64_t>((z * s.height + y) * s.width + x);
        const double grain = static_cast<double>(randomBits(seed, counter) >> 11) * 0x1p-53 - 0.5;
        const double face = 0.62 + 0.2 * random(4);
        return std::clamp(0.22 + (face - 0.22) * inside + 2 * noise * grain, 0.0, 1.0);
    };
}

}  // namespace warplens::io::generated
