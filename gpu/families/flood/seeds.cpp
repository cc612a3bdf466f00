// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/flood/seeds.hpp"

#include "gpu/core/float_bound.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gpu::flood {

Seeds seedsOf(const io::Grid& input, const FloodOptions& asked) {
    Seeds seeds;
    const io::Shape& s = input.shape();
    const auto channels = static_cast<std::size_t>(s.channels);
    for (std::size_t i = 0; i < asked.seeds.size(); ++i) {
        const auto [x, y, z] = asked.seeds[i];
        bool numbers = true;
        for (int c = 0; c < s.channels; ++c) {
            const double value = input.value(x, y, z, c);
            numbers = numbers && !std::isnan(value);
            seeds.bounds.push_back(std::isnan(value) ? 0 : floatAtLeast(value - asked.tolerance));
            seeds.bounds.push_back(std::isnan(value) ? 0 : floatAtMost(value + asked.tolerance));
        }
        const auto pixel = static_cast<std::uint32_t>((z * s.height + y) * s.width + x);
        if (!numbers || std::ranges::find(seeds.pixels, pixel) != seeds.pixels.end()) continue;
        const auto boundsOf = [&](std::size_t index) {
            return seeds.bounds.begin() + static_cast<std::ptrdiff_t>(2 * channels * index);
        };
        if (!seeds.indices.empty() && !std::equal(boundsOf(i), seeds.bounds.end(), boundsOf(seeds.indices.front())))
            seeds.colours = true;
        seeds.pixels.push_back(pixel);
        seeds.indices.push_back(static_cast<std::uint32_t>(i));
    }
    if (!seeds.colours && !seeds.indices.empty()) {
        // Keys of one colour do not say whose they are: all are the first's.
        const auto first = seeds.indices.front();
        std::copy_n(seeds.bounds.begin() + static_cast<std::ptrdiff_t>(2 * channels * first), 2 * channels,
                    seeds.bounds.begin());
    }
    return seeds;
}

}  // namespace warplens::gpu::flood
