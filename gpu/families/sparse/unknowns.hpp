// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <vector>

namespace warplens::gpu::sparse {

/// Which pixels are unknowns, slice by slice; empty vectors where every pixel is one.
struct Unknowns {
    int count = 0;
    std::vector<std::uint8_t> inside{};   ///< a pixel: 1 for an unknown
    std::vector<std::int32_t> numbers{};  ///< a pixel: which unknown, or -1
    std::vector<std::int32_t> places{};   ///< an unknown: which pixel

    bool masked() const { return !inside.empty(); }
};

Unknowns everyPixel(const io::Shape& shape);
/// Numbered in raster order.
Unknowns unknownsOf(std::vector<std::uint8_t> inside);
/// Pixels where a colour of the mask is above 0, as NaN is not; a mask of one slice is that of every slice. Throws
/// Error(argument) where the extents differ.
std::vector<std::uint8_t> insideOf(const NamedGrid& mask, const io::Shape& picture);

}  // namespace warplens::gpu::sparse
