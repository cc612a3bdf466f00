// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/scan/arguments.hpp"
#include "gpu/families/scan/launching.cuh"

#include <cmath>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

/// The mean of a window as its pixel's result, or whether the pixel is above it.
template <class T>
__device__ void storeMean(const T* in, void* out, const Windows& w, Wide at, double mean) {
    if (w.threshold)
        static_cast<std::uint8_t*>(out)[at] = static_cast<double>(in[at]) > mean - w.offset ? 255 : 0;
    else if constexpr (sizeof(T) < 4)
        static_cast<T*>(out)[at] = static_cast<T>(rint(mean));
    else
        static_cast<T*>(out)[at] = static_cast<T>(mean);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
