// SPDX-License-Identifier: Apache-2.0
#pragma once

// The outputs near the edge of a picture, for kernels whose threads ask nothing about the border: some blocks of the same
// launch write them, value by value.

#include "gpu/convolution/row_window.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Rows above and below, columns on either side of what is left, and the rows of blocks in the grid that write them.
struct Frame {
    int top, bottom, left, right;
    int width, height;  ///< the picture's
    unsigned blocks;    ///< rows of blocks that write the frame
    int spacing;        ///< so many bits: of 2^spacing rows of blocks the last one is of them, as long as there are any

    __host__ __device__ int between() const { return height - top - bottom; }
    __host__ __device__ std::int64_t outputs() const {
        return static_cast<std::int64_t>(top + bottom) * width + static_cast<std::int64_t>(between()) * (left + right);
    }
    /// They lie among the others: a frame of large filters takes its time, in which the others have memory busy.
    __device__ bool isBlock() const { return index() < blocks && (blockIdx.y + 1) % (1U << spacing) == 0; }
    /// Which row of its kind this row of blocks is.
    __device__ unsigned index() const { return blockIdx.y >> spacing; }
    __device__ unsigned row() const { return blockIdx.y - (index() < blocks ? index() : blocks); }
    /// Whether a thread whose C columns begin at x writes them.
    template <int C>
    __device__ bool inner(int x) const {
        return x >= left && x + C <= width - right;
    }
    __device__ int firstRow(int y) const { return y > top ? y : top; }
    __device__ int lastRow(int y) const { return y < height - bottom ? y : height - bottom; }  ///< excluded
};

/// The frame around what threads of C columns write, for filters of radius R; `grid`, blocks of `threads`, grows by its blocks.
template <int R, int C>
Frame addFrame(const Arguments& a, dim3& grid, unsigned threads) {
    constexpr int kRim = RowWindow<float, R, C>::kRim * kQuad;
    Frame f{};
    f.width = a.width;
    f.height = a.height;
    f.top = std::min(R, a.height);
    f.bottom = std::min(R, a.height - f.top);
    f.left = (kRim + C - 1) / C * C;
    f.right = a.width - (a.width - kRim) / C * C;
    const std::int64_t per = static_cast<std::int64_t>(grid.x) * threads;
    f.blocks = static_cast<unsigned>((f.outputs() + per - 1) / per);
    grid.y += f.blocks;
    while (f.blocks << (f.spacing + 1) <= grid.y) ++f.spacing;
    return f;
}

/// A frame without outputs, for threads that ask about the border themselves.
inline Frame noFrame(const Arguments& a) {
    Frame f{};
    f.width = a.width;
    f.height = a.height;
    return f;
}

/// Whether the kernels without questions serve: rows begin at multiples of four values, one window at least fits into a row,
/// and results are stored as T.
template <class T, int R, int C>
bool servesPlainly(const Arguments& a) {
    return a.width % kQuad == 0 && a.width >= 2 * C + RowWindow<T, R, C>::kQuads * kQuad && a.outputType == io::typeOf<T>();
}

/// Writes this thread's output of the frame. `weight(j, i)` is the filter's.
template <int R, class T, class Weight>
__device__ void writeFrame(const Source<T>& source, const Target& out, const Frame& f, Weight weight) {
    constexpr int kSide = 2 * R + 1;
    const std::int64_t block = static_cast<std::int64_t>(f.index()) * gridDim.x + blockIdx.x;
    const std::int64_t i = (block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
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
    int columns[kSide];
#pragma unroll
    for (int k = 0; k < kSide; ++k) columns[k] = remap(x - R + k, in.width, in.border);
    float sum = 0;
#pragma unroll 3
    for (int j = 0; j < kSide; ++j) {
        const int line = remap(y - R + j, in.height, in.border);
        const T* const row = in.data + static_cast<std::size_t>(line < 0 ? 0 : line) * in.width;
        float values[kSide];  // all loads of a row are under way at once
#pragma unroll
        for (int k = 0; k < kSide; ++k) values[k] = columns[k] < 0 || line < 0 ? 0.0F : static_cast<float>(row[columns[k]]);
#pragma unroll
        for (int k = 0; k < kSide; ++k) sum = fmaf(weight(j, k), values[k], sum);
    }
    out.store(blockIdx.z, x, y, sum);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
