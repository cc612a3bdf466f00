// SPDX-License-Identifier: Apache-2.0
#pragma once

// Of kernels that rotate: a pixel's weights, computed once per axis.

#include "gpu/families/resample/launching.cuh"
#include "gpu/families/resample/weights.hpp"

namespace warplens::gpu::resample {
inline namespace WARPLENS_BUILD {

/// Of a filter that is not widened.
constexpr int kMostTaps = 6;

struct AxisWeights {
    float weight[kMostTaps];  ///< 0 beyond the filter's
    float all = 0;
    int first;

    __device__ AxisWeights(const Case& of, const Axis& axis, const Place<float>& place) : first(place.first) {
#pragma unroll
        for (int j = 0; j < kMostTaps; ++j) {
            weight[j] = j < axis.taps ? place.weight(of.method, axis, j) : 0.0F;
            all += weight[j];
        }
    }
};

/// The weighted mean of at(column, row) over both axes' taps.
template <class At>
__device__ float meanOf(const AxisWeights& across, const AxisWeights& down, At at) {
    float total = 0;
#pragma unroll
    for (int j = 0; j < kMostTaps; ++j) {
        if (down.weight[j] == 0) continue;
        float sum = 0;
#pragma unroll
        for (int i = 0; i < kMostTaps; ++i)
            if (across.weight[i] != 0) sum = fmaf(across.weight[i], at(across.first + i, down.first + j), sum);
        total = fmaf(down.weight[j], sum, total);
    }
    return total / (across.all * down.all);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::resample
