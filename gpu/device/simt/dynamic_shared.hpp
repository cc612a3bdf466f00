// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/simt/builtins.hpp"

namespace warplens::gpu {

/// The SIMT device's dynamic shared memory: one array a worker for all kernels, declared by them as CUDA does. Kernels
/// are linked into programs alone, and say so: the linker rewrites how other models find the address, and UBSan's check
/// for null then looks at a flag that nothing sets any more.
[[gnu::tls_model("local-exec")]] extern thread_local float dynamicShared[simt::kMaxSharedBytes / sizeof(float)];

}  // namespace warplens::gpu
