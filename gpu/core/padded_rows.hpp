// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace warplens::gpu {

/// What a row says of itself that works on padded rows: `pitch` is its Session's.
inline std::string paddedRows(std::int64_t width, std::int64_t pitch) {
    return "rows padded from " + std::to_string(width) + " to " + std::to_string(pitch) + " values on the device";
}

}  // namespace warplens::gpu
