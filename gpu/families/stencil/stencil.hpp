// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::stencil {

/// Iterates stencils on pictures and volumes: heat, Jacobi, smoothing, sharpening, or any given coefficients.
const Family& family();

}  // namespace warplens::gpu::stencil
