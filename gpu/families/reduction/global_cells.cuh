// SPDX-License-Identifier: Apache-2.0
#pragma once

// The trees whose levels lie in global memory: a cell per thread there, and launches that share their place.

#include "gpu/families/reduction/launching.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

/// Cells of a block in global memory, word by word apart, so that neighbouring threads reach for neighbouring words.
template <class Cell>
struct GlobalCells {
    static constexpr unsigned kWords = sizeof(Cell) / sizeof(Wide);
    Wide* words;
    unsigned slots;

    __device__ void put(unsigned slot, const Cell& cell) const {
        Wide values[kWords];
        memcpy(values, &cell, sizeof cell);
#pragma unroll
        for (unsigned i = 0; i < kWords; ++i) words[i * slots + slot] = values[i];
    }
    __device__ Cell get(unsigned slot) const {
        Wide values[kWords];
#pragma unroll
        for (unsigned i = 0; i < kWords; ++i) values[i] = words[i * slots + slot];
        Cell cell;
        memcpy(&cell, values, sizeof cell);
        return cell;
    }
};

/// The calling block's.
template <class M>
__device__ GlobalCells<typename M::Cell> cellsOfBlock(Wide* store) {
    using Cells = GlobalCells<typename M::Cell>;
    return {store + Wide{blockIdx.x} * blockDim.x * Cells::kWords, blockDim.x};
}

/// Values per launch: their cells take 60 MB at most, which the next launch takes over.
constexpr std::uint64_t kGlobalLaunch = std::uint64_t{1} << 20;

inline std::uint64_t globalThreads(const Case& k, unsigned threads) {
    return std::min(kGlobalLaunch, blocksFor(k, threads) * threads);
}

inline std::size_t scratchOfGlobalCells(const Arguments& a, const TunableValues& t) {
    const unsigned threads = blockWidthOf(t);
    return cellsFor(a, blocksFor(a, threads)) + globalThreads(a, threads) * a.cellBytes();
}

/// As launchTree(), a value per thread.
template <class M>
void launchGlobalTree(LaunchContext& c, const Arguments& a, unsigned threads,
                      void (*kernel)(M, Wide, Wide*, typename M::Cell*)) {
    const auto blocks = blocksFor(a, threads);
    auto* const parts = scratchCells<M>(c, a);
    auto* const store = reinterpret_cast<Wide*>(static_cast<char*>(c.address(a.scratch)) + cellsFor(a, blocks));
    for (std::uint64_t first = 0; first < a.count; first += kGlobalLaunch) {
        const auto values = std::min(kGlobalLaunch, a.count - first);
        launch(c, kernel, dim3(static_cast<unsigned>((values + threads - 1) / threads)), dim3(threads), 0,
               measured<M>(c, a), Wide{first}, store, parts + first / threads);
    }
    foldAll<M>(c, a, blocks);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
