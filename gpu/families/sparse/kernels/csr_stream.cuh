// SPDX-License-Identifier: Apache-2.0
// Idea: a block brings the nonzeros of its 256 rows as one stretch, 16 bytes a load, and keeps the products in shared
// memory; then every thread adds up its row.
// Changed from csr_vector: no lane waits for a row, whatever its length.
// Needs: columns and values in whole quads.
// Block: 256 threads, 10 KiB of shared memory.
// Source: Greathouse and Daga, Efficient Sparse Matrix-Vector Multiplication on GPUs using the CSR Format, SC 2014.
// Look at: bytes in flight; a stride of five words has no bank conflicts.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

constexpr int kStreamRows = 256, kStreamed = 2560;

template <class V>
__global__ void csrStream(Operands<V> o) {
    __shared__ V products[kStreamed];
    const std::int64_t first = std::int64_t{blockIdx.x} * kStreamRows;
    const std::int64_t row = first + threadIdx.x, last = first + kStreamRows < o.rows ? first + kStreamRows : o.rows;
    const int end = o.starts[last];
    const int from = row < last ? o.starts[row] : end, to = row < last ? o.starts[row + 1] : end;
    V sum = 0;
    for (int chunk = o.starts[first] & ~3; chunk < end; chunk += kStreamed) {
        // What is before the first row or beyond the last is read and never used.
#pragma unroll 2
        for (int i = 4 * static_cast<int>(threadIdx.x); i < kStreamed && chunk + i < end; i += 4 * kStreamRows) {
            const auto* const column = reinterpret_cast<const unsigned long long*>(&o.columns[chunk + i]);
            const unsigned long long front = column[0], back = column[1];
            const float4 value = *reinterpret_cast<const float4*>(&o.values[chunk + i]);
            products[i] = value.x * o.x[static_cast<int>(front)];
            products[i + 1] = value.y * o.x[static_cast<int>(front >> 32)];
            products[i + 2] = value.z * o.x[static_cast<int>(back)];
            products[i + 3] = value.w * o.x[static_cast<int>(back >> 32)];
        }
        __syncthreads();
        const int stop = to < chunk + kStreamed ? to : chunk + kStreamed;
        for (int i = from > chunk ? from : chunk; i < stop; ++i) sum += products[i - chunk];
        __syncthreads();
    }
    if (row < last) o.y[row] = sum;
}

inline void launchCsrStream(LaunchContext& c, const Product& p, const TunableValues&) {
    launch(c, &csrStream<float>, dim3(blocksOf(p.stored.rows, kStreamRows)), dim3(kStreamRows), 0, operandsOf(c, p));
}

inline Footprint csrStreamFootprint(const Case&, const TunableValues&) {
    return rowsFootprint(kStreamRows, kStreamRows);
}

KernelEntry csr_stream_entry() {
    return {.multiply = &launchCsrStream, .footprint = &csrStreamFootprint, .format = Format::rows};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
