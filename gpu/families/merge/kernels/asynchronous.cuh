// SPDX-License-Identifier: Apache-2.0
// Idea: copies go to shared memory by themselves, so that nothing of a tile waits in registers: 32 per thread, and a
// multiprocessor is full of threads that hide each other's searches.
// Changed from vectorised: copies of 16 bytes; a key is made of its value where it is asked for.
// Needs: compute capability 8.0.
// Block: block_width threads; block_width x elements_per_thread values and 64 bytes of shared memory, 2,048 threads per
// multiprocessor.
// Source: CUDA C++ Programming Guide, asynchronous copies; our own.
// Look at: registers, and with them occupancy: every value is loaded, searched and merged as before.
#pragma once

#include "gpu/families/merge/merge_path.cuh"
#include "gpu/kernels/tensor_cores.cuh"

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

/// Values of a tile. Each list begins and ends within a pack.
template <class V>
__device__ void copyTile(const Packs<V>& a, const Packs<V>& b) {
    constexpr unsigned kFloats = sizeof(Pack<V>) / sizeof(float);
    for (unsigned at = threadIdx.x; at < a.count + b.count; at += blockDim.x) {
        const Pack<V>* const from = at < a.count ? a.first + at : b.first + (at - a.count);
        copyAsync(dynamicShared + at * kFloats, reinterpret_cast<const float*>(from));
    }
    commitCopies();
    awaitCopies<0>();
}

template <class O, unsigned kItems>
__global__ void __launch_bounds__(1024, 2) asynchronous(Pairs<O> pairs, const Wide* splits) {
    using Value = typename O::Value;
    const auto tile = pairs.stretch(blockIdx.x);
    if (tile.count == 0) return;
    const Section<O> section = sectionOf(tile, splits);
    const Packs<Value> a(section.a, section.aCount), b(section.b, section.bCount);
    copyTile(a, b);
    __syncthreads();
    const auto* const values = reinterpret_cast<const Value*>(dynamicShared);
    mergeTile<kItems>(pairs.order, section, a, b, [&](unsigned at) { return pairs.order.key(values[at]); });
}

inline void launchAsynchronous(LaunchContext& c, const Pass& pass, const TunableValues& t) {
    dispatch(pass.type, [&]<class O>(O order) {
        launchPath(c, pass, order, t, &asynchronous<O, PathPolicy::kFew>, &asynchronous<O, PathPolicy::kMany>);
    });
}

KernelEntry asynchronous_entry() {
    KernelEntry entry = pathEntry(&launchAsynchronous);
    entry.code = {kTensorCapability,
                  [] { return reinterpret_cast<const void*>(&asynchronous<Signed, PathPolicy::kMany>); }};
    return entry;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
