// SPDX-License-Identifier: Apache-2.0
// Idea: what Jacobi's method and conjugate gradients do with vectors, fused: what is read once is used at once.
// Changed from nothing: no variant, but what stands between two products, whichever variant computes them.
// Needs: sums in double, so that millions of squares of floats lose nothing.
// Block: 256 threads in a stride over the grid; blockIdx.y is the channel; a sum a block by an atomic.
// Source: our own.
// Look at: bytes: a step of conjugate gradients moves 40 bytes per unknown beside its product.
#pragma once

#include "gpu/families/sparse/launching.cuh"
#include "gpu/families/sparse/solving.hpp"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

constexpr int kVectorThreads = 256;

/// Adds the values of a block's threads to *sum. Every thread comes here, once.
__device__ inline void addOfBlock(double value, double* sum) {
    __shared__ double ofWarps[kVectorThreads / 32];
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffffU, value, apart);
    if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x != 0) return;
    double all = 0;
    for (int warp = 0; warp < kVectorThreads / 32; ++warp) all += ofWarps[warp];
    atomicAdd(sum, all);
}

/// Calls f(i) for the places of this block's channel.
template <class F>
__device__ void forValues(std::int64_t values, F f) {
    const std::int64_t first = blockIdx.y * values;
    for (std::int64_t i = threadOfGrid(); i < values; i += std::int64_t{gridDim.x} * blockDim.x) f(first + i);
}

template <class V>
__global__ void takeResidual(std::int64_t values, const V* b, V* r, double* sums) {
    double sum = 0;
    forValues(values, [&](std::int64_t i) {
        const V left = b[i] - r[i];
        r[i] = left;
        sum += static_cast<double>(left) * static_cast<double>(left);
    });
    addOfBlock(sum, &sums[blockIdx.y]);
}

template <class V>
__global__ void relaxUnknowns(Rows rows, bool whole, const unsigned char* inside, std::int64_t values, const V* b,
                              const V* q, V* u, V weight, double* sums) {
    double sum = 0;
    forValues(values, [&](std::int64_t i) {
        const auto at = static_cast<int>(i - blockIdx.y * values);
        if (whole && inside[at] == 0) return;
        int neighbours = 0;
        forNeighbours(
            rows, whole ? at : rows.places[at], [&neighbours](int) { ++neighbours; }, [] {});
        const V left = b[i] - q[i];
        u[i] += weight * left / static_cast<V>(neighbours);
        sum += static_cast<double>(left) * static_cast<double>(left);
    });
    if (sums != nullptr) addOfBlock(sum, &sums[blockIdx.y]);
}

template <class V>
__global__ void dotProducts(std::int64_t values, const V* a, const V* b, double* sums) {
    double sum = 0;
    forValues(values, [&](std::int64_t i) { sum += static_cast<double>(a[i]) * static_cast<double>(b[i]); });
    addOfBlock(sum, &sums[blockIdx.y]);
}

template <class V>
__global__ void advanceBoth(std::int64_t values, const V* factors, const V* p, const V* q, V* u, V* r, double* sums) {
    const V factor = factors[blockIdx.y];
    double sum = 0;
    forValues(values, [&](std::int64_t i) {
        u[i] += factor * p[i];
        const V left = r[i] - factor * q[i];
        r[i] = left;
        sum += static_cast<double>(left) * static_cast<double>(left);
    });
    addOfBlock(sum, &sums[blockIdx.y]);
}

template <class V>
__global__ void newDirection(std::int64_t values, const V* factors, const V* z, V* p) {
    const V factor = factors[blockIdx.y];
    forValues(values, [&](std::int64_t i) { p[i] = z[i] + factor * p[i]; });
}

inline dim3 vectorGrid(const Span& s) {
    constexpr unsigned kMostBlocks = 2048;
    const unsigned blocks = blocksOf(s.values, 8 * kVectorThreads);
    return {blocks < kMostBlocks ? blocks : kMostBlocks, static_cast<unsigned>(s.channels)};
}
inline float* floats(LaunchContext& c, std::uint64_t handle) { return static_cast<float*>(c.address(handle)); }
inline double* doubles(LaunchContext& c, std::uint64_t handle) { return static_cast<double*>(c.address(handle)); }

inline void launchResidual(LaunchContext& c, const Span& s, std::uint64_t b, std::uint64_t r, std::uint64_t sums) {
    launch(c, &takeResidual<float>, vectorGrid(s), dim3(kVectorThreads), 0, s.values, floats(c, b), floats(c, r),
           doubles(c, sums));
}
inline void launchRelax(LaunchContext& c, const Rule& r, const Span& s, std::uint64_t b, std::uint64_t q,
                        std::uint64_t u, float weight, std::uint64_t sums) {
    const bool whole = s.values == r.pixels();
    launch(c, &relaxUnknowns<float>, vectorGrid(s), dim3(kVectorThreads), 0, rowsOf(c, r), whole,
           static_cast<const unsigned char*>(c.address(r.inside)), s.values, floats(c, b), floats(c, q), floats(c, u),
           weight, sums == 0 ? nullptr : doubles(c, sums));
}
inline void launchDot(LaunchContext& c, const Span& s, std::uint64_t a, std::uint64_t b, std::uint64_t sums) {
    launch(c, &dotProducts<float>, vectorGrid(s), dim3(kVectorThreads), 0, s.values, floats(c, a), floats(c, b),
           doubles(c, sums));
}
inline void launchAdvance(LaunchContext& c, const Span& s, std::uint64_t factors, std::uint64_t p, std::uint64_t q,
                          std::uint64_t u, std::uint64_t r, std::uint64_t sums) {
    launch(c, &advanceBoth<float>, vectorGrid(s), dim3(kVectorThreads), 0, s.values, floats(c, factors), floats(c, p),
           floats(c, q), floats(c, u), floats(c, r), doubles(c, sums));
}
inline void launchDirect(LaunchContext& c, const Span& s, std::uint64_t factors, std::uint64_t z, std::uint64_t p) {
    launch(c, &newDirection<float>, vectorGrid(s), dim3(kVectorThreads), 0, s.values, floats(c, factors), floats(c, z),
           floats(c, p));
}

SolvingEntry solving_entry() {
    return {.residual = &launchResidual,
            .relax = &launchRelax,
            .dot = &launchDot,
            .advance = &launchAdvance,
            .direct = &launchDirect};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
