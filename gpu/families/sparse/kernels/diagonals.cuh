// SPDX-License-Identifier: Apache-2.0
// Idea: a matrix of a grid lies on few diagonals: store those, and no columns at all.
// Changed from ell: 4 bytes per nonzero instead of 8.
// Needs: every pixel a row; with a mask the diagonals are lost.
// Block: block_width threads, no shared memory; offsets are arguments.
// Source: Bell and Garland, SC 2009.
// Look at: bytes: half of ELL's, and still five times those of the picture.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

struct Diagonals {
    int count;
    int offsets[kMostDiagonals];
};

template <class V>
__global__ void multiplyDiagonals(Operands<V> o, Diagonals d) {
    o.takeChannel();
    const std::int64_t row = threadOfGrid();
    if (row >= o.rows) return;
    V sum = 0;
    for (int k = 0; k < d.count; ++k) {
        const V value = o.values[k * std::int64_t{o.rows} + row];
        // No nonzero, no column: what stands there may not be a number.
        if (!(value == 0)) sum += value * o.x[row + d.offsets[k]];
    }
    o.y[row] = sum;
}

inline void launchDiagonals(LaunchContext& c, const Product& p, const TunableValues& t) {
    Diagonals d{p.stored.diagonals, {}};
    for (int k = 0; k < d.count; ++k) d.offsets[k] = p.stored.offsets[static_cast<std::size_t>(k)];
    launch(c, &multiplyDiagonals<float>, gridOf(p.stored.rows, t, p.channels), blockOf(t), 0, operandsOf(c, p), d);
}

KernelEntry diagonals_entry() {
    return {.multiply = &launchDiagonals, .footprint = &rowPerThread, .format = Format::diagonals};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
