// SPDX-License-Identifier: Apache-2.0
// Idea: neighbouring cubes share planes: sort each plane across the row once, and merge sorted planes for each output.
// Changed from selection: a thread computes four outputs of a row, values stay in registers and are read once.
// Needs: medians of 3 x 3 x 3 and 5 x 5 x 5.
// Block: block_width x block_height threads of 4 outputs each, of 8 when they are bytes or 16-bit integers; no shared
// memory.
// Source: shared_columns and packed_pairs, with planes of 9 or 25 values in the place of columns; our own.
// Look at: minima and maxima per voxel against selection's loads: 125 values per bit.
#pragma once

#include "gpu/families/rank/hierarchy.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

template <int R>
using Cube = Cores<R, (2 * R + 1) * (2 * R + 1), (2 * R + 1) * (2 * R + 1) * (2 * R + 1)>;

/// The planes across the row around a thread's outputs, slice by slice.
template <class Strip, int R>
struct Planes {
    using Value = typename Strip::Value;
    static constexpr int kSide = 2 * R + 1;
    const Picture<typename Strip::Sample>& p;
    int x, y;

    template <int First, int Count>
    __device__ __forceinline__ void columns(Value (&out)[Count][kSide * kSide]) const {
        const int z = p.first + static_cast<int>(blockIdx.z), slice = z % p.depth;
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
            const int from = remap(slice - R + k, p.depth, p.border);
            Value in[kSide][Count];
            if (from < 0)
                memset(in, 0, sizeof in);
            else
                load<Strip, R, First>(p, p.layer(z - slice + from), x, y - R, in);
#pragma unroll
            for (int i = 0; i < Count; ++i) {
#pragma unroll
                for (int j = 0; j < kSide; ++j) out[i][k * kSide + j] = in[j][i];
            }
        }
    }
};

template <class Strip, int R>
__global__ void shared_planes(Picture<typename Strip::Sample> p) {
    using V = typename Strip::Value;
    using C = Cube<R>;
    const int x = Strip::kOutputs * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!p.contains(x, y)) return;
    constexpr int kLast = C::kMedian - C::kBelow;
    V out[4];
    forCores<C, V>(Planes<Strip, R>{p, x, y},
                   [&]<int At>(std::integral_constant<int, At>, const V(&core)[C::kInCore.count],
                               const V(&left)[C::kLength], const V(&right)[C::kLength]) {
                       out[At] = ranked<kLast>(core, left);
                       out[At + 1] = ranked<kLast>(core, right);
                   });
    Strip::store(p, x, y, out);
}

inline Footprint sharedPlanesFootprint(const Case& c, const TunableValues& t) {
    return footprintOf(c, t, io::sizeOf(c.type) == 4 ? 4 : 8, 1);
}

inline void launchSharedPlanes(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        using Strip = std::conditional_t<sizeof(T) == 4, OneStrip<T>, TwoStrips<T>>;
        const auto kernel = a.window.radius == 1 ? &shared_planes<Strip, 1> : &shared_planes<Strip, 2>;
        launch(c, kernel, gridOf(a, sharedPlanesFootprint(a, t), layers), blockOf(t), 0, p);
    });
}

inline std::string sharedPlanesRefusal(const Case& c) {
    if (!c.window.volume || c.window.cross) return "takes cubes: hierarchical and packed_pairs take squares";
    return c.median() ? "" : "finds medians only: selection finds every percentile";
}

KernelEntry shared_planes_entry() {
    return {.launch = &launchSharedPlanes,
            .footprint = &sharedPlanesFootprint,
            .mostThreads = &threadsWithRegisters,
            .refusal = &sharedPlanesRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
