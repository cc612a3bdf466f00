// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/watershed/arguments.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace warplens::gpu::watershed {

/// By the definition: of each pixel whether it is inside and not cut, in a volume as a whole or slice by slice. Throws
/// Error(cancelled).
std::vector<bool> partsOf(const io::Grid& input, const Case& of, const std::stop_token& stop);

}  // namespace warplens::gpu::watershed
