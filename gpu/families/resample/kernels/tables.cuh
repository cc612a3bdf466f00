// SPDX-License-Identifier: Apache-2.0
// Idea: weights depend on the column or on the row alone, so they are computed once, on the host.
// Changed from naive: two tables instead of the filter; what is left are the picture's reads and their products.
// Needs: nothing.
// Block: block_width x block_height threads, no shared memory.
// Source: Heckbert and Schumacher, Filtered Image Rescaling, Graphics Gems III; re-derived.
// Look at: operations per pixel, and loads, which tables add.
#pragma once

#include "gpu/families/resample/launching.cuh"

namespace warplens::gpu::resample {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void tables(Pictures<T> p) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= p.of.x.out || y >= p.of.y.out) return;
    p.store(blockIdx.z, x, y, p.rows.sum(y, [&](int j) {
        const T* const row = p.row(blockIdx.z, j);
        return p.columns.sum(x, [&](int i) { return static_cast<float>(row[i]); });
    }));
}

inline void launchTables(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Pictures<T>& p) {
        launch(c, &tables<T>, gridOf(a.x.out, a.y.out, blockOf(t), a.planes), blockOf(t), 0, p);
    });
}

KernelEntry tables_entry() {
    return {.launch = &launchTables, .footprint = &blockFootprint, .refusal = &refusalToTurn};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::resample
