// SPDX-License-Identifier: Apache-2.0
#pragma once

// A tile of 32 x 32 pixels that one warp floods: a lane holds a row, a bit a pixel. Tiles run ahead of one another, and
// levels that were too high are lowered later; so it takes one colour, slice by slice.

#include "gpu/families/flood/launching.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

constexpr unsigned kSide = 32, kAllLanes = 0xffffffffU, kNever = 0xffffffffU;
/// Rows one word apart in banks, so that lanes reach down a column without meeting.
constexpr unsigned kPitch = kSide + 1, kTileWords = kSide * kPitch;

/// All tiles of a picture, slice after slice.
struct Tiles {
    unsigned* levels;
    const unsigned* inside;  ///< 32 words a tile: of each row the pixels that the colour takes
    unsigned width, height, across, down, slices;
    bool corners;
    unsigned* seen;   ///< 32 words a tile: of each row the pixels that have a level
    unsigned* edges;  ///< 64 words a tile: the levels of its first column, then those of its last

    __device__ unsigned count() const { return across * down * slices; }
};

/// The eight neighbours of a tile, and of a pixel: a bit each.
enum Side : unsigned { above = 0, below, left, right, aboveLeft, aboveRight, belowLeft, belowRight };

__device__ inline unsigned after(unsigned level) { return level == kNever ? kNever : level + 1; }
__device__ inline unsigned lower(unsigned a, unsigned b) { return a < b ? a : b; }

/// The value of the lane before (or behind), `end` where there is none.
__device__ inline unsigned laneBefore(unsigned value, unsigned end) {
    const unsigned got = __shfl_up_sync(kAllLanes, value, 1U);
    return threadIdx.x % kSide == 0 ? end : got;
}
__device__ inline unsigned laneBehind(unsigned value, unsigned end) {
    const unsigned got = __shfl_down_sync(kAllLanes, value, 1U);
    return threadIdx.x % kSide == kSide - 1 ? end : got;
}

__device__ inline unsigned lowestOf(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_min_sync(kAllLanes, value);
#else
    for (int bits = 1; bits < warpSize; bits *= 2) value = lower(value, __shfl_xor_sync(kAllLanes, value, bits));
    return value;
#endif
}

/// One tile while its warp floods it.
class BitTile {
public:
    __device__ BitTile(const Tiles& tiles, unsigned number, unsigned* levels)
        : m_tiles(tiles),
          m_number(number),
          m_levels(levels),
          m_lane(threadIdx.x % kSide),
          m_column(number % tiles.across),
          m_row(number / tiles.across % tiles.down),
          m_slice(number / tiles.across / tiles.down) {}

    /// Floods it from what its neighbours and it itself have; the tiles that have to hear of it, a bit each.
    __device__ unsigned flood() {
        m_changed = 0;
        load();
        arrive();
        spread();
        return heard();
    }

    /// The tile on a side, which there must be.
    __device__ unsigned neighbour(unsigned side) const {
        const int rows = side == above || side == aboveLeft || side == aboveRight   ? -1
                         : side == below || side == belowLeft || side == belowRight ? 1
                                                                                    : 0;
        const int columns = side == left || side == aboveLeft || side == belowLeft      ? -1
                            : side == right || side == aboveRight || side == belowRight ? 1
                                                                                        : 0;
        return m_number + rows * static_cast<int>(m_tiles.across) + columns;
    }

private:
    __device__ bool there(unsigned x, unsigned y) const { return x < m_tiles.width && y < m_tiles.height; }
    __device__ std::size_t at(unsigned x, unsigned y) const {
        return (static_cast<std::size_t>(m_slice) * m_tiles.height + y) * m_tiles.width + x;
    }
    /// A pixel's level; -1 as a coordinate is far outside.
    __device__ unsigned levelAt(unsigned x, unsigned y) const {
        return there(x, y) ? relaxedLoad(&m_tiles.levels[at(x, y)]) : kNever;
    }
    /// A word of another tile; 0 where there is none.
    __device__ unsigned rowOf(int columns, int rows, unsigned row) const {
        const unsigned column = m_column + columns, line = m_row + rows;
        if (column >= m_tiles.across || line >= m_tiles.down) return 0;
        return m_tiles
            .inside[(static_cast<std::size_t>(m_number) + rows * static_cast<int>(m_tiles.across) + columns) * kSide +
                    row];
    }
    __device__ unsigned& mine(unsigned column) { return m_levels[m_lane * kPitch + column]; }

