// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/simt/builtins.hpp"

namespace warplens::gpu {

/// The SIMT device's dynamic shared memory: one array a worker for all kernels, declared by them as CUDA does.
extern thread_local float dynamicShared[simt::kMaxSharedBytes / sizeof(float)];

}  // namespace warplens::gpu
