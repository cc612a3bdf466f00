// SPDX-License-Identifier: Apache-2.0
// Idea: neighbouring windows share columns: sort each column once, and merge sorted columns for each output.
// Changed from network: a thread computes four outputs of a row; columns, and pairs of columns, are sorted once.
// Needs: medians of 3 x 3 and 5 x 5.
// Block: block_width x block_height threads of four outputs each, no shared memory.
// Source: Smith, Vision and Understanding 1996, shared sorted columns; Adams, SIGGRAPH 2021; re-derived.
// Look at: half the minima and maxima of network, and loads of 16 bytes.
#pragma once

#include "gpu/families/rank/strip.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

/// Of four of five sorted columns, what can be the median.
template <int R>
struct FourColumns {
    static constexpr int kValues = (2 * R + 1) * (2 * R + 1);
    static constexpr Kept kKept = keptOf(4 * (2 * R + 1), 0, 0, kValues / 2, kValues);
    static constexpr int kFirst = kKept.first, kCount = kKept.count;
};

template <class T, int R>
__global__ void shared_columns(Picture<T> p) {
    constexpr int kSide = 2 * R + 1, kValues = kSide * kSide, kColumns = 4 + 2 * R;
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!p.contains(x, y)) return;
    using Value = typename OneStrip<T>::Value;
    Value in[kSide][kColumns], columns[kColumns][kSide];
    load<OneStrip<T>, R, 0>(p, p.layer(), x, y - R, in);
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
#pragma unroll
        for (int j = 0; j < kSide; ++j) columns[i][j] = in[j][i];
        sort(columns[i]);
    }
    Value pairs[kColumns - 1][2 * kSide];
#pragma unroll
    for (int i = 0; i + 1 < kColumns; ++i) merge(columns[i], columns[i + 1], pairs[i]);
    Value out[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if constexpr (R == 1) {
            out[i] = ranked<kValues / 2>(pairs[i], columns[i + 2]);
        } else {
            using Four = FourColumns<R>;
            Value kept[Four::kCount];
            merge<Four::kFirst>(pairs[i], pairs[i + 2], kept);
            out[i] = ranked<kValues / 2 - Four::kFirst>(kept, columns[i + 4]);
        }
    }
    OneStrip<T>::store(p, x, y, out);
}

inline Footprint sharedColumnsFootprint(const Case& c, const TunableValues& t) { return footprintOf(c, t, 4, 1); }

inline void launchSharedColumns(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        const auto kernel = a.window.radius == 1 ? &shared_columns<T, 1> : &shared_columns<T, 2>;
        launch(c, kernel, gridOf(a, sharedColumnsFootprint(a, t), layers), blockOf(t), 0, p);
    });
}

inline std::string sharedColumnsRefusal(const Case& c) { return mediansUpTo(c, 2); }

KernelEntry shared_columns_entry() {
    return {.launch = &launchSharedColumns, .footprint = &sharedColumnsFootprint, .refusal = &sharedColumnsRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