    /// A neighbour's column that lies at this tile, this lane's row of it.
    __device__ unsigned edgeOf(int columns) const {
        if (m_column + columns >= m_tiles.across) return kNever;
        return relaxedLoad(&m_tiles.edges[(static_cast<std::size_t>(m_number) + columns) * 2 * kSide +
                                          (columns < 0 ? kSide : 0) + m_lane]);
    }

    __device__ void load() {
        const unsigned x = m_column * kSide + m_lane, y = m_row * kSide;
        const std::size_t word = static_cast<std::size_t>(m_number) * kSide + m_lane;
        m_inside = m_tiles.inside[word];
        m_seen = relaxedLoad(&m_tiles.seen[word]);
        m_rows[0] = rowOf(0, -1, kSide - 1);
        m_rows[1] = rowOf(0, 1, 0);
        m_rows[2] = rowOf(-1, 0, m_lane);
        m_rows[3] = rowOf(1, 0, m_lane);
        m_above = levelAt(x, y - 1);
        m_below = levelAt(x, y + kSide);
        m_left = edgeOf(-1);
        m_right = edgeOf(1);
        m_corner = kNever;
        if (m_tiles.corners && m_lane < 4)
            m_corner = levelAt(m_column * kSide + (m_lane % 2 == 0 ? ~0U : kSide), y + (m_lane < 2 ? ~0U : kSide));
        m_seeds = 0;
        m_fresh = m_inside & ~m_seen;
        m_new = __any_sync(kAllLanes, m_seen != 0) == 0;
        if (!m_new) loadLevels(x, y);
        __syncwarp();
    }
    /// The levels that the tile has, where it has some.
    __device__ void loadLevels(unsigned x, unsigned y) {
        unsigned got[kSide];
#pragma unroll
        for (unsigned r = 0; r < kSide; ++r) got[r] = levelAt(x, y + r);
        bool seeds = false;
#pragma unroll
        for (unsigned r = 0; r < kSide; ++r) {
            m_levels[r * kPitch + m_lane] = got[r];
            seeds = seeds || got[r] == 0;
        }
        if (!__any_sync(kAllLanes, seeds)) return;
#pragma unroll
        for (unsigned r = 0; r < kSide; ++r) {
            const unsigned first = __ballot_sync(kAllLanes, got[r] == 0);
            if (r == m_lane) m_seeds = first;
        }
    }

    /// What a neighbouring row or column brings to this tile's.
    __device__ unsigned brought(unsigned edge, unsigned first, unsigned last) const {
        if (!m_tiles.corners) return after(edge);
        return after(lower(edge, lower(laneBefore(edge, first), laneBehind(edge, last))));
    }

    __device__ void arrive() {
        const unsigned corners[4] = {__shfl_sync(kAllLanes, m_corner, 0), __shfl_sync(kAllLanes, m_corner, 1),
                                     __shfl_sync(kAllLanes, m_corner, 2), __shfl_sync(kAllLanes, m_corner, 3)};
        m_fromAbove = arriveInRow(0, brought(m_above, corners[0], corners[1]));
        m_fromBelow = arriveInRow(kSide - 1, brought(m_below, corners[2], corners[3]));
        __syncwarp();
        m_fromLeft = arriveInColumn(0, brought(m_left, corners[0], corners[2]));
        m_fromRight = arriveInColumn(kSide - 1, brought(m_right, corners[1], corners[3]));
    }
    /// The level that this lane's pixel of the row gets from beyond it, kNever where it has a lower one.
    __device__ unsigned arriveInRow(unsigned row, unsigned level) {
        const unsigned inside = __shfl_sync(kAllLanes, m_inside, static_cast<int>(row));
        const unsigned seen = __shfl_sync(kAllLanes, m_seen, static_cast<int>(row));
        const unsigned own = (seen >> m_lane & 1U) != 0 ? m_levels[row * kPitch + m_lane] : kNever;
        return (inside >> m_lane & 1U) != 0 && level < own ? level : kNever;
    }
    __device__ unsigned arriveInColumn(unsigned column, unsigned level) {
        const unsigned own = (m_seen >> column & 1U) != 0 ? mine(column) : kNever;
        return (m_inside >> column & 1U) != 0 && level < own ? level : kNever;
    }

