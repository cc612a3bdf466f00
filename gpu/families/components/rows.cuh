// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table: what pieces of components add to its rows. A block keeps the labels it meets first in shared memory, so
// that a component that lies everywhere costs an atomic a block and not one a pixel.

#include "gpu/families/components/launching.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

/// Some pixels of one component in one slice, from a corner (x, y) of the picture on.
struct Piece {
    unsigned area, sumX, sumY, lowX, highX, lowY, highY;

    __device__ void add(const Piece& p) {
        area += p.area;
        sumX += p.sumX;
        sumY += p.sumY;
        lowX = p.lowX < lowX ? p.lowX : lowX;
        lowY = p.lowY < lowY ? p.lowY : lowY;
        highX = p.highX > highX ? p.highX : highX;
        highY = p.highY > highY ? p.highY : highY;
    }
};

constexpr Piece kNothing{0, 0, 0, 0xffffffffU, 0, 0xffffffffU, 0};

/// A run of pixels in a row, `first` to `last`.
__device__ inline Piece runOf(unsigned first, unsigned last, unsigned row) {
    const unsigned area = last - first + 1;
    return {area, (first + last) * area / 2, row * area, first, last, row, row};
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
    __device__ void add(unsigned label, const Piece& piece, unsigned x, unsigned y, unsigned z) const {
        if (label - 1 >= most) return;  // where the trace leaves blocks out, labels may be anything
        using Wide = unsigned long long;
        Row& row = rows[label - 1];
        atomicAdd(&row.area, piece.area);
        atomicAdd(&row.sum[0], piece.sumX + Wide{piece.area} * x);
        atomicAdd(&row.sum[1], piece.sumY + Wide{piece.area} * y);
        lowerTo(&row.low[0], x + piece.lowX);
        raiseTo(&row.high[0], x + piece.highX);
        lowerTo(&row.low[1], y + piece.lowY);
        raiseTo(&row.high[1], y + piece.highY);
        if (!volume) return;
        atomicAdd(&row.sum[2], Wide{piece.area} * z);
        lowerTo(&row.low[2], z);
        raiseTo(&row.high[2], z);
    }
};

inline Table tableOf(LaunchContext& c, const Task& task) {
    return {static_cast<Row*>(c.address(task.rows)), task.most, task.depth > 1};
}

/// Pieces that a block gathers. A label has one place; who finds it taken by another goes to the table himself.
struct Tally {
    static constexpr unsigned kPlaces = 128;
    unsigned label[kPlaces];
    Piece piece[kPlaces];

    __device__ void clear() {
        for (unsigned i = threadIdx.x; i < kPlaces; i += blockDim.x) {
            label[i] = 0;
            piece[i] = kNothing;
        }
    }
    __device__ void add(unsigned of, const Piece& p, const Table& table, unsigned x, unsigned y, unsigned z) {
        const unsigned place = of % kPlaces;
        unsigned was = relaxedLoad(&label[place]);
        if (was == 0) was = atomicCAS(&label[place], 0U, of);
        if (was != 0 && was != of) return table.add(of, p, x, y, z);
        Piece& to = piece[place];
        atomicAdd(&to.area, p.area);
        atomicAdd(&to.sumX, p.sumX);
        atomicAdd(&to.sumY, p.sumY);
        lowerTo(&to.lowX, p.lowX);
        raiseTo(&to.highX, p.highX);
        lowerTo(&to.lowY, p.lowY);
        raiseTo(&to.highY, p.highY);
    }
    /// By all threads, after a barrier.
    __device__ void flush(const Table& table, unsigned x, unsigned y, unsigned z) const {
        for (unsigned i = threadIdx.x; i < kPlaces; i += blockDim.x)
            if (label[i] != 0) table.add(label[i], piece[i], x, y, z);
    }
};

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
