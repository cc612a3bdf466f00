// SPDX-License-Identifier: Apache-2.0
// Idea: the right factor is turned first, so that every thread reads both factors along a row.
// Changed from naive: threads along a row of the result; what one core's cache likes, threads side by side do not.
// Needs: room for the turned factor.
// Block: block_width x block_height threads, no shared memory; the turn is a kernel of its own, timed as well.
// Source: Drepper, What Every Programmer Should Know About Memory, 2007, section 6.2.1, which does it on a CPU.
// Look at: sectors per request of the turned factor: 32, one per lane, where coalesced has 4.
#pragma once

#include "gpu/families/product/launching.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

/// Turns B by a tile of 32 x 32 a block; `layers` of them.
__global__ void turnFactor(const float* b, float* turned, int rows, int columns, std::int64_t bRow,
                           std::int64_t bLayer) {
    constexpr int kTile = 32;
    __shared__ float tile[kTile][kTile + 1];
    const int left = blockIdx.x * kTile, top = blockIdx.y * kTile, lane = threadIdx.x;
    const float* const in = b + blockIdx.z * bLayer;
    for (int y = threadIdx.y; y < kTile; y += blockDim.y)
        if (left + lane < columns && top + y < rows) tile[y][lane] = in[(top + y) * bRow + left + lane];
    __syncthreads();
    float* const out = turned + blockIdx.z * std::int64_t{rows} * columns;
    for (int x = threadIdx.y; x < kTile; x += blockDim.y)
        if (left + x < columns && top + lane < rows) out[std::int64_t{left + x} * rows + top + lane] = tile[lane][x];
}

template <class T>
__global__ void transposed(Matrices<T> m) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (!m.contains(row, column)) return;
    const T* const a = m.left() + row * m.aRow;
    const float* const b = m.right() + column * m.bRow;
    float sum = 0;
    for (int k = 0; k < m.inner; ++k) sum += static_cast<float>(a[k]) * b[k];
    m.store(row, column, sum);
}

inline void launchTransposed(LaunchContext& c, const Multiplication& m, const TunableValues& t) {
    const unsigned layers = m.b.layer == 0 ? 1 : static_cast<unsigned>(m.layers);
    auto* const turned = static_cast<float*>(c.address(m.scratch));
    launch(c, &turnFactor, dim3(ceilDiv(m.columns, 32), ceilDiv(m.inner, 32), layers), dim3(32, 8), 0,
           static_cast<const float*>(c.address(m.b.handle)) + m.b.first, turned, m.inner, m.columns, m.b.row,
           m.b.layer);
    const dim3 block = blockOf(t);
    dispatch(c, m, [&]<class T>(Matrices<T> of) {
        of.b = turned;
        of.bRow = m.inner;
        of.bLayer = m.b.layer == 0 ? 0 : std::int64_t{m.inner} * m.columns;
        launch(c, &transposed<T>, gridOf(m, static_cast<int>(block.x), static_cast<int>(block.y)), block, 0, of);
    });
}

inline std::size_t turnedFloats(const Multiplication& m, const TunableValues&) {
    return static_cast<std::size_t>(m.inner) * static_cast<std::size_t>(m.columns) *
           static_cast<std::size_t>(m.b.layer == 0 ? 1 : m.layers);
}

KernelEntry transposed_entry() {
    return {.multiply = &launchTransposed, .footprint = &plainFootprint, .multiplyScratch = &turnedFloats};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
