// SPDX-License-Identifier: Apache-2.0
// Idea: a block brings the nonzeros of its 256 rows as one stretch, 16 bytes per load, and keeps the products in shared
// memory; then every thread adds up its rows.
// Changed from csr_vector: no lane waits for a row, whatever its length.
// Needs: columns and values in whole quads.
// Block: 128 threads, two rows each, 6 KiB of shared memory.
// Source: Greathouse and Daga, Efficient Sparse Matrix-Vector Multiplication on GPUs using the CSR Format, SC 2014.
// Look at: bytes in flight; a stride of five words has no bank conflicts.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

constexpr int kStreamThreads = 128, kStreamRows = 2 * kStreamThreads, kStreamed = 1536;

template <class V>
__global__ void csrStream(Operands<V> o) {
    o.takeChannel();
    alignas(16) __shared__ V products[kStreamed];
    constexpr int kRows = kStreamRows / kStreamThreads;
    const std::int64_t first = std::int64_t{blockIdx.x} * kStreamRows;
    const std::int64_t last = first + kStreamRows < o.rows ? first + kStreamRows : o.rows;
    const int end = o.starts[last];
    int from[kRows], to[kRows];
    V sum[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        const std::int64_t row = first + k * kStreamThreads + threadIdx.x;
        from[k] = row < last ? o.starts[row] : end;
        to[k] = row < last ? o.starts[row + 1] : end;
        sum[k] = 0;
    }
    for (int chunk = o.starts[first] & ~3; chunk < end; chunk += kStreamed) {
        // What is before the first row or beyond the last is read and never used.
#pragma unroll
        for (int i = 4 * static_cast<int>(threadIdx.x); i < kStreamed; i += 4 * kStreamThreads) {
            if (chunk + i >= end) continue;
            const auto* const column = reinterpret_cast<const unsigned long long*>(&o.columns[chunk + i]);
            const unsigned long long front = column[0], back = column[1];
            const float4 value = *reinterpret_cast<const float4*>(&o.values[chunk + i]);
            *reinterpret_cast<float4*>(&products[i]) =
                make_float4(value.x * o.x[static_cast<int>(front)], value.y * o.x[static_cast<int>(front >> 32)],
                            value.z * o.x[static_cast<int>(back)], value.w * o.x[static_cast<int>(back >> 32)]);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kRows; ++k) {
            const int stop = to[k] < chunk + kStreamed ? to[k] : chunk + kStreamed;
            for (int i = from[k] > chunk ? from[k] : chunk; i < stop; ++i) sum[k] += products[i - chunk];
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        const std::int64_t row = first + k * kStreamThreads + threadIdx.x;
        if (row < last) o.y[row] = sum[k];
    }
}

inline void launchCsrStream(LaunchContext& c, const Product& p, const TunableValues&) {
    launch(c, &csrStream<float>, dim3(blocksOf(p.stored.rows, kStreamRows), static_cast<unsigned>(p.channels)),
           dim3(kStreamThreads), 0, operandsOf(c, p));
}

inline Footprint csrStreamFootprint(const Case&, const TunableValues&) {
    return rowsFootprint(kStreamThreads, kStreamRows);
}

KernelEntry csr_stream_entry() {
    return {.multiply = &launchCsrStream, .footprint = &csrStreamFootprint, .format = Format::rows};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
