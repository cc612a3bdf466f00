// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::sparse {

/// A picture's pixels as unknowns: a sparse matrix times them, holes filled, other pictures cloned in.
const Family& family();

}  // namespace warplens::gpu::sparse
