// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/code_needs.hpp"
#include "gpu/device/device.hpp"
#include "gpu/families/convolution/bound.hpp"
#include "gpu/families/convolution/march.hpp"
#include "gpu/kernels/border.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplens::gpu::convolution {

/// A convolution on one device, as its launchers see it. Buffers by handle; planes lie one behind the other, all of
/// pitch x height values. In three dimensions a plane is a channel's volume: `depth` slices in the output, and `lead`
/// more before and behind them in the input, which only a slab has.
struct Arguments {
    std::uint64_t input = 0, output = 0;
    std::uint64_t filter = 0;   ///< filterWidth x filterHeight floats, for kernels that read weights through a pointer
    std::uint64_t scratch = 0;  ///< planes x width x height floats, when the entry asks for it; in three dimensions
                                ///< as many volumes of floats as it asks for, of the input's extent
    io::PixelType inputType{}, outputType{};
    int width = 0, height = 0, planes = 1;
    int pitch = 0;            ///< values from row to row: the width, or more where the row's entry has paddedRows
    int depth = 1, lead = 0;  ///< 1 and 0 in two dimensions
    int filterWidth = 1, filterHeight = 1, filterDepth = 1;  ///< odd, 1..63; in three dimensions 1..127
    Border border{};
    std::int16_t constantTaps = 0;  ///< weights that are not 0, where a compiler shall get all as constants; else 0
    float offset = 0;
    const std::vector<float>* weights = nullptr;                                  ///< row-major
    const std::vector<float>*row = nullptr, *column = nullptr, *stack = nullptr;  ///< null: not separable
};

/// A filter's extent in three dimensions: odd sides.
struct Box {
    int width, height, depth;
};

/// What a kernel file offers in three dimensions.
struct VolumeEntry {
    /// In the entry's place; null: the entry's serves.
    void (*prepare)(LaunchContext&, const Arguments&) = nullptr;
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;  ///< null: the rung has none
    int (*blockDepth)(const TunableValues&) = nullptr;  ///< threads of a block along z; null: 1
    /// Slices that a block writes, where that can be none; null: it cannot.
    int (*tileDepth)(const TunableValues&, const Box&) = nullptr;
    /// In the place of the row's defaults, where none of them was chosen; null: they serve.
    TunableValues (*defaults)(const Box&) = nullptr;
    Footprint (*footprint)(const TunableValues&, const Box&) = nullptr;
    /// Dynamic shared memory of a block; null when none.
    std::size_t (*sharedBytes)(const TunableValues&, const Box&) = nullptr;
    /// Why the kernel cannot take this, or null; no buffers are set. Itself null when it always can.
    const char* (*refusal)(const Arguments&) = nullptr;
    int scratchVolumes = 0;
};

/// What a kernel file offers to the family, one instance a build. The common signature of all launchers.
struct KernelEntry {
    /// Puts weights where the kernel reads them; null when there is nothing to prepare.
    void (*prepare)(LaunchContext&, const Arguments&) = nullptr;
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&, int filterWidth, int filterHeight) = nullptr;
    /// In its place where more than the filter's extent decides; no buffers are set.
    Footprint (*footprintOf)(const Arguments&, const TunableValues&) = nullptr;
    /// Dynamic shared memory of a block; null when none.
    std::size_t (*sharedBytes)(const TunableValues&, int filterWidth, int filterHeight) = nullptr;
    /// Of a row with rows_per_thread that marches down the picture; null when none does.
    March (*march)(io::PixelType input, int filterWidth, int filterHeight) = nullptr;
    /// Why the kernel cannot take this, or null; no buffers are set. Itself null when it always can.
    const char* (*refusal)(const Arguments&) = nullptr;
    bool needsScratch = false;
    /// Whether it loads and stores neighbours together once rows begin at multiples of four values: pictures whose
    /// width is none then get padded rows. No buffers are set, and the pitch is the width. Null: never.
    bool (*paddedRows)(const Arguments&) = nullptr;
    bool needsSeparable = false;
    CodeNeeds code{};
    int largestFilter = 0;   ///< side of the largest filter it takes; 0: any
    float largestValue = 0;  ///< the picture's values, and they times the weights, must be finite and below it; 0: any
    float smallestWeight = 0;  ///< of those that are not 0, in magnitude
    /// Its own bound where it computes in fewer bits; no buffers are set. Null: single precision throughout.
    Bound (*bound)(const Arguments&) = nullptr;
    VolumeEntry volume{};
};

}  // namespace warplens::gpu::convolution
