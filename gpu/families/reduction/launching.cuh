// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every rung of the tree needs: cells in shared memory and across a warp, the last levels, instances, grids.

#include "gpu/families/reduction/arguments.hpp"
#include "gpu/families/reduction/cells.cuh"
#include "gpu/kernels/shared.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

/// Cells of a block in dynamic shared memory, word by word apart, so that the lanes of a warp meet in no bank.
template <class Cell>
struct SharedCells {
    static constexpr int kWords = sizeof(Cell) / sizeof(unsigned);
    unsigned slots;

    __device__ void put(unsigned slot, const Cell& cell) const {
        unsigned words[kWords];
        memcpy(words, &cell, sizeof cell);
        unsigned* const to = reinterpret_cast<unsigned*>(dynamicShared) + slot;
#pragma unroll
        for (int i = 0; i < kWords; ++i) to[i * slots] = words[i];
    }
    __device__ Cell get(unsigned slot) const {
        unsigned words[kWords];
        const unsigned* const from = reinterpret_cast<const unsigned*>(dynamicShared) + slot;
#pragma unroll
        for (int i = 0; i < kWords; ++i) words[i] = from[i * slots];
        Cell cell;
        memcpy(&cell, words, sizeof cell);
        return cell;
    }
    static std::size_t bytes(unsigned slots) { return slots * sizeof(Cell); }
};

/// Stores a cell word by word, as nvcc would, so that every build counts the same stores.
template <class Cell>
__device__ void storeCell(Cell* to, const Cell& cell) {
    constexpr int kWords = sizeof(Cell) / sizeof(Wide);
    Wide words[kWords];
    memcpy(words, &cell, sizeof cell);
#pragma unroll
    for (int i = 0; i < kWords; ++i) reinterpret_cast<Wide*>(to)[i] = words[i];
}

/// Merges the block's cells, one a thread, into that of thread 0: half of the threads at work, then a quarter ...
template <class M>
__device__ typename M::Cell blockTree(typename M::Cell mine) {
    const SharedCells<typename M::Cell> cells{blockDim.x};
    cells.put(threadIdx.x, mine);
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();  // the level below is complete
        if (threadIdx.x < stride) {
            M::merge(mine, cells.get(threadIdx.x + stride));
            cells.put(threadIdx.x, mine);
        }
    }
    return mine;
}

/// Merges the cells of a warp's first `lanes` lanes into that of lane 0, through registers.
template <class M>
__device__ typename M::Cell warpTree(typename M::Cell mine, unsigned lanes = 32) {
    constexpr int kWords = sizeof(mine) / sizeof(Wide);
#pragma unroll
    for (unsigned apart = 16; apart >= 1; apart /= 2) {
        if (apart >= lanes) continue;
        Wide words[kWords];
        memcpy(words, &mine, sizeof mine);
#pragma unroll
        for (int i = 0; i < kWords; ++i) words[i] = __shfl_down_sync(0xffffffffU, words[i], apart);
        typename M::Cell other;
        memcpy(&other, words, sizeof other);
        M::merge(mine, other);
    }
    return mine;
}

/// As blockTree(), warp by warp through registers; shared memory holds a cell a warp. Blocks are whole warps.
template <class M>
__device__ typename M::Cell blockByWarps(typename M::Cell mine) {
    const unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const SharedCells<typename M::Cell> cells{warps};
    mine = warpTree<M>(mine);
    __syncthreads();  // what was in shared memory is done with
    if (threadIdx.x % 32 == 0) cells.put(warp, mine);
    __syncthreads();  // every warp's cell is there
    if (warp > 0) return mine;
    return warpTree<M>(threadIdx.x < warps ? cells.get(threadIdx.x) : typename M::Cell{}, warps);
}

template <class M>
std::size_t cellsOfWarps(unsigned threads) {
    return SharedCells<typename M::Cell>::bytes(threads / 32);
}

struct FoldPolicy {
    static constexpr unsigned kThreads = 256, kCellsPerThread = 4, kCells = kThreads * kCellsPerThread;
};

/// One level above a kernel's blocks: a block merges a row of their cells.
template <class M>
__global__ void fold(const typename M::Cell* from, Wide count, typename M::Cell* to) {
    typename M::Cell mine;
    const Wide first = Wide{blockIdx.x} * FoldPolicy::kCells + threadIdx.x;
    for (unsigned i = 0; i < FoldPolicy::kCellsPerThread; ++i) {
        const Wide at = first + i * FoldPolicy::kThreads;
        if (at < count) M::merge(mine, from[at]);
    }
    mine = blockTree<M>(mine);
    if (threadIdx.x == 0) storeCell(to + blockIdx.x, mine);
}

