// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace warplens::gpu::flood {

/// Levels or rounds that go to a device before the host looks whether there is more to do.
constexpr unsigned kMostBatch = 256;
/// What one block takes in its stride: a frontier of more pixels is for the whole device.
constexpr unsigned kNarrow = 1024;
/// Levels that one block goes through before the host looks again, so that stopping does not wait for a long maze.
constexpr unsigned kNarrowLevels = 512;

/// A stretch of the queue: the pixels of a level. Slot 0 is where a batch begins, slot i what its launch i - 1 found.
struct Slot {
    std::uint32_t begin = 0, count = 0;
};

/// A flood that lies on a device; buffers by handle. A pixel's key is what reached it, EMPTY (all bits set) if nothing
/// did: of one colour its level, 32 bits; of several the level above the index of the seed, 64 bits, so that of two
/// keys the lower one is right.
struct Flood {
    std::uint64_t input = 0;   ///< planes
    std::uint64_t output = 0;  ///< i32
    io::PixelType type{};
    int width = 0, height = 0, depth = 0, channels = 0;
    bool corners = false;  ///< neighbours across corners
    bool deep = false;     ///< neighbours in other slices
    bool colours = false;  ///< seeds that accept different pixels
    std::uint64_t keys = 0;
    std::uint64_t bounds = 0;       ///< floats: of each seed and channel the lowest and the highest value inside
    std::uint64_t seedPixels = 0;   ///< u32, each once
    std::uint64_t seedIndices = 0;  ///< u32, whose bounds are theirs
    std::uint32_t seeds = 0;
    std::uint64_t queue = 0;    ///< u32, a pixel each
    std::uint64_t control = 0;  ///< Slots
    std::uint64_t scratch = 0;  ///< of the variant
    std::uint32_t share = 0;    ///< tiles that one launch may flood before it has to end, so that it can be stopped

    std::uint32_t pixels() const {
        return static_cast<std::uint32_t>(width) * static_cast<std::uint32_t>(height) *
               static_cast<std::uint32_t>(depth);
    }
};

/// Launches one behind the other: the first takes pixels of `level` to the next.
struct Batch {
    std::uint32_t level = 0, launches = 0;
};

/// What a kernel file offers to the family, one instance a build. Either `levels`, with `narrow` or without, or
/// `relax`.
struct KernelEntry {
    /// A launch a level.
    void (*levels)(LaunchContext&, const Flood&, const Batch&, const TunableValues&) = nullptr;
    /// Levels one behind the other in one launch, as long as they are narrow: leaves in slot 0 where it stopped, in the
    /// first word of slot 1 how many they were.
    void (*narrow)(LaunchContext&, const Flood&, std::uint32_t level, const TunableValues&) = nullptr;
    /// Pixels in any order, until no key can be lowered: a batch of launches, each of which leaves in its slot, counted
    /// from 1, whether there is more to do. Takes one colour, and where it goes on `alone`, slice by slice.
    void (*relax)(LaunchContext&, const Flood&, const Batch&, const TunableValues&) = nullptr;
    /// Before the first batch of relax().
    void (*begin)(LaunchContext&, const Flood&, const TunableValues&) = nullptr;
    bool alone = false;  ///< one launch of relax() goes on until there is no more to do, or it has done its share
    std::size_t (*scratchBytes)(const Flood&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&) = nullptr;
    bool queues = false;  ///< whether it needs the queue of pixels
};

/// What stands before and after, the same whatever floods.
struct StepsEntry {
    void (*start)(LaunchContext&, const Flood&) = nullptr;   ///< seeds into keys and queue
    void (*finish)(LaunchContext&, const Flood&) = nullptr;  ///< keys of several colours to levels
};

}  // namespace warplens::gpu::flood