    /// Those of this row's pixels that get this level from beyond the tile.
    __device__ unsigned arriving(unsigned level) const {
        const unsigned top = __ballot_sync(kAllLanes, m_fromAbove == level);
        const unsigned bottom = __ballot_sync(kAllLanes, m_fromBelow == level);
        return (m_fromLeft == level ? 1U : 0U) | (m_fromRight == level ? 1U << (kSide - 1) : 0U) |
               (m_lane == 0 ? top : 0U) | (m_lane == kSide - 1 ? bottom : 0U);
    }
    /// The first level above one that something gets from beyond the tile.
    __device__ unsigned nextArrival(unsigned level) const {
        const auto later = [level](unsigned at) { return at > level ? at : kNever; };
        return lowestOf(
            lower(lower(later(m_fromAbove), later(m_fromBelow)), lower(later(m_fromLeft), later(m_fromRight))));
    }

    /// Levels of a stretch of time, a bit a pixel in each: what a pixel got is written down later, for all lanes at
    /// once.
    struct Diary {
        static constexpr unsigned kBits = 6, kLevels = 1U << kBits;
        unsigned first = 0, pixels = 0, bits[kBits] = {};

        __device__ void note(unsigned level, unsigned front) {
            pixels |= front;
#pragma unroll
            for (unsigned k = 0; k < kBits; ++k) bits[k] |= (level - first) >> k & 1U ? front : 0;
        }
        __device__ unsigned levelOf(unsigned pixel) const {
            unsigned level = first;
#pragma unroll
            for (unsigned k = 0; k < kBits; ++k) level += (bits[k] >> pixel & 1U) << k;
            return level;
        }
    };

    __device__ void writeDown(const Diary& diary) {
        unsigned* const row = m_tiles.levels + at(m_column * kSide, m_row * kSide + m_lane);
        const bool many = __any_sync(kAllLanes, __popc(diary.pixels) > 8) != 0;
        for (unsigned bits = diary.pixels; bits != 0; bits &= bits - 1) {
            const unsigned pixel = __ffs(static_cast<int>(bits)) - 1, level = diary.levelOf(pixel);
            mine(pixel) = level;
            if (!many) relaxedStore(row + pixel, level);
        }
        m_changed |= diary.pixels;
        if (many) storeRows(diary.pixels);
    }
    /// Writes what changed of every row side by side.
    __device__ void storeRows(unsigned changed) {
        __syncwarp();
        for (unsigned rows = __ballot_sync(kAllLanes, changed != 0); rows != 0; rows &= rows - 1) {
            const unsigned r = __ffs(static_cast<int>(rows)) - 1;
            const unsigned bits = __shfl_sync(kAllLanes, changed, static_cast<int>(r));
            if ((bits >> m_lane & 1U) != 0)
                relaxedStore(m_tiles.levels + at(m_column * kSide + m_lane, m_row * kSide + r),
                             m_levels[r * kPitch + m_lane]);
        }
    }
    /// What neighbours and later visits ask for.
    __device__ void note() {
        const std::size_t number = m_number;
        if (m_changed != 0) relaxedStore(&m_tiles.seen[number * kSide + m_lane], m_seen | m_changed);
        unsigned* const edges = m_tiles.edges + number * 2 * kSide + m_lane;
        if ((m_changed & 1U) != 0) relaxedStore(edges, mine(0));
        if (m_changed >> (kSide - 1) != 0) relaxedStore(edges + kSide, mine(kSide - 1));
    }

