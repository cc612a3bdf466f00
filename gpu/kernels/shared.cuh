// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gpu {

/// The block's dynamic shared memory, sized at launch. Declared once, so that all kernels agree on its type.
extern __shared__ float dynamicShared[];

}  // namespace warplens::gpu
