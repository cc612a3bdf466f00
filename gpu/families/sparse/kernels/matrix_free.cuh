// SPDX-License-Identifier: Apache-2.0
// Idea: no matrix: a row follows from where its pixel lies, so it is worked out, not read.
// Changed from diagonals: a picture is read and one is written, 8 bytes per pixel instead of 36.
// Needs: vectors that hold every pixel, with a mask zeros outside it.
// Block: 256 threads, each of which goes down four rows and keeps what is above and below in registers.
// Source: our own; the five-point stencil is as in Micikevicius, GPGPU-2, 2009.
// Look at: bytes: what no format, however good, can reach.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

constexpr int kFreeThreads = 256, kFreeRows = 4;

/// The vectors as pictures; `inside` is null without a mask.
template <class V>
struct Pictures {
    const V* x;
    V* y;
    const unsigned char* inside;
};

/// One row of A x.
__device__ inline float rowTimes(const Rows& r, const Pictures<float>& p, int pixel) {
    float sum = 0;
    if (p.inside != nullptr) {
        if (p.inside[pixel] == 0) return 0;
        // What is not unknown is zero in x.
        float neighbours = 0, others = 0;
        const auto other = [&](int at) {
            neighbours += 1;
            others += p.x[at];
        };
        forNeighbours(r, pixel, other, [] {});
        return neighbours * p.x[pixel] - others;
    }
    forRow(r, pixel, [&](int column, float value) { sum += value * p.x[column]; });
    return sum;
}

/// Any matrix: a thread goes down a column of the picture.
template <class V>
__global__ void matrixFree(Rows r, Pictures<V> p) {
    const int x = blockIdx.x * kFreeThreads + threadIdx.x;
    if (x >= r.width) return;
    for (int z = blockIdx.z; z < r.depth; z += gridDim.z)
        for (int first = blockIdx.y * kFreeRows; first < r.height; first += gridDim.y * kFreeRows)
            for (int y = first; y < r.height && y < first + kFreeRows; ++y) {
                const int pixel = z * r.slice() + y * r.width + x;
                p.y[pixel] = rowTimes(r, p, pixel);
            }
}

__device__ inline float4 load4(const float* from) { return *reinterpret_cast<const float4*>(from); }

/// The Laplacian of a picture whose rows are whole quads: four pixels of four rows a thread.
template <class V>
__global__ void laplacianFree(Rows r, Pictures<V> p) {
    const int x = 4 * (blockIdx.x * kFreeThreads + threadIdx.x);
    if (x >= r.width) return;
    for (int first = blockIdx.y * kFreeRows; first < r.height; first += gridDim.y * kFreeRows) {
        const V* row = p.x + first * static_cast<std::int64_t>(r.width) + x;
        V* to = p.y + first * static_cast<std::int64_t>(r.width) + x;
        float4 above = first > 0 ? load4(row - r.width) : float4{0, 0, 0, 0}, here = load4(row);
#pragma unroll
        for (int k = 0; k < kFreeRows; ++k, row += r.width, to += r.width) {
            const int y = first + k;
            if (y >= r.height) break;
            const bool kept = y == 0 || y == r.height - 1;
            const float4 below = y + 1 < r.height ? load4(row + r.width) : float4{0, 0, 0, 0};
            const float left = x > 0 ? row[-1] : 0, right = x + 4 < r.width ? row[4] : 0;
            float4 sum{4 * here.x - above.x - below.x - left - here.y, 4 * here.y - above.y - below.y - here.x - here.z,
                       4 * here.z - above.z - below.z - here.y - here.w,
                       4 * here.w - above.w - below.w - here.z - right};
            if (kept || x == 0) sum.x = here.x;
            if (kept) sum.y = here.y, sum.z = here.z;
            if (kept || x + 4 >= r.width) sum.w = here.w;
            __stcs(reinterpret_cast<float4*>(to), sum);
            above = here;
            here = below;
        }
    }
}

/// Whether rows begin at 16 bytes, in every channel.
inline bool takesQuads(const Case& c) {
    return c.matrix == Values::laplacian && !c.masked && c.depth == 1 && c.width % 4 == 0;
}

inline void launchMatrixFree(LaunchContext& c, const Product& p, const TunableValues&) {
    constexpr int kMost = 65535;
    const Rule& r = p.rule;
    const Pictures<float> of{input(c, p.x), output(c, p.y),
                             r.inside == 0 ? nullptr : static_cast<const unsigned char*>(c.address(r.inside))};
    const bool quads = takesQuads(r);
    const auto down = blocksOf(r.height, kFreeRows);
    const dim3 grid(ceilDiv(r.width, quads ? 4 * kFreeThreads : kFreeThreads), down < kMost ? down : kMost,
                    static_cast<unsigned>(r.depth < kMost ? r.depth : kMost));
    launch(c, quads ? &laplacianFree<float> : &matrixFree<float>, grid, dim3(kFreeThreads), 0, rowsOf(c, r), of);
}

inline Footprint matrixFreeFootprint(const Case& of, const TunableValues&) {
    const bool filter = of.matrix == Values::filter;
    return {.blockWidth = kFreeThreads,
            .blockHeight = 1,
            .tileWidth = takesQuads(of) ? 4 * kFreeThreads : kFreeThreads,
            .tileHeight = kFreeRows,
            .haloX = filter ? 2 : 1,
            .haloY = filter ? 2 : 1,
            .haloThroughCache = true};
}

KernelEntry matrix_free_entry() {
    return {.multiply = &launchMatrixFree, .footprint = &matrixFreeFootprint, .wholePictures = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
