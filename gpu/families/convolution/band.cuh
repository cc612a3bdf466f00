// SPDX-License-Identifier: Apache-2.0
#pragma once

// A filter's row as a band in a matrix: eight outputs of a picture's row, an octet, are the product of the values
// around them with it.

#include "gpu/families/convolution/frame.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

constexpr int kOctet = 8;          ///< outputs of a row of a matrix
constexpr int kOctets = 16;        ///< its rows
constexpr int kBandColumns = 128;  ///< of a warp: a matrix of neighbouring octets
constexpr int kBandWarps = 4;      ///< of a block at most

/// What depends on the radius: a row of the matrix begins kPad values left of its first output and has 16 kSlices.
template <int R>
struct Band {
    static constexpr int kPad = (R + 3) / 4 * 4;
    static constexpr int kSlices = (8 + kPad + R + 15) / 16;
};

/// The filter where the kernel reads it: any odd extent up to 2R + 1 in both directions.
struct Weighting {
    const float* data;
    int width, height;

    /// The weight at row dy and column dx from the centre; 0 outside.
    __device__ float at(int dy, int dx) const {
        const int y = dy + height / 2, x = dx + width / 2;
        return x < 0 || x >= width || y < 0 || y >= height ? 0.0F : __ldg(data + y * width + x);
    }
};

/// The octets that a frame is made of; the last one of a row may be half of one.
struct FrameOctets {
    unsigned row, left, sides;  ///< in a whole row; on the left, and on both sides, of one between top and bottom
    unsigned rows, all;

    __host__ __device__ explicit FrameOctets(const Frame& f)
        : row((f.span + kOctet - 1) / kOctet),
          left(f.left / kOctet),
          sides(left + (f.right + kOctet - 1) / kOctet),
          rows((f.top + f.bottom) * row),
          all(rows + f.between() * sides) {}
};

/// The frame around what warps write that march down the picture, with its blocks of `warps`, a matrix each. It begins
/// and ends at whole octets, so that an output's window lies in the matrix as the march has it.
inline Frame addBandFrame(const Arguments& a, int radius, dim3& grid, unsigned warps) {
    Frame f = frameAround(a, radius, radius, kOctet);
    addBlocks(f, FrameOctets(f).all, static_cast<std::int64_t>(warps) * kOctets, grid);
    return f;
}

/// An octet of the frame, as a row of the matrix.
struct FrameOctet {
    int x = 0, y = 0;
    bool written;

    /// Octet i of the frame; beyond the last one, any that is not written.
    __device__ FrameOctet(const Frame& f, const FrameOctets& octets, unsigned i) : written(i < octets.all) {
        if (i < octets.rows) {
            const int row = static_cast<int>(i / octets.row);
            x = static_cast<int>(i % octets.row) * kOctet;
            y = row < f.top ? row : row + f.between();
        } else if (written) {
            const unsigned side = (i - octets.rows) % octets.sides;
            x = side < octets.left ? static_cast<int>(side) * kOctet
                                   : f.span - f.right + static_cast<int>(side - octets.left) * kOctet;
            y = f.top + static_cast<int>((i - octets.rows) / octets.sides);
        }
    }
};

/// What a lane holds of a line of the picture, by the border: of both its octets and each slice four values.
template <int R, class T>
using FrameRow = T[2][Band<R>::kSlices][4];

/// Writes octets of the frame, sixteen a warp: the same products in the same order as the march makes, of values by the
/// border. So a pixel's bits do not tell who made it, and a picture computed in pieces has those of the whole.
/// `column(s, i)` is where value i that a lane holds of slice s lies in the matrix; `add(j, row, sum)` adds what row j
/// of the filter makes of its two octets, rows g and g + 8 of the matrix; `store(x, y, two)` writes two outputs.
template <int R, class T, bool Padded, class Column, class Add, class Store>
__device__ void writeBandFrame(const Source<T, Padded>& source, const Frame& f, Column column, Add add, Store store) {
    // Rows whose values are asked for at once, so that a warp waits for them together.
    constexpr int kRows = R == 2 ? 5 : 3, kSlices = Band<R>::kSlices;
    const FrameOctets octets(f);
    const unsigned block = (blockIdx.y - f.first) * gridDim.x + blockIdx.x;
    const unsigned first = (block * blockDim.y + threadIdx.y) * kOctets;
    if (first >= octets.all) return;  // all lanes of a warp together
    const Plane<T, Padded> in = source.plane(blockIdx.z);
    const int g = static_cast<int>(threadIdx.x) / 4, t = static_cast<int>(threadIdx.x) % 4;
    const FrameOctet octet[2] = {{f, octets, first + g}, {f, octets, first + g + 8}};
    int columns[2][kSlices][4];
#pragma unroll
    for (int o = 0; o < 2; ++o) {
#pragma unroll
        for (int k = 0; k < 4 * kSlices; ++k)
            columns[o][k / 4][k % 4] = remap(octet[o].x - Band<R>::kPad + column(k / 4, k % 4), in.width, in.border);
    }
    float sum[4] = {};
#pragma unroll 1
    for (int from = 0; from <= 2 * R; from += kRows) {
        FrameRow<R, T> rows[kRows];
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
#pragma unroll
            for (int o = 0; o < 2; ++o) {
                const int y = remap(octet[o].y - R + from + r, in.height, in.border);
                const T* const line = in.data + static_cast<std::size_t>(y < 0 ? 0 : y) * in.pitch();
#pragma unroll
                for (int k = 0; k < 4 * kSlices; ++k) {
                    const int x = columns[o][k / 4][k % 4];
                    rows[r][o][k / 4][k % 4] = x < 0 || y < 0 ? T{} : line[x];
                }
            }
        }
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            if ((2 * R + 1) % kRows == 0 || from + r <= 2 * R) add(from + r, rows[r], sum);
        }
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const float two[2] = {sum[2 * half], sum[2 * half + 1]};
        const int x = octet[half].x + 2 * t;
        if (octet[half].written && x < f.width) store(x, octet[half].y, two);
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
