// SPDX-License-Identifier: Apache-2.0
#include "io/crop.hpp"

#include "io/error.hpp"

#include <cstring>

namespace warplens::io {

Grid crop(const Grid& grid, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height) {
    const Shape& whole = grid.shape();
    if (x < 0 || y < 0 || width < 1 || height < 1 || width > whole.width - x || height > whole.height - y)
        throw Error(Error::Kind::argument, "crop to " + std::to_string(width) + " x " + std::to_string(height) +
                                               " at " + std::to_string(x) + ", " + std::to_string(y) +
                                               ": outside the picture; choose a part of it");
    Grid part({width, height, whole.depth, whole.channels}, grid.type());
    const std::size_t pixel = static_cast<std::size_t>(whole.channels) * sizeOf(grid.type());
    const std::size_t row = static_cast<std::size_t>(width) * pixel;
    std::byte* to = part.data();
    for (std::int64_t z = 0; z < whole.depth; ++z)
        for (std::int64_t j = y; j < y + height; ++j, to += row)
            std::memcpy(to, grid.data() + grid.index(x, j, z) * sizeOf(grid.type()), row);
    part.metadata = grid.metadata;
    part.geometry = grid.geometry;
    const Geometry& from = grid.geometry;
    for (std::size_t axis = 0; axis < 3; ++axis)
        part.geometry.origin[axis] += from.direction[3 * axis] * from.spacing[0] * static_cast<double>(x) +
                                      from.direction[3 * axis + 1] * from.spacing[1] * static_cast<double>(y);
    return part;
}

}  // namespace warplens::io
