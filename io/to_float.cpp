// SPDX-License-Identifier: Apache-2.0
#include "io/to_float.hpp"

#include <cstdint>
#include <type_traits>

namespace warplens::io {

Grid toFloat(const Grid& grid) {
    Grid converted(grid.shape(), PixelType::f32);
    converted.geometry = grid.geometry;
    converted.metadata = grid.metadata;
    converted.metadata.sourceType = grid.sourceType();
    const std::int64_t count = grid.shape().values();
    std::int64_t rounded = 0;
    withType(grid.type(), [&](auto sample) {
        using T = decltype(sample);
        const auto* from = grid.as<T>();
        auto* to = converted.as<float>();
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = static_cast<float>(from[i]);
            if constexpr (sizeof(T) == 4 && std::is_integral_v<T>)
                rounded += static_cast<std::int64_t>(to[i]) != static_cast<std::int64_t>(from[i]) ? 1 : 0;
        }
    });
    if (rounded > 0) {
        converted.metadata.notes.push_back(std::to_string(rounded) + " of " + std::to_string(count) + " " +
                                           nameOf(grid.type()) +
                                           " values are beyond 16,777,216 and no f32: rounded to the nearest one");
    }
    return converted;
}

}  // namespace warplens::io
