// SPDX-License-Identifier: Apache-2.0
// Idea: one warp, one row: its lanes read neighbouring nonzeros and add up by shuffles.
// Changed from csr_scalar: reads are coalesced.
// Needs: nothing. lanes_per_row below 32 lets several rows share a warp.
// Block: block_width threads, no shared memory.
// Source: Bell and Garland, SC 2009; lanes by the row's length: Reguly and Giles, InPar 2012.
// Look at: active lanes: a row of five nonzeros leaves 27 of 32 idle.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

template <class V>
__global__ void csrVector(Operands<V> o, int lanes) {
    o.takeChannel();
    const std::int64_t row = threadOfGrid() / lanes;
    const int lane = static_cast<int>(threadIdx.x) % lanes;
    V sum = 0;
    if (row < o.rows) {
        for (int i = o.starts[row] + lane; i < o.starts[row + 1]; i += lanes) sum += o.values[i] * o.x[o.columns[i]];
    }
    for (int apart = lanes / 2; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffffU, sum, apart, lanes);
    if (lane == 0 && row < o.rows) o.y[row] = sum;
}

inline void launchCsrVector(LaunchContext& c, const Product& p, const TunableValues& t) {
    const int lanes = t.at("lanes_per_row");
    launch(c, &csrVector<float>, gridOf(std::int64_t{p.stored.rows} * lanes, t, p.channels), blockOf(t), 0,
           operandsOf(c, p), lanes);
}

inline Footprint csrVectorFootprint(const Case&, const TunableValues& t) {
    return rowsFootprint(t.at("block_width"), t.at("block_width") / t.at("lanes_per_row"));
}

KernelEntry csr_vector_entry() {
    return {.multiply = &launchCsrVector, .footprint = &csrVectorFootprint, .format = Format::rows};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
