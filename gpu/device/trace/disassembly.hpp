// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/trace/image.hpp"

#include <cstdint>
#include <unordered_map>

namespace warplens::gpu::trace {

/// Scalar floating-point operations (add, subtract, multiply, divide, root; a fused multiply-add is two) that each basic
/// block of a traced function executes once, by the block's address as the hooks give it. Blocks without any are left out.
std::unordered_map<std::uint32_t, int> operationsOfBlocks(const Image::Symbol& function);

}  // namespace warplens::gpu::trace