    __device__ void spread() {
        if (!m_tiles.corners && __all_sync(kAllLanes, m_inside == ~0U)) return spreadOpen();
        unsigned open = m_inside, front = m_seeds;
        unsigned upcoming = nextArrival(0);
        unsigned level = __any_sync(kAllLanes, front != 0) ? 0 : upcoming;
        Diary diary{.first = level};
        while (level != kNever) {
            if (level - diary.first >= Diary::kLevels) {
                writeDown(diary);
                diary = {.first = level};
            }
            if (level == upcoming) {
                front |= arriving(level) & open;
                upcoming = nextArrival(level);
            }
            open &= ~front;
            diary.note(level, front);
            const unsigned aside = front << 1U | front >> 1U, wide = m_tiles.corners ? front | aside : front;
            unsigned reached = (aside | laneBefore(wide, 0) | laneBehind(wide, 0)) & open;
            // What had a level may have a lower one already; then whoever gave it that went on from there.
            for (unsigned bits = reached & ~m_fresh; bits != 0; bits &= bits - 1)
                if (mine(__ffs(static_cast<int>(bits)) - 1) <= level + 1) reached &= ~(bits & -bits);
            m_fresh &= ~reached;
            front = reached;
            level = __any_sync(kAllLanes, front != 0) ? level + 1 : upcoming;
        }
        writeDown(diary);
        note();
        __syncwarp();
    }

    /// Where all is open levels grow by one a step: from every pixel along its row, then along columns.
    __device__ void spreadOpen() {
        constexpr unsigned kFar = 0x7fffffffU;
        unsigned was[kSide], now[kSide];
        // Rows: this lane's, from its pixels and what comes from the left and the right.
#pragma unroll
        for (unsigned c = 0; c < kSide; ++c) {
            was[c] = (m_seen >> c & 1U) != 0 ? mine(c) : kNever;
            now[c] = lower(was[c], kFar);
        }
        __syncwarp();
        now[0] = lower(now[0], m_fromLeft);
        now[kSide - 1] = lower(now[kSide - 1], m_fromRight);
        m_levels[m_lane] = m_fromAbove;
        m_levels[kPitch + m_lane] = m_fromBelow;
        __syncwarp();
        if (m_lane == 0 || m_lane == kSide - 1) {
            const unsigned* const from = m_levels + (m_lane == 0 ? 0 : kPitch);
#pragma unroll
            for (unsigned c = 0; c < kSide; ++c) now[c] = lower(now[c], from[c]);
        }
        __syncwarp();
#pragma unroll
        for (unsigned c = 1; c < kSide; ++c) now[c] = lower(now[c], now[c - 1] + 1);
#pragma unroll
        for (unsigned c = kSide - 1; c-- > 0;) now[c] = lower(now[c], now[c + 1] + 1);
#pragma unroll
        for (unsigned c = 0; c < kSide; ++c) mine(c) = now[c];
        __syncwarp();
#pragma unroll
        for (unsigned r = 0; r < kSide; ++r) now[r] = m_levels[r * kPitch + m_lane];
#pragma unroll
        for (unsigned r = 1; r < kSide; ++r) now[r] = lower(now[r], now[r - 1] + 1);
#pragma unroll
        for (unsigned r = kSide - 1; r-- > 0;) now[r] = lower(now[r], now[r + 1] + 1);
#pragma unroll
        for (unsigned r = 0; r < kSide; ++r) m_levels[r * kPitch + m_lane] = now[r];
        __syncwarp();
        unsigned seeds = m_seeds;
        m_changed = 0;
#pragma unroll
        for (unsigned c = 0; c < kSide; ++c) {
            const unsigned level = mine(c);
            if (level < was[c] && level < kFar) m_changed |= 1U << c;
        }
        const unsigned rows = __ballot_sync(kAllLanes, m_changed != 0);
        if (rows != 0) {
#pragma unroll
            for (unsigned r = 0; r < kSide; ++r) {
                const unsigned bits = __shfl_sync(kAllLanes, m_changed, static_cast<int>(r));
                if ((bits >> m_lane & 1U) != 0)
                    relaxedStore(m_tiles.levels + at(m_column * kSide + m_lane, m_row * kSide + r), now[r]);
            }
        }
        m_changed |= seeds;
        note();
        __syncwarp();
    }

