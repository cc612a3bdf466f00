// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/unknowns.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace warplens::gpu::sparse {
namespace {

std::string sizeText(const io::Shape& s) {
    return std::to_string(s.width) + " x " + std::to_string(s.height) +
           (s.depth > 1 ? " x " + std::to_string(s.depth) : "");
}

}  // namespace

Unknowns everyPixel(const io::Shape& shape) { return {.count = static_cast<int>(shape.pixels())}; }

Unknowns unknownsOf(std::vector<std::uint8_t> inside) {
    Unknowns made;
    made.inside = std::move(inside);
    made.numbers.assign(made.inside.size(), -1);
    for (std::size_t pixel = 0; pixel < made.inside.size(); ++pixel) {
        if (made.inside[pixel] == 0) continue;
        made.numbers[pixel] = made.count++;
        made.places.push_back(static_cast<std::int32_t>(pixel));
    }
    return made;
}

std::vector<std::uint8_t> insideOf(const NamedGrid& mask, const io::Shape& picture) {
    if (mask.grid == nullptr)
        throw Error(Error::Kind::argument, "mask: '" + mask.name + "' was not read: open it first");
    const io::Shape& s = mask.grid->shape();
    if (s.width != picture.width || s.height != picture.height || (s.depth != picture.depth && s.depth != 1))
        throw Error(Error::Kind::argument, "mask: '" + mask.name + "' is " + sizeText(s) + ", the picture " +
                                               sizeText(picture) + ": give a mask of the same extents");
    const int colours = std::min(s.channels, 3);
    std::vector<std::uint8_t> inside;
    inside.reserve(static_cast<std::size_t>(picture.pixels()));
    for (std::int64_t z = 0; z < picture.depth; ++z)
        for (std::int64_t y = 0; y < picture.height; ++y)
            for (std::int64_t x = 0; x < picture.width; ++x) {
                bool any = false;
                for (int c = 0; c < colours; ++c) any = any || mask.grid->value(x, y, s.depth == 1 ? 0 : z, c) > 0;
                inside.push_back(any ? 1 : 0);
            }
    return inside;
}

}  // namespace warplens::gpu::sparse
