// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/contention_map.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/histogram/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace warplens::gpu::histogram {
namespace {

constexpr std::int64_t kCell = 32;

}  // namespace

std::vector<std::uint32_t> slotsOf(const io::Grid& values, int channel, const Edges& edges) {
    const auto pixels = values.shape().pixels();
    const int stride = values.shape().channels;
    std::vector<std::uint32_t> slots(static_cast<std::size_t>(pixels));
    const auto fill = [&](auto slotOf) {
        tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, pixels, 65536), [&](const auto& range) {
            for (auto i = range.begin(); i != range.end(); ++i)
                slots[static_cast<std::size_t>(i)] = slotOf(i * stride + channel);
        });
    };
    if (values.type() == io::PixelType::f32) {
        const float* v = values.as<float>();
        fill([&](std::int64_t i) {
            const double value = v[i];
            if (std::isnan(value)) return nanSlot(edges.bins());
            if (value < edges.lo()) return belowSlot(edges.bins());
            if (value >= edges.hi()) return aboveSlot(edges.bins());
            return static_cast<std::uint32_t>(std::upper_bound(edges.values.begin(), edges.values.end(), value) -
                                              edges.values.begin() - 1);
        });
    } else {
        const auto table = lookUpTable(edges, values.type());
        if (values.type() == io::PixelType::u8)
            fill([&, v = values.as<std::uint8_t>()](std::int64_t i) { return table[v[i]]; });
        else
            fill([&, v = values.as<std::uint16_t>()](std::int64_t i) { return table[v[i]]; });
    }
    return slots;
}

ContentionMap contentionMap(const HistogramProblem& problem, const io::Grid& picture, const Variant& variant,
                            const TunableValues& tunables, const DeviceInfo& device, int channel,
                            const std::stop_token& stop) {
    if (variant.kind != Variant::Kind::kernel) {
        throw Error(Error::Kind::argument, variant.id + ": contention is counted for kernels: choose one");
    }
    // Every build maps values to lanes in the same way.
    const WarpMapping mapping =
        ladder().anyBuildOf(variant).mapping(problem.caseFor(device.sharedBytesPerBlock), tunables);
    const auto slots = slotsOf(*problem.input(), channel, problem.edges());
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "contention: stopped");
    ContentionMap result;
    result.counted = countContention(slots, mapping, stop);

    const auto& s = picture.shape();
    result.map = io::Grid(io::Shape{s.width, s.height, s.depth, 1}, io::PixelType::f32);
    result.map.geometry = picture.geometry;
    float* to = result.map.as<float>();
    const Selection& selection = problem.selection();
    const bool whole = selection.whole(s);
    std::int64_t value = 0;  // of the selected ones, in the order in which they were gathered
    for (std::int64_t z = 0; z < s.depth; ++z) {
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "contention: stopped");
        for (std::int64_t y = 0; y < s.height; ++y) {
            for (std::int64_t x = 0; x < s.width; ++x) {
                const bool counted = whole || selection.contains(x, y, z);
                *to++ = counted ? result.counted.cells[static_cast<std::size_t>(value++ / kCell)]
                                : std::numeric_limits<float>::quiet_NaN();
            }
        }
    }
    return result;
}

}  // namespace warplens::gpu::histogram
