// SPDX-License-Identifier: Apache-2.0
// Idea: rows' ends and nonzeros are two sorted lists; every thread takes the same number of steps of their merge.
// Changed from csr_stream: equal work, whatever the rows, down to a thread.
// Needs: sums that are zero before: rows that threads share are added by atomics.
// Block: 128 threads, 8 steps each, 8 KiB of shared memory.
// Source: Merrill and Garland, Merge-based Parallel Sparse Matrix-Vector Multiplication, SC 2016.
// Look at: it costs two searches and pays on matrices with a few huge rows; those of pictures have none.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

constexpr int kPathThreads = 128, kPathSteps = 8, kPathTile = kPathThreads * kPathSteps;

/// How many of the first `diagonal` steps end rows: ends[row] <= nonzero goes first.
template <class Ends>
__device__ int rowsBefore(std::int64_t diagonal, int rows, std::int64_t nonzeros, Ends ends) {
    std::int64_t low = diagonal > nonzeros ? diagonal - nonzeros : 0, high = diagonal < rows ? diagonal : rows;
    while (low < high) {
        const std::int64_t middle = (low + high) / 2;
        if (ends(middle) <= diagonal - middle - 1)
            low = middle + 1;
        else
            high = middle;
    }
    return static_cast<int>(low);
}

template <class V>
__global__ void mergePath(Operands<V> o) {
    o.takeChannel();
    __shared__ V products[kPathTile];
    __shared__ int starts[kPathTile + 2];
    __shared__ int border[2];
    const std::int64_t steps = o.rows + o.nonzeros, first = std::int64_t{blockIdx.x} * kPathTile;
    const std::int64_t last = first + kPathTile < steps ? first + kPathTile : steps;
    if (threadIdx.x < 2)
        border[threadIdx.x] = rowsBefore(threadIdx.x == 0 ? first : last, o.rows, o.nonzeros,
                                         [&](std::int64_t row) { return o.starts[row + 1]; });
    __syncthreads();
    const int row0 = border[0], row1 = border[1];
    const std::int64_t nonzero0 = first - row0, nonzero1 = last - row1;
    for (int i = threadIdx.x; i < nonzero1 - nonzero0; i += kPathThreads)
        products[i] = o.values[nonzero0 + i] * o.x[o.columns[nonzero0 + i]];
    // From here on counted from the tile's own first row and nonzero. A row that began before starts below 0.
    for (int i = threadIdx.x; i <= row1 - row0 + 1; i += kPathThreads) {
        const int row = row0 + i < o.rows ? row0 + i : o.rows;
        starts[i] = static_cast<int>(o.starts[row] - nonzero0);
    }
    __syncthreads();
    const int all = static_cast<int>(last - first);
    const int mine = static_cast<int>(threadIdx.x) * kPathSteps;
    if (mine >= all) return;
    int row = rowsBefore(mine, row1 - row0, nonzero1 - nonzero0, [&](std::int64_t i) { return starts[i + 1]; });
    int nonzero = mine - row;
    const int until = mine + kPathSteps < all ? mine + kPathSteps : all;
    bool whole = starts[row] == nonzero;
    V sum = 0;
    for (int step = mine; step < until; ++step) {
        if (row < row1 - row0 && starts[row + 1] <= nonzero) {
            if (whole)
                o.y[row0 + row] = sum;
            else
                atomicAdd(&o.y[row0 + row], sum);
            whole = true;
            sum = 0;
            ++row;
        } else {
            sum += products[nonzero++];
        }
    }
    // The row goes on in another thread.
    const bool begun = whole ? nonzero > starts[row] : true;
    if (row0 + row < o.rows && begun) atomicAdd(&o.y[row0 + row], sum);
}

inline void launchMergePath(LaunchContext& c, const Product& p, const TunableValues&) {
    const Operands<float> o = operandsOf(c, p);
    clear(c, o);
    launch(c, &mergePath<float>, dim3(blocksOf(o.rows + o.nonzeros, kPathTile), static_cast<unsigned>(o.channels)),
           dim3(kPathThreads), 0, o);
}

inline Footprint mergePathFootprint(const Case& of, const TunableValues&) {
    const int rows = kPathTile / (of.mostNonzeros() + 1);
    return rowsFootprint(kPathThreads, rows > 0 ? rows : 1);
}

KernelEntry merge_path_entry() {
    return {.multiply = &launchMergePath, .footprint = &mergePathFootprint, .format = Format::rows};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
