// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda/special_kernels.hpp"

#include <memory>

namespace warplens::gpu::cuda {

/// Loads compiled code into the current context. Throws Error.
std::shared_ptr<SpecialKernel> loadKernel(const CompiledKernel& code);

}  // namespace warplens::gpu::cuda
