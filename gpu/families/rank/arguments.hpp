// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "gpu/kernels/border.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace warplens::gpu::rank {

constexpr int kMaxRadius = 37, kMaxVolumeRadius = 2;

/// The values around an output that are sorted: a square or a cube of side 2 radius + 1, or a cross of such arms.
struct Window {
    int radius = 1;
    bool cross = false, volume = false;

    constexpr int side() const { return 2 * radius + 1; }
    constexpr int values() const {
        if (cross) return (volume ? 6 : 4) * radius + 1;
        return side() * side() * (volume ? side() : 1);
    }
};

/// What is computed, without where it lies. In two dimensions `layers` counts the slices of all channels, in three the
/// same, `depth` of them a channel.
struct Case {
    io::PixelType type{};
    int width = 0, height = 0, depth = 1, layers = 1;
    Window window{};
    Border border{};
    int index = 0;  ///< of the result in the sorted window, from 0
    int then = -1;  ///< likewise in a second step; -1: there is none
    /// What is subtracted from what in the end, integers down to 0; the second step is on the first one's results, but
    /// for `first` on the picture again.
    enum class Subtracts { nothing, result, picture, first } subtracts{};

    bool median() const { return 2 * index + 1 == window.values(); }
    bool extreme() const { return index == 0 || index == window.values() - 1; }
    bool square() const { return !window.cross && !window.volume; }
};

/// One case on one device, as launchers see it. Buffers by handle.
struct Arguments : Case {
    std::uint64_t input = 0, output = 0;
};

/// What a kernel file offers to the family, one instance a build. The common signature of all launchers.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const Case&, const TunableValues&) = nullptr;
    /// Dynamic shared memory of a block; null when none.
    std::size_t (*sharedBytes)(const Case&, const TunableValues&) = nullptr;
    /// Threads of a block for which a multiprocessor of 65,536 registers has enough; null when it has for any.
    int (*mostThreads)(const Case&) = nullptr;
    /// Why the kernel does not compute this, or empty; null when it computes everything.
    std::string (*refusal)(const Case&) = nullptr;
    /// Whether a picture too tall for one grid goes in several launches.
    bool cutsRows = false;
};

/// Of kernels that have windows in registers: no thread has more than 255.
inline int threadsWithRegisters(const Case& c) { return c.window.values() <= 27 ? 512 : 256; }

/// What stands behind two steps, the same for every variant.
struct StepsEntry {
    /// From one of so many values another: into `to`, which may be one of them.
    void (*subtract)(LaunchContext&, std::uint64_t from, std::uint64_t what, std::uint64_t to, std::size_t count,
                     io::PixelType) = nullptr;
};

// What kernels refuse.
inline std::string squaresUpTo(const Case& c, int radius) {
    if (c.square() && c.window.radius <= radius) return {};
    const std::string side = std::to_string(2 * radius + 1);
    return "works up to " + side + " x " + side + ": use selection for larger windows";
}
inline std::string mediansUpTo(const Case& c, int radius) {
    if (const std::string why = squaresUpTo(c, radius); !why.empty()) return why;
    return c.median() ? "" : "finds medians only: selection finds every percentile";
}

}  // namespace warplens::gpu::rank
