// SPDX-License-Identifier: Apache-2.0
// Idea: one thread makes one output, a row of the left factor times a column of the right one.
// Changed from nothing: this is where the ladder begins.
// Needs: nothing. A bank of filters and colours are made the same way, a thread an output.
// Block: block_width x block_height threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 3.4; threads down a column on
// purpose.
// Look at: sectors per request of the left factor: a warp's rows are far apart, each in its own sector.
#pragma once

#include "gpu/families/product/launching.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

/// Threads of a warp follow one another down a column of C.
template <class T>
__global__ void naive(Matrices<T> m) {
    const int row = blockIdx.y * blockDim.x + threadIdx.x, column = blockIdx.x * blockDim.y + threadIdx.y;
    if (!m.contains(row, column)) return;
    const T* const a = m.left() + row * m.aRow;
    const float* const b = m.right() + column;
    float sum = 0;
    for (int k = 0; k < m.inner; ++k) sum += static_cast<float>(a[k]) * b[k * m.bRow];
    m.store(row, column, sum);
}

/// A bank: filter blockIdx.z % count over channel blockIdx.z / count.
template <class T>
__global__ void naiveBank(const T* in, const float* filters, float* out, Banking bank) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= bank.width || y >= bank.height) return;
    const std::int64_t pixels = std::int64_t{bank.width} * bank.height;
    const int filter = static_cast<int>(blockIdx.z) % bank.count, before = bank.side / 2;
    const T* const plane = in + blockIdx.z / bank.count * pixels;
    const float* weight = filters + filter * bank.filterRow;
    float sum = 0;
    for (int j = 0; j < bank.side; ++j) {
        for (int i = 0; i < bank.side; ++i, ++weight) {
            const int column = x + i - before, row = y + j - before;
            if (column >= 0 && column < bank.width && row >= 0 && row < bank.height)
                sum += *weight * static_cast<float>(plane[std::int64_t{row} * bank.width + column]);
        }
    }
    out[blockIdx.z * pixels + std::int64_t{y} * bank.width + x] = sum;
}

template <class T>
__device__ T roundedTo(float value) {
    if constexpr (sizeof(T) == 1)
        return Target::toByte(value);
    else if constexpr (sizeof(T) == 2)
        return Target::toWord(value);
    else
        return value;
}

/// Colours: a thread a value, channel blockIdx.z of it.
template <class T>
__global__ void naiveColours(const T* in, T* out, Mixing mix) {
    const std::int64_t pixel = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (pixel >= mix.pixels) return;
    T* const to = out + blockIdx.z * mix.pixels + pixel;
    if (blockIdx.z == 3) {
        *to = in[3 * mix.pixels + pixel];
        return;
    }
    const float* const weight = &mix.weights[4 * blockIdx.z];
    float sum = weight[3];
    for (int k = 0; k < 3; ++k) sum += weight[k] * static_cast<float>(in[k * mix.pixels + pixel]);
    *to = roundedTo<T>(sum);
}

/// The block's width lies along a row, as everywhere; a warp's threads go down its height.
inline void launchNaive(LaunchContext& c, const Multiplication& m, const TunableValues& t) {
    const dim3 tile = blockOf(t), block(tile.y, tile.x);
    dispatch(c, m, [&]<class T>(const Matrices<T>& of) {
        launch(c, &naive<T>, gridOf(m, static_cast<int>(tile.x), static_cast<int>(tile.y)), block, 0, of);
    });
}

inline void launchNaiveBank(LaunchContext& c, const Banking& bank, const TunableValues& t) {
    const dim3 block = blockOf(t);
    const dim3 grid(ceilDiv(bank.width, static_cast<int>(block.x)), ceilDiv(bank.height, static_cast<int>(block.y)),
                    static_cast<unsigned>(bank.count * bank.channels));
    const auto* const filters = static_cast<const float*>(c.address(bank.filters));
    auto* const out = static_cast<float*>(c.address(bank.output));
    io::withSampleType(bank.type, [&]<class T>(T) {
        launch(c, &naiveBank<T>, grid, block, 0, static_cast<const T*>(c.address(bank.input)), filters, out, bank);
    });
}

inline void launchNaiveColours(LaunchContext& c, const Mixing& mix, const TunableValues& t) {
    const dim3 tile = blockOf(t), block(tile.x * tile.y);
    const dim3 grid(static_cast<unsigned>((mix.pixels + block.x - 1) / block.x), 1,
                    static_cast<unsigned>(mix.channels));
    io::withSampleType(mix.type, [&]<class T>(T) {
        launch(c, &naiveColours<T>, grid, block, 0, static_cast<const T*>(c.address(mix.input)),
               static_cast<T*>(c.address(mix.output)), mix);
    });
}

KernelEntry naive_entry() {
    return {
        .multiply = &launchNaive, .filter = &launchNaiveBank, .mix = &launchNaiveColours, .footprint = &plainFootprint};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
