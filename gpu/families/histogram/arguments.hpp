// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "gpu/families/histogram/contention.hpp"
#include "gpu/families/histogram/edges.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace warplens::gpu::histogram {

/// What is counted, and what a block may use for it.
struct Case {
    io::PixelType type{};
    std::uint64_t count = 0;  ///< values of a channel
    int bins = 1;
    std::size_t sharedBytes = 0;  ///< most that a block may have

    unsigned slotCount() const { return static_cast<unsigned>(bins + kSlotsBeside); }
};

/// One channel on one device, as launchers see it. Buffers by handle.
struct Arguments : Case {
    std::uint64_t input = 0;
    std::size_t inputOffset = 0;  ///< bytes from there to the channel's first value
    std::uint64_t totals =
        0;  ///< 64-bit counters, bins + kSlotsBeside of them from totalsOffset on; zero before the launch
    std::uint64_t next = 0;        ///< as many counters, for a kernel that clears them for the launch to come
    std::size_t totalsOffset = 0;  ///< in counters, of both
    std::uint64_t table = 0;       ///< integers: the slot of every value, 32 bits each
    std::uint64_t thresholds = 0;  ///< floats: bins + 1 of them
    int shift = -1;                ///< see shiftOf()
    Guess guess;
    int multiprocessors = 1;
    std::uint64_t scratch = 0;  ///< what the entry asks for, with any content
};

/// What a kernel file offers to the family, one instance a build. The common signature of all launchers.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const Case&, const TunableValues&) = nullptr;
    /// How the lanes of a warp share out the values.
    WarpMapping (*mapping)(const Case&, const TunableValues&) = nullptr;
    /// Why the kernel cannot count this, or empty; null when it always can.
    std::string (*refusal)(const Case&) = nullptr;
    /// Bytes of global memory that a launch needs for itself; null when none. `count` is not 0, no buffers are set.
    std::size_t (*scratchBytes)(const Arguments&, const TunableValues&) = nullptr;
    bool clearsNext = false;  ///< clears Arguments::next itself; the others' totals are cleared before the launch
};

}  // namespace warplens::gpu::histogram
