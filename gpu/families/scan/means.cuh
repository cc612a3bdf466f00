// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/scan/arguments.hpp"
#include "gpu/families/scan/launching.cuh"

#include <cmath>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

/// Whether a value is above the mean of its window less the offset: the rule of every variant. Nothing is divided, so
/// that no value is above a mean that it is equal to.
template <class T>
__device__ bool isAbove(T value, double offset, double sum, double pixels) {
    return (static_cast<double>(value) + offset) * pixels > sum;
}

/// The mean of a window as its pixel's result, or whether the pixel is above it.
template <class T>
__device__ void storeMean(const T* in, void* out, const Windows& w, Wide at, double sum, double pixels) {
    if (w.threshold)
        static_cast<std::uint8_t*>(out)[at] = isAbove(in[at], w.offset, sum, pixels) ? 255 : 0;
    else if constexpr (sizeof(T) < 4)
        static_cast<T*>(out)[at] = static_cast<T>(rint(sum / pixels));
    else
        static_cast<T*>(out)[at] = static_cast<T>(sum / pixels);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
