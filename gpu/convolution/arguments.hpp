// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/common/border.hpp"
#include "gpu/device/device.hpp"
#include "gpu/variant.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplens::gpu::convolution {

/// A convolution on one device, as its launchers see it. Buffers by handle; planes lie one behind the other, all of
/// width x height values.
struct Arguments {
    std::uint64_t input = 0, output = 0;
    std::uint64_t filter = 0;   ///< filterWidth x filterHeight floats, for kernels that read weights through a pointer
    std::uint64_t scratch = 0;  ///< planes x width x height floats, when the entry asks for it
    io::PixelType inputType{}, outputType{};
    int width = 0, height = 0, planes = 1;
    int filterWidth = 1, filterHeight = 1;  ///< odd, 1..63
    Border border{};
    float offset = 0;
    const std::vector<float>* weights = nullptr;               ///< row-major
    const std::vector<float>*row = nullptr, *column = nullptr;  ///< factors; null when the filter is not separable
};

/// What a kernel file offers to the family, one instance a build. The common signature of all launchers.
struct KernelEntry {
    /// Puts weights where the kernel reads them; null when there is nothing to prepare.
    void (*prepare)(LaunchContext&, const Arguments&) = nullptr;
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&, int filterWidth, int filterHeight) = nullptr;
    /// Dynamic shared memory of a block; null when none.
    std::size_t (*sharedBytes)(const TunableValues&, int filterWidth, int filterHeight) = nullptr;
    bool needsScratch = false;
    bool needsSeparable = false;
};

}  // namespace warplens::gpu::convolution
