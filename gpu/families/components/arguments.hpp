// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::components {

/// What is known of a component, as it lies on the device. `low` and `high` are inclusive.
struct Row {
    unsigned long long sum[3];  ///< of its pixels' x, y and z
    unsigned area;
    unsigned low[3], high[3];
};

/// One labelling on one device, as launchers see it. Buffers by handle.
struct Task {
    io::PixelType type{};
    int width = 0, height = 0, depth = 1;
    int channels = 1;  ///< that must be above the level, planes one behind the other
    bool corners = true;
    float level = 0;            ///< floatAtMost() of the one that was asked for
    unsigned most = 0;          ///< components that there may be
    std::uint64_t input = 0;    ///< planes
    std::uint64_t output = 0;   ///< u32 a pixel
    std::uint64_t scratch = 0;  ///< as large as the entry says
    std::uint64_t rows = 0;     ///< Row a component, `most` of them
    std::uint64_t total = 0;    ///< u32: how many there are

    std::size_t pixels() const { return static_cast<std::size_t>(width) * height * depth; }
};

/// Passes of propagation that are launched before anyone asks whether the last one changed something. Even, so that
/// they end in the buffer where they began.
constexpr int kPassesAtOnce = 16;

/// What a rung leaves in scratch: trees of pixels, or of runs of bits, with everything yet to be joined or what lies
/// on both sides of a tile's edge.
enum class Forest { pixels, runs, tiledRuns };

/// What a kernel file offers to the family, one instance a build.
struct KernelEntry {
    /// Each node inside knows one of its component that comes before it, the first one itself.
    void (*link)(LaunchContext&, const Task&, const TunableValues&) = nullptr;
    /// Repeated: kPassesAtOnce passes, which add the labels that changed to `changes`, u32 a pass.
    void (*passes)(LaunchContext&, const Task&, std::uint64_t changes, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&) = nullptr;
    Forest forest = Forest::pixels;
    bool faces = true;    ///< takes 4 and 6 neighbours
    bool volumes = true;  ///< takes volumes
};

/// What follows, the same whatever linked the forest: joins that are left over, numbers, labels and the table.
struct StepsEntry {
    void (*finish)(LaunchContext&, const Task&, Forest) = nullptr;
    std::size_t (*scratchBytes)(const Task&, Forest) = nullptr;
};

}  // namespace warplens::gpu::components