    /// Whether a pixel beyond an edge would be reached sooner from here. `own` of the edge, kNever where nothing
    /// changed.
    __device__ bool better(unsigned own, unsigned beyond, bool inside) const {
        if (m_tiles.corners) own = lower(own, lower(laneBefore(own, kNever), laneBehind(own, kNever)));
        return __any_sync(kAllLanes, inside && after(own) < beyond) != 0;
    }
    __device__ unsigned changedInRow(unsigned row) const {
        const unsigned changed = __shfl_sync(kAllLanes, m_changed, static_cast<int>(row));
        return (changed >> m_lane & 1U) != 0 ? m_levels[row * kPitch + m_lane] : kNever;
    }
    __device__ unsigned changedInColumn(unsigned column) {
        return (m_changed >> column & 1U) != 0 ? mine(column) : kNever;
    }

    __device__ unsigned heard() {
        const auto bit = [](unsigned word, unsigned at) { return (word >> at & 1U) != 0; };
        const unsigned top = changedInRow(0), bottom = changedInRow(kSide - 1);
        const unsigned leftmost = changedInColumn(0), rightmost = changedInColumn(kSide - 1);
        unsigned sides = 0;
        if (better(top, m_above, bit(m_rows[0], m_lane))) sides |= 1U << above;
        if (better(bottom, m_below, bit(m_rows[1], m_lane))) sides |= 1U << below;
        if (better(leftmost, m_left, bit(m_rows[2], kSide - 1))) sides |= 1U << left;
        if (better(rightmost, m_right, bit(m_rows[3], 0))) sides |= 1U << right;
        if (!m_tiles.corners) return sides;
        // Lane k looks across corner k.
        const unsigned column = m_lane % 2 == 0 ? 0 : kSide - 1, row = m_lane < 2 ? 0 : kSide - 1;
        const unsigned changed = __shfl_sync(kAllLanes, m_changed, static_cast<int>(row));
        bool crosses = false;
        if (m_lane < 4 && bit(changed, column)) {
            const unsigned word = rowOf(column == 0 ? -1 : 1, row == 0 ? -1 : 1, kSide - 1 - row);
            crosses = bit(word, kSide - 1 - column) && after(m_levels[row * kPitch + column]) < m_corner;
        }
        return sides | (__ballot_sync(kAllLanes, crosses) & 0xfU) << aboveLeft;
    }

    const Tiles& m_tiles;
    unsigned m_number;
    unsigned* m_levels;  ///< in shared memory
    unsigned m_lane, m_column, m_row, m_slice;
    unsigned m_inside = 0, m_fresh = 0, m_changed = 0;  ///< this lane's row: of the colour, without a level, lowered
    unsigned m_seeds = 0, m_seen = 0;
    bool m_new = true;  ///< nothing of the tile has a level
    unsigned m_fromAbove = kNever, m_fromBelow = kNever, m_fromLeft = kNever, m_fromRight = kNever;
    unsigned m_above = 0, m_below = 0, m_left = 0, m_right = 0, m_corner = 0;  ///< levels beyond the edges
    unsigned m_rows[4] = {};  ///< beyond the edges, in the same order: what the colour takes
};

/// A seed's level stands there already.
__device__ inline void noteSeed(const Tiles& tiles, unsigned pixel) {
    const unsigned x = pixel % tiles.width, row = pixel / tiles.width, y = row % tiles.height;
    const unsigned tile = (row / tiles.height * tiles.down + y / kSide) * tiles.across + x / kSide;
    const unsigned word = tile * kSide + y % kSide;
    atomicOr(&tiles.seen[word], 1U << x % kSide);
    if (x % kSide == 0) relaxedStore(&tiles.edges[std::size_t{tile} * 2 * kSide + y % kSide], 0U);
    if (x % kSide == kSide - 1) relaxedStore(&tiles.edges[std::size_t{tile} * 2 * kSide + kSide + y % kSide], 0U);
}

