// SPDX-License-Identifier: Apache-2.0
#pragma once

// The outputs near the edge of a picture, for kernels whose threads ask nothing about the border: some blocks of the
// same launch write them.

#include "gpu/families/convolution/row_window.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Rows above and below, columns on either side of what is left, and the rows of blocks in the grid that write them.
struct Frame {
    int top, bottom, left, right;
    int width, height;  ///< the picture's
    unsigned first,
        blocks;  ///< of blockIdx.y: where the rows of blocks begin that write the frame, and how many there are

    __host__ __device__ int between() const { return height - top - bottom; }
    __host__ __device__ std::int64_t outputs() const {
        return static_cast<std::int64_t>(top + bottom) * width + static_cast<std::int64_t>(between()) * (left + right);
    }
    __device__ bool isBlock() const { return blockIdx.y - first < blocks; }
    /// Which row of the others' blocks this one is.
    __device__ unsigned row() const { return blockIdx.y < first ? blockIdx.y : blockIdx.y - blocks; }
    /// Whether a thread whose C columns begin at x writes them.
    template <int C>
    __device__ bool inner(int x) const {
        return x >= left && x + C <= width - right;
    }
    __device__ int firstRow(int y) const { return y > top ? y : top; }
    __device__ int lastRow(int y) const { return y < height - bottom ? y : height - bottom; }  ///< excluded
};

/// The frame around what threads of C columns write, for filters of radius R, Q of its outputs a thread; `grid`, blocks
/// of `threads`, grows by its blocks. They come last. 8192 x 8192 f32 on an H200, 2026-11-21, ms, one output a thread
/// and four, each in a run of the benchmark: streamed radius 4 0.228 0.224, 7 0.657 0.614; tensor_core radius 7 0.492
/// 0.455; separable_streamed radius 4 0.163 0.162, 7 0.262 0.266. By compare, four a thread: register_blocked, whose
/// other blocks are soon done, radius 2 0.158 and 7 0.677 (one: 0.151 and 0.640 in the benchmark); four and first:
/// 0.154 and 0.656, separable_streamed radius 7 0.275; one and among the others: separable_streamed radius 7 0.289.
template <int R, int C, int Q>
Frame addFrame(const Arguments& a, dim3& grid, unsigned threads) {
    constexpr int kRim = RowWindow<float, R, C>::kRim * kQuad;
    Frame f{};
    f.width = a.width;
    f.height = a.height;
    f.top = std::min(R, a.height);
    f.bottom = std::min(R, a.height - f.top);
    f.left = (kRim + C - 1) / C * C;
    f.right = a.width - (a.width - kRim) / C * C;
    const std::int64_t per = static_cast<std::int64_t>(grid.x) * threads * Q;
    f.blocks = static_cast<unsigned>((f.outputs() + per - 1) / per);
    f.first = grid.y;
    grid.y += f.blocks;
    return f;
}

/// A frame without outputs, for threads that ask about the border themselves.
inline Frame noFrame(const Arguments& a) {
    Frame f{};
    f.width = a.width;
    f.height = a.height;
    return f;
}

/// Whether the kernels without questions serve: rows begin at multiples of four values, one window at least fits into a
/// row, and results are stored as T.
template <class T, int R, int C>
bool servesPlainly(const Arguments& a) {
    return a.width % kQuad == 0 && a.width >= 2 * C + RowWindow<T, R, C>::kQuads * kQuad &&
           a.outputType == io::typeOf<T>();
}

/// Writes this thread's Q outputs of the frame, 1 or 4 neighbours in a row. `weight(j, i)` is the filter's.
template <int R, int Q, class T, class Weight>
__device__ void writeFrame(const Source<T>& source, const Target& out, const Frame& f, Weight weight) {
    constexpr int kSide = 2 * R + 1, kReach = Q + 2 * R;
    const std::int64_t block = static_cast<std::int64_t>(blockIdx.y - f.first) * gridDim.x + blockIdx.x;
    const std::int64_t i = ((block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) * Q;
    if (i >= f.outputs()) return;
    int x, y;
    const std::int64_t rows = static_cast<std::int64_t>(f.top + f.bottom) * f.width;
    if (i < rows) {
        const int row = static_cast<int>(i / f.width);
        x = static_cast<int>(i % f.width);
        y = row < f.top ? row : row + f.between();
    } else {
        const int sides = f.left + f.right, column = static_cast<int>((i - rows) % sides);
        x = column < f.left ? column : f.width - sides + column;
        y = f.top + static_cast<int>((i - rows) / sides);
    }
    const Plane<T> in = source.plane(blockIdx.z);
    int columns[kReach];
#pragma unroll
    for (int k = 0; k < kReach; ++k) columns[k] = remap(x - R + k, in.width, in.border);
    float sum[Q] = {};
#pragma unroll(Q == 1 ? 3 : 1)
    for (int j = 0; j < kSide; ++j) {
        const int line = remap(y - R + j, in.height, in.border);
        const T* const row = in.data + static_cast<std::size_t>(line < 0 ? 0 : line) * in.width;
        float values[kReach];  // all loads of a row are under way at once
#pragma unroll
        for (int k = 0; k < kReach; ++k)
            values[k] = columns[k] < 0 || line < 0 ? 0.0F : static_cast<float>(row[columns[k]]);
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
            const float w = weight(j, k);
#pragma unroll
            for (int c = 0; c < Q; ++c) sum[c] = fmaf(w, values[c + k], sum[c]);
        }
    }
#pragma unroll
    for (int c = 0; c < Q; ++c) out.store(blockIdx.z, x + c, y, sum[c]);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
