// SPDX-License-Identifier: Apache-2.0
#include "io/source_type.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::io {

bool savesAsI16(const Grid& grid) {
    if (grid.type() != PixelType::f32 || grid.metadata.sourceType != "i16") return false;
    const auto* first = grid.as<float>();
    const auto* last = first + grid.bytes() / sizeof(float);
    return std::all_of(first, last, [](float v) {
        return v >= -32768.0F && v <= 32767.0F && std::trunc(v) == v;  // NaN fails the comparisons
    });
}

std::string savedType(const Grid& grid) { return savesAsI16(grid) ? "i16" : nameOf(grid.type()); }

void narrowToI16(const float* values, std::int16_t* out, std::size_t count) {
    std::transform(values, values + count, out, [](float v) { return static_cast<std::int16_t>(v); });
}

void widenFromI16(const std::int16_t* values, float* out, std::size_t count) {
    std::transform(values, values + count, out, [](std::int16_t v) { return static_cast<float>(v); });
}

}  // namespace warplens::io
