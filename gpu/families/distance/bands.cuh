// SPDX-License-Identifier: Apache-2.0
#pragma once

// Columns in bands of 32 rows: which rows of a band are sites is one word, and what lies above and below is carried
// from band to band. From these three any pixel's distance within its column follows without a look at the picture.

#include "gpu/families/distance/launching.cuh"

namespace warplens::gpu::distance {
inline namespace WARPLENS_BUILD {

constexpr int kBandRows = 32;
/// No site above is 0, so that others are counted from 1; none below, and no distance within a column, is all ones.
constexpr unsigned kNoOffset = 0xffff;

/// Layer after layer, band after band, a value a column.
struct Bands {
    unsigned* words;
    std::uint16_t *above, *below;
    int width, height, bands;

    __device__ std::size_t at(int layer, int band, int x) const {
        return (static_cast<std::size_t>(layer) * bands + band) * width + x;
    }
    /// Rows from row y of column x to the nearest site of the column.
    __device__ unsigned offset(int layer, int y, int x) const {
        const int row = y % kBandRows;
        const std::size_t here = at(layer, y / kBandRows, x);
        const unsigned word = words[here];
        const unsigned upTo = word & 0xffffffffU >> (31 - row), from = word >> row;
        unsigned up = kNoOffset, down = kNoOffset;
        if (upTo != 0)
            up = static_cast<unsigned>(row - 31 + __clz(static_cast<int>(upTo)));
        else if (const unsigned last = above[here]; last != 0)
            up = static_cast<unsigned>(y) + 1 - last;
        if (from != 0)
            down = static_cast<unsigned>(__ffs(static_cast<int>(from)) - 1);
        else if (const unsigned next = below[here]; next != kNoOffset)
            down = next - static_cast<unsigned>(y);
        return lesser(up, down);
    }
};

template <class Cost>
__device__ Cost costOf(unsigned offset, Axis<Cost> along) {
    return offset == kNoOffset ? kNone<Cost> : static_cast<Cost>(along(static_cast<int>(offset)));
}

template <class T>
__global__ void column_words(const T* values, float level, Bands b, Start start) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= b.width) return;
    const int top = start.row + blockIdx.y * kBandRows, layer = start.layer + blockIdx.z;
    const T* const from = values + (static_cast<std::size_t>(layer) * b.height + top) * b.width + x;
    unsigned word = 0;
    if (top + kBandRows <= b.height) {
#pragma unroll
        for (unsigned i = 0; i < kBandRows; ++i)
            if (static_cast<float>(from[static_cast<std::size_t>(i) * b.width]) <= level) word |= 1U << i;
    } else {
        for (int i = 0; top + i < b.height; ++i)
            if (static_cast<float>(from[static_cast<std::size_t>(i) * b.width]) <= level) word |= 1U << i;
    }
    b.words[b.at(layer, top / kBandRows, x)] = word;
}

/// A thread a column, once down and once up.
__global__ inline void column_carries(Bands b, int firstLayer) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= b.width) return;
    const std::size_t first = b.at(firstLayer + blockIdx.z, 0, x);
    unsigned last = 0;
#pragma unroll 8
    for (int band = 0; band < b.bands; ++band) {
        const std::size_t at = first + static_cast<std::size_t>(band) * b.width;
        const unsigned word = b.words[at];
        b.above[at] = static_cast<std::uint16_t>(last);
        if (word != 0) last = band * kBandRows + 32U - __clz(static_cast<int>(word));
    }
    unsigned next = kNoOffset;
#pragma unroll 8
    for (int band = b.bands - 1; band >= 0; --band) {
        const std::size_t at = first + static_cast<std::size_t>(band) * b.width;
        const unsigned word = b.words[at];
        b.below[at] = static_cast<std::uint16_t>(next);
        if (word != 0) next = band * kBandRows + __ffs(static_cast<int>(word)) - 1U;
    }
}

inline std::size_t bandValues(const Case& c) {
    return static_cast<std::size_t>(c.layers()) * ceilDiv(c.height, kBandRows) * static_cast<std::size_t>(c.width);
}
/// A word and two halves a column and band, rounded up to whole cache lines.
inline std::size_t bandBytes(const Case& c) { return (8 * bandValues(c) + 127) / 128 * 128; }

/// Both kernels; the bands lie at the scratch's beginning.
inline Bands launchBands(LaunchContext& c, const Arguments& a) {
    constexpr int kThreads = 128;
    auto* const words = static_cast<unsigned*>(c.address(a.scratch));
    auto* const above = reinterpret_cast<std::uint16_t*>(words + bandValues(a));
    const Bands b{words,   above,    above + bandValues(a),
                  a.width, a.height, static_cast<int>(ceilDiv(a.height, kBandRows))};
    io::withSampleType(a.type, [&]<class T>(T) {
        forTiles(a, kThreads, kBandRows, 4, [&](const dim3& grid, Start start) {
            launch(c, &column_words<T>, grid, dim3(kThreads), 0, static_cast<const T*>(c.address(a.input)),
                   floatAtMost(a.level), b, start);
        });
    });
    const Case flat{.width = a.width, .height = 1, .depth = a.depth, .channels = a.channels};
    forTiles(flat, kThreads, 1, 4.0 * b.bands, [&](const dim3& grid, Start start) {
        launch(c, &column_carries, grid, dim3(kThreads), 0, b, start.layer);
    });
    return b;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::distance
