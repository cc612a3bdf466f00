// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace warplens::gpu {

/// Values that a texture of linear memory has at most, on every GPU that is supported.
constexpr std::int64_t kMostTexels = std::int64_t{1} << 27;

}  // namespace warplens::gpu
