// SPDX-License-Identifier: Apache-2.0
// Idea: rows first, then columns: two sums of a few taps instead of one of their product.
// Changed from tables: two launches with a picture of floats between them, of the new width and the old height.
// Needs: memory for that picture.
// Block: block_width x block_height threads, no shared memory.
// Source: Heckbert and Schumacher, Filtered Image Rescaling, Graphics Gems III; re-derived.
// Look at: operations per pixel, and bytes stored and loaded again between both launches.
#pragma once

#include "gpu/families/resample/launching.cuh"

namespace warplens::gpu::resample {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void along_rows(Pictures<T> p, float* between) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= p.of.x.out || y >= p.of.y.in) return;
    const T* const row = p.row(blockIdx.z, y);
    between[(static_cast<std::size_t>(blockIdx.z) * p.of.y.in + y) * p.of.x.out + x] =
        p.columns.sum(x, [&](int i) { return static_cast<float>(row[i]); });
}

/// Of floats, which lie between the two; one instance.
template <class T>
__global__ void along_columns(Pictures<T> p) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= p.of.x.out || y >= p.of.y.out) return;
    const T* const column = p.in + static_cast<std::size_t>(blockIdx.z) * p.of.y.in * p.of.x.out + x;
    p.store(blockIdx.z, x, y, p.rows.sum(y, [&](int j) { return column[static_cast<std::size_t>(j) * p.of.x.out]; }));
}

inline void launchSeparable(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block = blockOf(t);
    dispatch(c, a, [&]<class T>(const Pictures<T>& p) {
        launch(c, &along_rows<T>, gridOf(a.x.out, a.y.in, block, a.planes), block, 0, p,
               static_cast<float*>(c.address(a.scratch)));
    });
    launch(c, &along_columns<float>, gridOf(a.x.out, a.y.out, block, a.planes), block, 0,
           picturesOf<float>(c, a, a.scratch));
}

inline std::size_t separableScratch(const Case& of) {
    return static_cast<std::size_t>(of.planes) * static_cast<std::size_t>(of.y.in) * static_cast<std::size_t>(of.x.out);
}

KernelEntry separable_entry() {
    return {.launch = &launchSeparable,
            .footprint = &blockFootprint,
            .scratchFloats = &separableScratch,
            .refusal = &refusalToTurn};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::resample
