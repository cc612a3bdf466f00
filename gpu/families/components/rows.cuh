// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table: what pieces of components add to its rows. A block keeps the labels it meets first in shared memory, so
// that a component that lies everywhere costs an atomic a block and not one a pixel.

#include "gpu/families/components/launching.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

/// Some pixels of one component in a tile of at most 256 x 32 pixels of a slice, from the tile's corner on.
struct Piece {
    unsigned area, sumX, sumY, lowX, highX;
    unsigned rows;  ///< a bit each

    __device__ void add(const Piece& p) {
        area += p.area;
        sumX += p.sumX;
        sumY += p.sumY;
        lowX = p.lowX < lowX ? p.lowX : lowX;
        highX = p.highX > highX ? p.highX : highX;
        rows |= p.rows;
    }
    __device__ unsigned lowY() const { return __ffs(static_cast<int>(rows)) - 1; }
    __device__ unsigned highY() const { return 31 - __clz(static_cast<int>(rows)); }
};

constexpr Piece kNothing{0, 0, 0, 0xffffffffU, 0, 0};

/// A run of pixels in a row, `first` to `last`.
__device__ inline Piece runOf(unsigned first, unsigned last, unsigned row) {
    const unsigned area = last - first + 1;
    return {area, (first + last) * area / 2, row * area, first, last, 1U << row};
}

__device__ inline void lowerTo(unsigned* to, unsigned value) {
    if (relaxedLoad(to) > value) atomicMin(to, value);
}
__device__ inline void raiseTo(unsigned* to, unsigned value) {
    if (relaxedLoad(to) < value) atomicMax(to, value);
}

struct Table {
    Row* rows;
    unsigned most;
    bool volume;  ///< else z is 0 everywhere

    /// The row of a component whose first pixel is known.
    __device__ void begin(unsigned label) const {
        if (label - 1 < most) rows[label - 1] = {{0, 0, 0}, 0, {kOutside, kOutside, volume ? kOutside : 0}, {0, 0, 0}};
    }
    /// By all threads of a block: the rows of `count` components from a label on, each with what word(k) has of its
    /// k-th. Stored word by word, so that lanes store side by side.
    template <class First>
    __device__ void beginAll(unsigned label, unsigned count, First first) const {
        constexpr unsigned kWords = sizeof(Row) / sizeof(unsigned);
        if (label - 1 >= most) return;
        if (count > most - (label - 1)) count = most - (label - 1);
        unsigned* const to = reinterpret_cast<unsigned*>(rows + (label - 1));
        for (unsigned i = threadIdx.x; i < count * kWords; i += blockDim.x) to[i] = first(i / kWords, i % kWords);
    }
    __device__ void add(unsigned label, const Piece& piece, unsigned x, unsigned y, unsigned z) const {
        if (label - 1 >= most) return;  // where the trace leaves blocks out, labels may be anything
        using Wide = unsigned long long;
        Row& row = rows[label - 1];
        atomicAdd(&row.area, piece.area);
        atomicAdd(&row.sum[0], piece.sumX + Wide{piece.area} * x);
        atomicAdd(&row.sum[1], piece.sumY + Wide{piece.area} * y);
        lowerTo(&row.low[0], x + piece.lowX);
        raiseTo(&row.high[0], x + piece.highX);
        lowerTo(&row.low[1], y + piece.lowY());
        raiseTo(&row.high[1], y + piece.highY());
        if (!volume) return;
        atomicAdd(&row.sum[2], Wide{piece.area} * z);
        lowerTo(&row.low[2], z);
        raiseTo(&row.high[2], z);
    }
};

inline Table tableOf(LaunchContext& c, const Task& task) {
    return {static_cast<Row*>(c.address(task.rows)), task.most, task.depth > 1};
}

/// Pieces that a block gathers. A label has a few places; who finds them taken by others goes to the table himself.
struct Tally {
    static constexpr unsigned kPlaces = 128, kTries = 2;
    static constexpr unsigned kAreaShift = 17;  ///< a tile's sum of rows is below 2^17, its area below 2^15
    unsigned label[kPlaces];
    unsigned areaAndY[kPlaces], sumX[kPlaces], lowX[kPlaces], highX[kPlaces], rows[kPlaces];

    __device__ void clear() {
        for (unsigned i = threadIdx.x; i < kPlaces; i += blockDim.x) {
            label[i] = 0;
            areaAndY[i] = 0;
            sumX[i] = 0;
            lowX[i] = 0xffffffffU;
            highX[i] = 0;
            rows[i] = 0;
        }
    }
    __device__ void add(unsigned of, const Piece& p, const Table& table, unsigned x, unsigned y, unsigned z) {
        for (unsigned step = 0; step < kTries; ++step) {
            const unsigned place = (of + step) % kPlaces;
            unsigned was = relaxedLoad(&label[place]);
            if (was == 0) was = atomicCAS(&label[place], 0U, of);
            if (was != 0 && was != of) continue;
            atomicAdd(&areaAndY[place], p.area << kAreaShift | p.sumY);
            atomicAdd(&sumX[place], p.sumX);
            lowerTo(&lowX[place], p.lowX);
            raiseTo(&highX[place], p.highX);
            if ((relaxedLoad(&rows[place]) & p.rows) != p.rows) atomicOr(&rows[place], p.rows);
            return;
        }
        table.add(of, p, x, y, z);
    }
    /// By all threads, after a barrier.
    __device__ void flush(const Table& table, unsigned x, unsigned y, unsigned z) const {
        for (unsigned i = threadIdx.x; i < kPlaces; i += blockDim.x)
            if (label[i] != 0)
                table.add(label[i],
                          {areaAndY[i] >> kAreaShift, sumX[i], areaAndY[i] & ((1U << kAreaShift) - 1), lowX[i],
                           highX[i], rows[i]},
                          x, y, z);
    }
};

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
