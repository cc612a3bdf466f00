// SPDX-License-Identifier: Apache-2.0
#pragma once

// A box of 8 x 8 x 8 pixels of a volume that one block floods: a thread a pixel. Boxes run ahead of one another as
// tiles of pictures do, so they take one colour.

#include "gpu/families/flood/launching.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

constexpr unsigned kBox = 8, kBoxThreads = kBox * kBox * kBox;
/// With a pixel of its neighbours all around.
constexpr unsigned kWide = kBox + 2, kWideValues = kWide * kWide * kWide;

/// All boxes of a volume.
struct Boxes {
    unsigned across, down, deep;

    __host__ __device__ unsigned count() const { return across * down * deep; }
    /// The box that holds a pixel.
    template <class F>
    __device__ unsigned of(const F& field, unsigned pixel) const {
        const unsigned x = pixel % field.width, row = pixel / field.width, y = row % field.height;
        return (row / field.height / kBox * down + y / kBox) * across + x / kBox;
    }
};

inline Boxes boxesOf(const Flood& flood) {
    return {blocksFor(static_cast<unsigned>(flood.width), kBox), blocksFor(static_cast<unsigned>(flood.height), kBox),
            blocksFor(static_cast<unsigned>(flood.depth), kBox)};
}

/// The block's box, its levels in shared memory.
class BoxTile {
public:
    __device__ BoxTile(const Boxes& boxes, unsigned number, unsigned* levels)
        : m_levels(levels),
          m_x(number % boxes.across * kBox),
          m_y(number / boxes.across % boxes.down * kBox),
          m_z(number / boxes.across / boxes.down * kBox),
          m_own(((threadIdx.z + 1) * kWide + threadIdx.y + 1) * kWide + threadIdx.x + 1) {}

    template <class F>
    __device__ void load(const F& field) {
        const unsigned thread = (threadIdx.z * kBox + threadIdx.y) * kBox + threadIdx.x;
        for (unsigned i = thread; i < kWideValues; i += kBoxThreads) {
            // One before 0 is far outside.
            const unsigned x = m_x + i % kWide - 1, y = m_y + i / kWide % kWide - 1, z = m_z + i / kWide / kWide - 1;
            const bool there = x < field.width && y < field.height && z < field.depth;
            m_levels[i] = there ? relaxedLoad(&field.keys[(z * field.height + y) * field.width + x]) : ~0U;
        }
        const unsigned x = m_x + threadIdx.x, y = m_y + threadIdx.y, z = m_z + threadIdx.z;
        m_pixel = (z * field.height + y) * field.width + x;
        m_open = x < field.width && y < field.height && z < field.depth && field.accepts(0, m_pixel);
        __syncthreads();
        m_before = m_levels[m_own];
    }

    /// Lowers levels until no more can be; `changed` are two words of the block.
    __device__ void spread(bool corners, unsigned* changed) {
        unsigned own = m_before;
        for (unsigned round = 0, more = 1; more != 0; ++round) {
            unsigned lowest = own;
            if (m_open)
                eachNeighbour(corners, [&](unsigned at) {
                    const unsigned level = m_levels[at], next = level == ~0U ? level : level + 1;
                    if (next < lowest) lowest = next;
                });
            if (m_own == kFirst) changed[round % 2] = 0;
            __syncthreads();
            if (lowest < own) {
                own = m_levels[m_own] = lowest;
                relaxedStore(&changed[round % 2], 1U);
            }
            __syncthreads();
            more = changed[round % 2];
        }
    }

    /// Writes down what was lowered; f(pixel) for each beyond the box that now would be, too.
    template <class F, class G>
    __device__ void tell(const F& field, G f) const {
        const unsigned own = m_levels[m_own];
        if (own >= m_before && own > 0) return;  // a seed came with its level, and has yet to be heard of
        relaxedStore(&field.keys[m_pixel], own);
        field.forNeighbours(m_pixel, [&](unsigned next) {
            const unsigned x = next % field.width, row = next / field.width, y = row % field.height;
            // From the box's first pixel less one, where levels begin.
            const unsigned i = x + 1 - m_x, j = y + 1 - m_y, k = row / field.height + 1 - m_z;
            const bool within = i - 1 < kBox && j - 1 < kBox && k - 1 < kBox;
            if (!within && own + 1 < m_levels[(k * kWide + j) * kWide + i] && field.accepts(0, next)) f(next);
        });
    }

private:
    static constexpr unsigned kFirst = (kWide + 1) * kWide + 1;  ///< where the block's first thread has its level

    template <class G>
    __device__ void eachNeighbour(bool corners, G f) const {
        if (!corners) {
            f(m_own - 1);
            f(m_own + 1);
            f(m_own - kWide);
            f(m_own + kWide);
            f(m_own - kWide * kWide);
            f(m_own + kWide * kWide);
            return;
        }
        for (unsigned z = 0; z < 3; ++z)
            for (unsigned y = 0; y < 3; ++y)
                for (unsigned x = 0; x < 3; ++x) f(m_own + (z - 1) * kWide * kWide + (y - 1) * kWide + x - 1);
    }

    unsigned* m_levels;
    unsigned m_x, m_y, m_z;  ///< the box's first pixel
    unsigned m_own, m_pixel = 0, m_before = 0;
    bool m_open = false;
};

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
