// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace warplens::gpu {

/// What lies outside a picture. reflect mirrors without repeating the edge (OpenCV's REFLECT_101).
enum class Border : std::uint8_t { zero, replicate, reflect, wrap };

}  // namespace warplens::gpu
