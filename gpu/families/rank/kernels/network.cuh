// SPDX-License-Identifier: Apache-2.0
// Idea: sort the window by exchanges that are the same for every window: values stay in registers, no branch is taken.
// Changed from selection: values are read once; the order of comparisons is fixed when the kernel is compiled.
// Needs: medians of 3 x 3 and 5 x 5.
// Block: block_width x block_height threads, no shared memory, a register a value.
// Source: Batcher, AFIPS 1968, odd-even merge sort; the network is made by the compiler from networks.hpp.
// Look at: minima and maxima alone, and none that the median does not need: the compiler took those out.
#pragma once

#include "gpu/families/rank/launching.cuh"
#include "gpu/families/rank/registers.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void network(Picture<T> p) {
    constexpr int kSide = 2 * R + 1, kValues = kSide * kSide;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!p.contains(x, y)) return;
    const Layer<T> layer = p.layer();
    int keys[kValues];
    if (layer.contains(x - R, y - R, x + R, y + R)) {
#pragma unroll
        for (int i = 0; i < kValues; ++i) keys[i] = keyOf(layer.row(y - R + i / kSide)[x - R + i % kSide]);
    } else {
#pragma unroll
        for (int j = 0; j < kSide; ++j) {
            const int from = remap(y - R + j, p.height, p.border);
#pragma unroll
            for (int i = 0; i < kSide; ++i) {
                const int column = remap(x - R + i, p.width, p.border);
                keys[j * kSide + i] = keyOf(from < 0 || column < 0 ? T{} : layer.row(from)[column]);
            }
        }
    }
    int median[1];
    through<Sort<kValues>, kValues / 2>(keys, median);
    *p.target(x, y) = valueOf<T>(median[0]);
}

inline Footprint networkFootprint(const Case& c, const TunableValues& t) { return footprintOf(c, t, 1, 1); }

inline void launchNetwork(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        const auto kernel = a.window.radius == 1 ? &network<T, 1> : &network<T, 2>;
        launch(c, kernel, gridOf(a, networkFootprint(a, t), layers), blockOf(t), 0, p);
    });
}

inline std::string networkRefusal(const Case& c) { return mediansUpTo(c, 2); }

KernelEntry network_entry() {
    return {.launch = &launchNetwork, .footprint = &networkFootprint, .refusal = &networkRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
