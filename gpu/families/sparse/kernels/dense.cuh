// SPDX-License-Identifier: Apache-2.0
// Idea: the whole matrix is stored, zeros as well: one thread per row goes through every column.
// Changed from nothing: this is where the ladder begins.
// Needs: 4 bytes for each of rows x columns; up to 2^26 of them, and finite pixels, as zeros are multiplied as well.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 14.1.
// Look at: bytes per nonzero: what is loaded grows with the square of the picture, what is of use with the picture.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

template <class V>
__global__ void multiplyDense(Operands<V> o) {
    o.takeChannel();
    const std::int64_t row = threadOfGrid();
    if (row >= o.rows) return;
    V sum = 0;
    for (int column = 0; column < o.rows; ++column) sum += o.values[column * std::int64_t{o.rows} + row] * o.x[column];
    o.y[row] = sum;
}

inline void launchDense(LaunchContext& c, const Product& p, const TunableValues& t) {
    launch(c, &multiplyDense<float>, gridOf(p.stored.rows, t, p.channels), blockOf(t), 0, operandsOf(c, p));
}

KernelEntry dense_entry() { return {.multiply = &launchDense, .footprint = &rowPerThread, .format = Format::dense}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
