// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "gpu/families/stencil/operator.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace warplens::gpu::stencil {

/// One pass of a kernel over all fields, as its launcher sees it. Buffers by handle; fields lie one behind the other,
/// each pitch x height x depth floats, of whose rows the first `width` count. In and out are different buffers.
struct Pass {
    std::uint64_t input = 0, output = 0;
    int width = 0, pitch = 0, height = 0, depth = 1;
    int fields = 1;  ///< channels
    int steps = 1;   ///< that this pass advances; more than 1 for kernels that fuse
    /// The slices that are written, `lastSlice` excluded, of a kernel that takesSlices and a pattern that reaches along
    /// z; lastSlice 0: all. What lies around them is read and has to be there.
    int firstSlice = 0, lastSlice = 0;
    const Operator* op = nullptr;
    /// Where the bits of the step's largest change of a cell are wanted, joined by maximum, from a kernel that finds
    /// it; 0: nowhere.
    std::uint64_t change = 0;
};

/// What a kernel file offers to the family, one instance a build. The common signature of all launchers.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Pass&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&, Pattern) = nullptr;
    /// Threads of a block along x, y and z.
    std::array<int, 3> (*block)(const TunableValues&, Pattern) = nullptr;
    /// Dynamic shared memory of a block; null when none.
    std::size_t (*sharedBytes)(const TunableValues&, Pattern) = nullptr;
    /// Why the kernel has no meaning for a pattern or cannot take these tunables, or null; itself null when it takes
    /// all.
    const char* (*refusal)(const TunableValues&, Pattern) = nullptr;
    /// Steps that the next pass advances when `left` are left, 1 to left; null when always 1.
    int (*stepsOf)(const TunableValues&, Pattern, int left) = nullptr;
    bool findsChange = false;  ///< takes Pass::change
    bool takesSlices = false;  ///< takes Pass::firstSlice and lastSlice
    /// planes_per_block where several devices share a volume, unless chosen; 0: the default.
    int planesWhenShared = 0;
};

/// What is done to fields besides stepping them.
struct FieldEntry {
    /// Largest |a - b| over `count` values as the bits of a float, joined to the word at `result` by maximum; a NaN
    /// wins.
    void (*maxChange)(LaunchContext&, std::uint64_t a, std::uint64_t b, std::size_t count,
                      std::uint64_t result) = nullptr;
    /// Sets the cells of the operator's regions in every field.
    void (*hold)(LaunchContext&, std::uint64_t fields, int width, int height, int depth, int count,
                 const Operator&) = nullptr;
};

}  // namespace warplens::gpu::stencil
