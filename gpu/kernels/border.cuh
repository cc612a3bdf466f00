// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/kernels/border.hpp"

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

/// The index inside 0..n-1 that stands for i, or -1 where the border is zero. n >= 1; i may be any distance outside.
__device__ inline int remap(int i, int n, Border border) {
    if (i >= 0 && i < n) return i;
    switch (border) {
        case Border::replicate: return i < 0 ? 0 : n - 1;
        case Border::reflect: {
            if (n == 1) return 0;
            const int period = 2 * (n - 1);
            i %= period;
            if (i < 0) i += period;
            return i < n ? i : period - i;
        }
        case Border::wrap: {
            i %= n;
            return i < 0 ? i + n : i;
        }
        case Border::zero: break;
    }
    return -1;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