/// Which pixels the colour takes, a word a warp; rows beyond the picture have none.
template <class F>
__global__ void mark(F field, Tiles tiles, unsigned* inside) {
    const unsigned rows = tiles.down * kSide, words = tiles.across * rows * tiles.slices;
    const unsigned warps = gridDim.x * (blockDim.x / kSide), lane = threadIdx.x % kSide;
    for (unsigned word = blockIdx.x * (blockDim.x / kSide) + threadIdx.x / kSide; word < words; word += warps) {
        const unsigned column = word % tiles.across, line = word / tiles.across, y = line % rows, slice = line / rows;
        const unsigned x = column * kSide + lane;
        const bool takes =
            x < tiles.width && y < tiles.height && field.accepts(0, (slice * tiles.height + y) * tiles.width + x);
        const unsigned bits = __ballot_sync(kAllLanes, takes);
        const unsigned tile = (slice * tiles.down + y / kSide) * tiles.across + column;
        if (lane < 2) tiles.edges[tile * std::size_t{2 * kSide} + lane * kSide + y % kSide] = kNever;
        if (lane == 0) tiles.seen[tile * std::size_t{kSide} + y % kSide] = 0;
        if (lane == 0) inside[((slice * tiles.down + y / kSide) * tiles.across + column) * kSide + y % kSide] = bits;
    }
}

inline unsigned tilesAcross(const Flood& flood) { return blocksFor(static_cast<unsigned>(flood.width), kSide); }
inline unsigned tilesDown(const Flood& flood) { return blocksFor(static_cast<unsigned>(flood.height), kSide); }
inline unsigned tilesOf(const Flood& flood) {
    return tilesAcross(flood) * tilesDown(flood) * static_cast<unsigned>(flood.depth);
}
/// Words of scratch that mark() fills, at its beginning.
inline std::size_t markWords(const Flood& flood) { return std::size_t{tilesOf(flood)} * kSide * 4; }

inline Tiles tilesIn(LaunchContext& c, const Flood& flood) {
    return {static_cast<unsigned*>(c.address(flood.keys)),
            static_cast<const unsigned*>(c.address(flood.scratch)),
            static_cast<unsigned>(flood.width),
            static_cast<unsigned>(flood.height),
            tilesAcross(flood),
            tilesDown(flood),
            static_cast<unsigned>(flood.depth),
            flood.corners,
            static_cast<unsigned*>(c.address(flood.scratch)) + std::size_t{tilesOf(flood)} * kSide,
            static_cast<unsigned*>(c.address(flood.scratch)) + std::size_t{tilesOf(flood)} * kSide * 2};
}

inline void launchMark(LaunchContext& c, const Flood& flood) {
    constexpr unsigned kThreads = 256, kMost = 1U << 16U;
    const unsigned blocks = blocksFor(tilesOf(flood) * kSide, kThreads / kSide);
    dispatchType<unsigned>(c, flood, [&]<class F>(F field) {
        launch(c, &mark<F>, dim3(blocks < kMost ? blocks : kMost), dim3(kThreads), 0, field, tilesIn(c, flood),
               static_cast<unsigned*>(c.address(flood.scratch)));
    });
}

inline Footprint bitTileFootprint(const TunableValues& t) {
    const int warps = t.at("block_width") / static_cast<int>(kSide);
    return {.blockWidth = t.at("block_width"),
            .blockHeight = 1,
            .tileWidth = static_cast<int>(kSide) * warps,
            .tileHeight = static_cast<int>(kSide),
            .stagedLeft = 1,
            .stagedTop = 1,
            .stagedRight = 1,
            .stagedBottom = 1,
            .staged = true,
            .haloX = 1,
            .haloY = 1};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
