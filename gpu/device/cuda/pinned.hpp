// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

namespace warplens::gpu::cuda {

/// Page-locked host memory, which a GPU reaches without a copy in between. Throws Error(outOfMemory).
std::shared_ptr<std::byte> pinned(std::size_t bytes);

}  // namespace warplens::gpu::cuda
