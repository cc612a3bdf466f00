// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/families/flood/problem.hpp"
#include "gpu/families/flood/seeds.hpp"

#include <chrono>
#include <cstring>
#include <vector>

namespace warplens::gpu::library {
namespace {

template <class T>
struct Floor {
    const T* values;
    const float* bounds;
    std::size_t channels;

    bool accepts(std::uint32_t seed, std::uint32_t pixel) const {
        const float* const own = bounds + 2 * channels * seed;
        for (std::size_t c = 0; c < channels; ++c) {
            const auto value = static_cast<float>(values[pixel * channels + c]);
            if (!(value >= own[2 * c] && value <= own[2 * c + 1])) return false;
        }
        return true;
    }
};

struct Item {
    std::uint32_t pixel, seed;
};

/// Seeds stand in the queue in their order, and so does what they reach: the first to come is the first in the list.
template <class T>
void workOff(const Floor<T>& floor, const flood::Seeds& seeds, const io::Shape& s, flood::Connectivity connectivity,
             std::int32_t* steps, const std::stop_token& stop) {
    using flood::Connectivity;
    const bool corners = connectivity == Connectivity::corners || connectivity == Connectivity::all;
    const bool deep = connectivity == Connectivity::faces || connectivity == Connectivity::all;
    std::vector<Item> queue;
    for (std::size_t i = 0; i < seeds.pixels.size(); ++i) {
        steps[seeds.pixels[i]] = 0;
        queue.push_back({seeds.pixels[i], seeds.colours ? seeds.indices[i] : 0});
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
        if (i % (1U << 16U) == 0 && stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
        const Item item = queue[i];
        const std::int32_t level = steps[item.pixel] + 1;
        const auto offer = [&](std::int64_t pixel) {
            if (steps[pixel] >= 0 || !floor.accepts(item.seed, static_cast<std::uint32_t>(pixel))) return;
            steps[pixel] = level;
            queue.push_back({static_cast<std::uint32_t>(pixel), item.seed});
        };
        const std::int64_t pixel = item.pixel, x = pixel % s.width, row = pixel / s.width, y = row % s.height;
        const std::int64_t z = row / s.height, slice = s.width * s.height;
        if (!corners) {
            if (x > 0) offer(pixel - 1);
            if (x + 1 < s.width) offer(pixel + 1);
            if (y > 0) offer(pixel - s.width);
            if (y + 1 < s.height) offer(pixel + s.width);
            if (deep && z > 0) offer(pixel - slice);
            if (deep && z + 1 < s.depth) offer(pixel + slice);
            continue;
        }
        for (std::int64_t dz = deep && z > 0 ? -1 : 0; dz <= (deep && z + 1 < s.depth ? 1 : 0); ++dz)
            for (std::int64_t dy = y > 0 ? -1 : 0; dy <= (y + 1 < s.height ? 1 : 0); ++dy)
                for (std::int64_t dx = x > 0 ? -1 : 0; dx <= (x + 1 < s.width ? 1 : 0); ++dx)
                    offer(pixel + dz * slice + dy * s.width + dx);
    }
}

/// A queue of pixels on one core. Returns its milliseconds, the picture's limits made beforehand.
double hostQueue(const io::Grid& input, const flood::FloodOptions& asked, io::Grid& steps,
                 const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    const auto seeds = flood::seedsOf(input, asked);
    const auto start = Clock::now();
    std::memset(steps.data(), 0xff, steps.bytes());
    io::withSampleType(input.type(), [&]<class T>(T) {
        const Floor<T> floor{input.as<T>(), seeds.bounds.data(), static_cast<std::size_t>(input.shape().channels)};
        workOff(floor, seeds, input.shape(), asked.connectivity, steps.as<std::int32_t>(), stop);
    });
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::flood {

FloodFrame::Library host_queue_library() {
    return {.run = [](const FloodProblem& p, double& milliseconds, const std::stop_token& stop) -> Result {
        auto steps = p.emptyOutput();
        milliseconds = library::hostQueue(*p.input(), p.asked(), *steps, stop);
        return resultOf(std::move(steps));
    }};
}

}  // namespace warplens::gpu::flood
