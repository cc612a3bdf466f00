// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/image.hpp"

#include <cstdint>
#include <unordered_map>

namespace warplens::gpu::trace {

/// What the instructions of a basic block say.
struct BlockCode {
    int operations = 0;  ///< scalar floating-point: add, subtract, multiply, divide, root; a fused multiply-add is two
    std::uint32_t branch = 0;  ///< address of the jump by which it goes several ways; 0: it has none
};

/// The basic blocks of a traced function by their addresses, as the hooks give them. Blocks that neither compute nor
/// branch are left out.
std::unordered_map<std::uint32_t, BlockCode> codeOfBlocks(const ProgramImage::Symbol& function);

}  // namespace warplens::gpu::trace