/// Folds the `count` cells at the front of scratch until one is left, in the result.
template <class M>
void foldAll(LaunchContext& c, const Arguments& a, std::uint64_t count) {
    using Cell = typename M::Cell;
    auto* const result = reinterpret_cast<Cell*>(static_cast<char*>(c.address(a.result)) + a.resultOffset);
    auto* from = static_cast<Cell*>(c.address(a.scratch));
    while (true) {
        const auto blocks = (count + FoldPolicy::kCells - 1) / FoldPolicy::kCells;
        Cell* const to = blocks == 1 ? result : from + count;
        launch(c, &fold<M>, dim3(static_cast<unsigned>(blocks)), dim3(FoldPolicy::kThreads),
               SharedCells<Cell>::bytes(FoldPolicy::kThreads), static_cast<const Cell*>(from), Wide{count}, to);
        if (blocks == 1) return;
        from = to;
        count = blocks;
    }
}

template <class M>
typename M::Cell* scratchCells(LaunchContext& c, const Arguments& a) {
    return static_cast<typename M::Cell*>(c.address(a.scratch));
}

template <class M>
M measured(LaunchContext& c, const Arguments& a) {
    using T = typename M::Value;
    const auto at = [&](std::uint64_t buffer) {
        return reinterpret_cast<const T*>(static_cast<const char*>(c.address(buffer)) + a.inputOffset);
    };
    if constexpr (M::kPairs)
        return {at(a.input), at(a.with), a.count};
    else
        return {at(a.input), a.count, a.pivot};
}

template <class M_>
struct Instance {
    using M = M_;
};

/// Calls f(Instance<Statistics<T>>) for the values' type: three instances a kernel.
template <class F>
void dispatchStatistics(const Arguments& a, F f) {
    switch (a.type) {
        case io::PixelType::u8: return f(Instance<Statistics<std::uint8_t>>{});
        case io::PixelType::u16: return f(Instance<Statistics<std::uint16_t>>{});
        default: return f(Instance<Statistics<float>>{});
    }
}

/// The same for both measures: six instances.
template <class F>
void dispatch(const Arguments& a, F f) {
    if (a.measure == Measure::statistics) return dispatchStatistics(a, f);
    switch (a.type) {
        case io::PixelType::u8: return f(Instance<Comparison<std::uint8_t>>{});
        case io::PixelType::u16: return f(Instance<Comparison<std::uint16_t>>{});
        default: return f(Instance<Comparison<float>>{});
    }
}

inline unsigned blockWidthOf(const TunableValues& t) { return static_cast<unsigned>(t.at("block_width")); }

inline unsigned elementsOf(const TunableValues& t) {
    const auto found = t.find("elements_per_thread");
    return found == t.end() ? 1 : static_cast<unsigned>(found->second);
}

/// Blocks of a grid in which each thread takes so many values.
inline std::uint64_t blocksFor(const Case& k, std::uint64_t perBlock) { return (k.count + perBlock - 1) / perBlock; }

/// A cell a block, and the levels above.
inline std::size_t cellsFor(const Case& k, std::uint64_t blocks) {
    return (blocks + blocks / (FoldPolicy::kCells - 1) + 8) * k.cellBytes();
}

inline std::size_t scratchOfElements(const Arguments& a, const TunableValues& t) {
    return cellsFor(a, blocksFor(a, std::uint64_t{blockWidthOf(t)} * elementsOf(t)));
}

/// A block covers a row of values; nothing is staged but cells.
inline Footprint rowFootprint(unsigned threads, unsigned valuesPerThread) {
    const int w = static_cast<int>(threads);
    return {.blockWidth = w,
            .blockHeight = 1,
            .tileWidth = w * static_cast<int>(valuesPerThread),
            .tileHeight = 1,
            .order = Order::rows};
}

inline Footprint footprintOfElements(const Case&, const TunableValues& t) {
    return rowFootprint(blockWidthOf(t), elementsOf(t));
}

/// A kernel of the textbook: a block reduces its stretch of values, then foldAll() their cells. `kernel(Instance<M>)`
/// gives the kernel; `slots` says how many cells a block of so many threads keeps in shared memory.
template <class M, class... P>
void launchTree(LaunchContext& c, const Arguments& a, unsigned threads, std::uint64_t perBlock, std::size_t shared,
                void (*kernel)(M, typename M::Cell*, P...), P... more) {
    const auto blocks = blocksFor(a, perBlock);
    launch(c, kernel, dim3(static_cast<unsigned>(blocks)), dim3(threads), shared, measured<M>(c, a),
           scratchCells<M>(c, a), more...);
    foldAll<M>(c, a, blocks);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
