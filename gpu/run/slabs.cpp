// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/slabs.hpp"

#include "gpu/device/memory_budget.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <tbb/parallel_for.h>

namespace warplens::gpu {
namespace {

std::string decimalSize(std::int64_t bytes) {
    static constexpr std::array<const char*, 5> kUnits{"bytes", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.3g %s", value, kUnits[unit]);
    return text;
}

/// The slice that stands for i, or -1 where there are zeros.
std::int64_t standIn(std::int64_t i, std::int64_t n, Border border) {
    if (i >= 0 && i < n) return i;
    switch (border) {
        case Border::zero: return -1;
        case Border::replicate: return i < 0 ? 0 : n - 1;
        case Border::wrap: return (i % n + n) % n;
        case Border::reflect: break;
    }
    const std::int64_t period = std::max<std::int64_t>(1, 2 * (n - 1));
    const std::int64_t at = (i % period + period) % period;
    return at < n ? at : period - at;
}

}  // namespace

Slab SlabPlan::at(std::int64_t i) const {
    if (shares.empty()) return {i * slices, std::min(slices, depth - i * slices)};
    return {std::accumulate(shares.begin(), shares.begin() + i, std::int64_t{0}), shares[static_cast<std::size_t>(i)]};
}

std::string SlabPlan::sentence() const {
    const std::string line = axis == 2 ? " slice" : axis == 1 ? " row" : " pixel";
    const std::int64_t fewest = shares.empty() ? slices : *std::ranges::min_element(shares);
    return std::to_string(count()) + (count() == 1 ? " slab of " : " slabs of ") +
           (fewest < slices ? std::to_string(fewest) + " to " : "") + std::to_string(slices) + line +
           (slices == 1 ? "" : "s") + ", halo " + std::to_string(halo) + ", " + decimalSize(bytes) + " on the device" +
           (overlapped ? ", overlapped" : "");
}

SlabMap SlabPlan::map(const std::string& device) const {
    return {.axis = axis,
            .lines = depth,
            .each = slices,
            .halo = halo,
            .devices = {device},
            .held = {{.device = 0, .first = 0, .lines = depth}}};
}

SlabMap mapOf(const SlabPlan& plan, const std::vector<Device*>& devices, const std::vector<std::size_t>& owners) {
    SlabMap map = plan.map({});
    map.devices.clear();
    map.held.clear();
    for (const Device* device : devices) map.devices.push_back(device->info().id);
    for (std::size_t i = 0; i < owners.size(); ++i) {
        const Slab slab = plan.at(static_cast<std::int64_t>(i));
        if (i > 0 && owners[i - 1] == owners[i])
            map.held.back().lines += slab.slices;
        else
            map.held.push_back({owners[i], slab.first, slab.slices});
    }
    return map;
}

SlabPlan planSlabs(std::int64_t depth, std::int64_t halo, std::int64_t budget,
                   const std::function<std::int64_t(std::int64_t)>& bytesFor, const std::string& where, int axis,
                   std::int64_t parts) {
    if (bytesFor(1) > budget) {
        const std::string slice =
            (axis == 2 ? "one slice with a halo of " : "one row with a halo of ") + std::to_string(halo);
        refuseMemory(where, depth == 1 ? "the picture" : slice, bytesFor(1), budget);
    }
    std::int64_t fits = 1, tooMany = std::max<std::int64_t>(1, (depth + parts - 1) / parts) + 1;
    while (tooMany - fits > 1) {
        const auto middle = fits + (tooMany - fits) / 2;
        (bytesFor(middle) <= budget ? fits : tooMany) = middle;
    }
    // As many slabs, but none much smaller than the others.
    const auto count = (depth + fits - 1) / fits;
    const auto slices = (depth + count - 1) / count;
    return {.depth = depth, .slices = slices, .halo = halo, .bytes = bytesFor(slices), .axis = axis};
}

std::int64_t partsFor(const std::vector<Device*>& devices) {
    const auto other = [&](const Device* device) { return device->info().name != devices.front()->info().name; };
    return static_cast<std::int64_t>(devices.size()) * (std::ranges::any_of(devices, other) ? 4 : 1);
}

std::vector<std::int64_t> sharesOf(std::int64_t depth, const std::vector<double>& speeds,
                                   const std::vector<std::int64_t>& most) {
    const std::size_t count = speeds.size();
    if (depth < static_cast<std::int64_t>(count) || std::ranges::min(most) < 1) return {};
    // Every slice goes to the device that is done with it first.
    std::vector<std::int64_t> shares(count, 1);
    const auto done = [&](std::size_t i) { return static_cast<double>(shares[i] + 1) / speeds[i]; };
    for (auto left = depth - static_cast<std::int64_t>(count); left > 0; --left) {
        std::size_t best = count;
        for (std::size_t i = 0; i < count; ++i)
            if (shares[i] < most[i] && (best == count || done(i) < done(best))) best = i;
        if (best == count) return {};
        ++shares[best];
    }
    return shares;
}

std::string sharedBy(const SlabMap& map, const std::string& how) {
    if (map.devices.size() < 2) return {};
    constexpr std::size_t kMostStretches = 6;
    std::string text = "; " + std::to_string(map.devices.size()) + " devices at once, " + how;
    if (map.held.empty()) return text;
    for (std::size_t device = 0; device < map.devices.size(); ++device) {
        std::string stretches;
        std::size_t count = 0;
        std::int64_t slabs = 0;
        for (const SlabMap::Stretch& held : map.held) {
            if (held.device != device) continue;
            stretches += (count++ == 0 ? std::string(" ") + map.unit() + ' ' : " and ") + std::to_string(held.first) +
                         " to " + std::to_string(held.first + held.lines - 1);
            slabs += (held.lines + map.each - 1) / map.each;
        }
        if (count > kMostStretches) stretches = " " + std::to_string(slabs) + " slabs";
        text += (device == 0 ? ": " : ", ") + map.devices[device] + (count == 0 ? " none" : stretches);
    }
    return text;
}

const std::byte* slicesFrom(const io::Grid& grid, std::int64_t first, std::int64_t count, Border border,
                            Scratch& staging) {
    const auto& s = grid.shape();
    const auto bytes = grid.bytes() / static_cast<std::size_t>(s.depth);
    if (first >= 0 && first + count <= s.depth) return grid.data() + static_cast<std::size_t>(first) * bytes;
    std::byte* const room = staging.room(static_cast<std::size_t>(count) * bytes);
    tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t i) {
        std::byte* to = room + static_cast<std::size_t>(i) * bytes;
        const auto from = standIn(first + i, s.depth, border);
        if (from < 0)
            std::memset(to, 0, bytes);
        else
            std::memcpy(to, grid.data() + static_cast<std::size_t>(from) * bytes, bytes);
    });
    return room;
}

}  // namespace warplens::gpu
