// SPDX-License-Identifier: Apache-2.0
// Idea: one thread loads and stores 16 bytes at once: sixteen bytes, eight words of 16 bits, four floats.
// Changed from coarsened: neighbouring values per thread and coalesced all the same, with a fraction of the requests.
// Needs: packs that lie within a channel where channels differ, and planes that begin at whole packs where colours are
// mixed or channels picked; other values go one by one.
// Block: block_width threads, no shared memory.
// Source: NVIDIA Pro Tip, vectorized memory access, 2013; re-derived.
// Look at: requests per value, a sixteenth of naive's for bytes.
#pragma once

#include "gpu/families/elementwise/wide.cuh"

namespace warplens::gpu::elementwise {
inline namespace WARPLENS_BUILD {

template <class In, class Out>
__global__ void vectorised(Values<In> values, std::size_t count) {
    constexpr int N = kWide<In, Out>;
    const std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * N, pixels = values.of.pixels;
    if (i >= count) return;
    auto* const out = static_cast<Out*>(values.out);
    const bool mixes = values.mixes();
    const int channel = values.channel(i);
    if (i + N > count || (mixes || values.picks() ? pixels % N != 0 : values.channel(i + N - 1) != channel)) {
        for (std::size_t k = i; k < i + N && k < count; ++k) values.compute(k);
        return;
    }
    float x[N], y[N] = {}, to[N];
    if (values.picks()) {
        Words<In, N>(values.plane(channel) + i - channel * pixels).floats(x);
#pragma unroll
        for (int k = 0; k < N; ++k) to[k] = x[k] * values.of.formula.keep;
        return storeWide(out + i, to);
    }
    Words<In, N>(values.in + i).floats(x);
    if (!mixes) {
        if (values.with != nullptr) Words<In, N>(values.with + i).floats(y);
        values.results(channel, x, y, to);
        return storeWide(out + i, to);
    }
    float blue[N];
    Words<In, N>(values.in + pixels + i).floats(y);
    Words<In, N>(values.in + 2 * pixels + i).floats(blue);
    for (int c = 0; c < values.of.outputs && c < 3; ++c) {
#pragma unroll
        for (int k = 0; k < N; ++k) to[k] = values.mixed(c, x[k], y[k], blue[k]);
        storeWide(out + c * pixels + i, to);
    }
    if (values.of.outputs < 4) return;
    Words<In, N>(values.in + 3 * pixels + i).floats(x);
#pragma unroll
    for (int k = 0; k < N; ++k) to[k] = x[k] * values.of.formula.keep;
    storeWide(out + 3 * pixels + i, to);
}

inline void launchVectorised(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchWide(c, a, [&]<class In, class Out>(const Values<In>& values, Out) {
        const dim3 block = rowOf(t);
        launch(c, &vectorised<In, Out>, blocksFor(a.count(), std::size_t{block.x} * kWide<In, Out>), block, 0, values,
               a.count());
    });
}

inline Footprint vectorisedFootprint(const Case& of, const TunableValues& t) {
    return alongValues(t.at("block_width"), of.valuesAPack());
}

KernelEntry vectorised_entry() { return {.launch = &launchVectorised, .footprint = &vectorisedFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::elementwise
