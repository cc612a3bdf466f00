// SPDX-License-Identifier: Apache-2.0
#pragma once

// The outputs near the edge of a picture, for kernels whose threads ask nothing about the border: some blocks of the
// same launch write them.

#include "gpu/families/convolution/row_window.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Rows above and below, columns on either side of what is left (on the right up to the span), and the rows of blocks
/// in the grid that write them.
struct Frame {
    int top, bottom, left, right;
    int width, height;  ///< the picture's
    int span;           ///< the width in whole quads
    unsigned first,
        blocks;  ///< of blockIdx.y: where the rows of blocks begin that write the frame, and how many there are

    __host__ __device__ int between() const { return height - top - bottom; }
    __host__ __device__ unsigned outputs() const {
        return static_cast<unsigned>(top + bottom) * span + static_cast<unsigned>(between()) * (left + right);
    }
    __device__ bool isBlock() const { return blockIdx.y - first < blocks; }
    /// Which row of the others' blocks this one is.
    __device__ unsigned row() const { return blockIdx.y < first ? blockIdx.y : blockIdx.y - blocks; }
    /// Whether a thread whose C columns begin at x writes them.
    template <int C>
    __device__ bool inner(int x) const {
        return x >= left && x + C <= span - right;
    }
    __device__ int firstRow(int y) const { return y > top ? y : top; }
    __device__ int lastRow(int y) const { return y < height - bottom ? y : height - bottom; }  ///< excluded
};

/// The frame around what threads of `columns` columns write, for filters of these radii. It has no blocks yet.
inline Frame frameAround(const Arguments& a, int radiusX, int radiusY, int columns) {
    const int rim = rimQuads(radiusX) * kQuad;
    Frame f{};
    f.width = a.width;
    f.height = a.height;
    f.span = ceilDiv(a.width, kQuad) * kQuad;
    f.top = std::min(radiusY, a.height);
    f.bottom = std::min(radiusY, a.height - f.top);
    f.left = (rim + columns - 1) / columns * columns;
    f.right = f.span - (a.width - rim) / columns * columns;
    return f;
}

/// Gives the frame its blocks, of which each does `each` of `all` pieces of work; `grid` grows by them. They come last:
/// first or among the others they delay those that take longest (measurements.md).
inline void addBlocks(Frame& f, std::int64_t all, std::int64_t each, dim3& grid) {
    const std::int64_t row = grid.x * each;
    f.blocks = static_cast<unsigned>((all + row - 1) / row);
    f.first = grid.y;
    grid.y += f.blocks;
}

/// The frame with its blocks, of `threads` that make `outputs` each.
inline Frame addFrame(const Arguments& a, int radiusX, int radiusY, int columns, int outputs, dim3& grid,
                      unsigned threads) {
    Frame f = frameAround(a, radiusX, radiusY, columns);
    addBlocks(f, f.outputs(), static_cast<std::int64_t>(threads) * outputs, grid);
    return f;
}

/// A frame without outputs, for threads that ask about the border themselves.
inline Frame noFrame(const Arguments& a) {
    Frame f{};
    f.width = a.width;
    f.height = a.height;
    f.span = a.width;
    return f;
}

/// The largest extent of a picture with a frame, whose outputs are counted in 32 bits: divisions by more take a warp as
/// long as all else that it does for the frame.
constexpr int kMostFramed = 1 << 23;
static_assert(std::uint64_t{kMostFramed} * (62 + 80) < std::uint64_t{1} << 32);  // rows and columns of 63 x 63

/// Whether the kernels without questions serve: rows begin at multiples of four values, one window at least fits into a
/// row, and results are stored as T or f32.
template <class T>
bool servesPlainly(const Arguments& a, int radiusX, int columns) {
    return a.pitch % kQuad == 0 && std::max(a.width, a.height) <= kMostFramed &&
           a.width >= 3 * columns + 2 * rimQuads(radiusX) * kQuad &&
           (a.outputType == io::typeOf<T>() || a.outputType == io::PixelType::f32);
}

/// Writes this thread's Q outputs of the frame, 1 or 4 neighbours in a row. `add(j, values, sum)` adds to them what row
/// j of the filter makes of Q + 2 RX values of the picture; RX and RY are the filter's radii across and down.
template <int RX, int RY, int Q, class T, bool Padded, class Add>
__device__ void sumFrame(const Source<T, Padded>& source, const TargetOf<Padded>& out, const Frame& f, Add add) {
    constexpr int kReach = Q + 2 * RX;
    const unsigned block = (blockIdx.y - f.first) * gridDim.x + blockIdx.x;
    const unsigned i = ((block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) * Q;
    if (i >= f.outputs()) return;
    int x, y;
    const unsigned span = f.span, rows = (f.top + f.bottom) * span;
    if (i < rows) {
        const int row = static_cast<int>(i / span);
        x = static_cast<int>(i % span);
        y = row < f.top ? row : row + f.between();
    } else {
        const unsigned sides = f.left + f.right;
        const int column = static_cast<int>((i - rows) % sides);
        x = column < f.left ? column : f.span - static_cast<int>(sides) + column;
        y = f.top + static_cast<int>((i - rows) / sides);
    }
    const Plane<T, Padded> in = source.plane(blockIdx.z);
    int columns[kReach];
#pragma unroll
    for (int k = 0; k < kReach; ++k) columns[k] = remap(x - RX + k, in.width, in.border);
    constexpr bool kFirst = offsetFirst<T>(2 * RX + 1, 2 * RY + 1);
    float sum[1][Q];
    beginSums(sum, kFirst ? out.offset : 0.0F);
#pragma unroll(Q == 1 ? 3 : 1)
    for (int j = 0; j <= 2 * RY; ++j) {
        const int line = remap(y - RY + j, in.height, in.border);
        const T* const row = in.data + static_cast<std::size_t>(line < 0 ? 0 : line) * in.pitch();
        float values[kReach];  // all loads of a row are under way at once
#pragma unroll
        for (int k = 0; k < kReach; ++k)
            values[k] = columns[k] < 0 || line < 0 ? 0.0F : static_cast<float>(row[columns[k]]);
        add(j, values, sum[0]);
    }
#pragma unroll
    for (int c = 0; c < Q; ++c) {
        if (x + c < f.width) out.ofSums(kFirst).store(blockIdx.z, x + c, y, sum[0][c]);
    }
}

/// The same for a filter as a whole: `weight(j, i)` is its.
template <int RX, int RY, int Q, class T, bool Padded, class Weight>
__device__ void writeFrame(const Source<T, Padded>& source, const TargetOf<Padded>& out, const Frame& f,
                           Weight weight) {
    sumFrame<RX, RY, Q>(source, out, f, [weight](int j, const float(&values)[Q + 2 * RX], float(&sum)[Q]) {
#pragma unroll
        for (int k = 0; k <= 2 * RX; ++k) {
            const float w = weight(j, k);
#pragma unroll
            for (int c = 0; c < Q; ++c) sum[c] = fmaf(w, values[c + k], sum[c]);
        }
    });
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
