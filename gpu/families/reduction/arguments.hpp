// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace warplens::gpu::reduction {

enum class Measure { statistics, comparison, projection };
enum class Keep { maximum, minimum, mean, sum };

/// A volume as lines: an output for each (outer, inner), made of `length` values that lie `inner` apart.
struct Lines {
    std::uint64_t outer = 1, length = 1, inner = 1;
    std::uint64_t outputs() const { return outer * inner; }
};

/// What is reduced.
struct Case {
    Measure measure = Measure::statistics;
    io::PixelType type{};
    std::uint64_t count = 0;  ///< values of a channel, never 0 at a launch
    Keep keep = Keep::maximum;
    Lines lines;  ///< of a projection; of all channels together

    bool floats() const { return type == io::PixelType::f32; }
    std::size_t cellBytes() const { return floats() ? 56 : 40; }
};

/// One channel on one device (of a projection, all channels), as launchers see it. Buffers by handle.
struct Arguments : Case {
    std::uint64_t input = 0, with = 0;  ///< `with` of a comparison alone
    std::size_t inputOffset = 0;        ///< bytes from either to the channel's first value
    float pivot = 0;                    ///< one of the channel's values, finite; 0 when there is none
    std::uint64_t result = 0;           ///< a cell; of a projection, its picture
    std::size_t resultOffset = 0;       ///< bytes from there
    std::uint64_t scratch = 0;          ///< KernelEntry::scratchBytes
    std::uint64_t ticket = 0;           ///< 32 bits, zero between launches
    int multiprocessors = 1;
};

/// In which other runs the sums of floats come out with the same bits. Integers always do.
enum class SameBits { no, onOneDevice, onEveryDevice };

/// What a kernel file offers to the family, one instance a build. The common signature of all launchers.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const Case&, const TunableValues&) = nullptr;
    /// Between the kernels of a launch; null when there is nothing.
    std::size_t (*scratchBytes)(const Arguments&, const TunableValues&) = nullptr;
    bool statistics = true, compares = false, projects = false;  ///< what it measures
    bool clearScratch = false;                                   ///< it finds zeros in scratch, and leaves zeros
    SameBits sameBits = SameBits::onEveryDevice;
    std::uint64_t mostValues = ~std::uint64_t{0};  ///< of a channel
    int depth = 0;  ///< additions in f32 that a value goes through at most; the others are in f64
};

}  // namespace warplens::gpu::reduction
