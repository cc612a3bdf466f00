// SPDX-License-Identifier: Apache-2.0
#pragma once

// For the rungs that load 16 bytes at a time with few blocks: where the packs lie, how many blocks, who comes last.

#include "gpu/families/reduction/launching.cuh"
#include "gpu/kernels/load_once.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

struct PacksPolicy {
    /// Values a block at most, so that a launch on the CPU can be stopped in time.
    static constexpr std::uint64_t kMostPerBlock = std::uint64_t{1} << 22;
};

/// A channel as 16-byte packs, but for the few values before the first boundary and after the last. Of a comparison
/// both channels, which lie alike.
template <class M>
struct Packs {
    using T = typename M::Value;
    static constexpr unsigned kValues = Pack<T>::kValues;

    M in;
    Wide head, count;

    __device__ explicit Packs(const M& of) : in(of) {
        const Wide misaligned = (16 - reinterpret_cast<std::uintptr_t>(in.data) % 16) % 16 / sizeof(T);
        head = misaligned < in.count ? misaligned : in.count;
        count = (in.count - head) / kValues;
    }
    __device__ Wide firstOf(Wide pack) const { return head + pack * kValues; }
    __device__ Pack<T> load(Wide pack) const {
        return loadOnce(reinterpret_cast<const Pack<T>*>(in.data + head) + pack);
    }
    __device__ Pack<T> loadOther(Wide pack) const {
        if constexpr (M::kPairs)
            return loadOnce(reinterpret_cast<const Pack<T>*>(in.with + head) + pack);
        else
            return {};
    }
    /// Adds the values beside the packs, by one thread each; fewer than 16 on either side.
    __device__ void addRest(typename M::Cell& cell, unsigned thread) const {
        if (thread < head) in.add(cell, thread);
        const Wide tail = firstOf(count) + thread;
        if (tail < in.count) in.add(cell, tail);
    }
};

/// A thread's share of all packs, a grid's width apart, value by value.
template <class M>
__device__ typename M::Cell cellOfPacks(const M& in) {
    typename M::Cell mine;
    const Packs<M> packs(in);
    const Wide step = Wide{gridDim.x} * blockDim.x;
    for (Wide i = Wide{blockIdx.x} * blockDim.x + threadIdx.x; i < packs.count; i += step) {
        const auto pack = packs.load(i), other = packs.loadOther(i);
#pragma unroll
        for (unsigned k = 0; k < Packs<M>::kValues; ++k) in.add(mine, pack[k], other[k], packs.firstOf(i) + k);
    }
    if (blockIdx.x == 0 && threadIdx.x < 16) packs.addRest(mine, threadIdx.x);
    return mine;
}

/// Whether this block is the last of the grid to come here: what every block stored before it came is then there to be
/// read. The ticket is zero before and after. Uses the first word of dynamic shared memory.
__device__ inline bool lastBlock(unsigned* ticket) {
    auto* const last = reinterpret_cast<unsigned*>(dynamicShared);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();  // what the block stored is seen before its ticket
        const bool isLast = atomicAdd(ticket, 1U) == gridDim.x - 1;
        __threadfence();  // and what others stored before theirs, here
        last[0] = isLast ? 1 : 0;
        if (isLast) atomicAdd(ticket, 0U - gridDim.x);
    }
    __syncthreads();
    const bool isLast = last[0] != 0;
    __syncthreads();  // every thread knows, and the word is free
    return isLast;
}

/// A thread's share of the blocks' cells. Two are asked for at once: the last block waits for memory alone.
template <class M>
__device__ typename M::Cell shareOfParts(const typename M::Cell* parts) {
    typename M::Cell mine;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += 2 * blockDim.x) {
        const unsigned next = i + blockDim.x;
        const auto first = parts[i];
        const auto second = next < gridDim.x ? parts[next] : typename M::Cell{};
        M::merge(mine, first);
        M::merge(mine, second);
    }
    return mine;
}

/// Stores the block's cell and, in the last block, merges those of all: true in its thread 0, with the whole in `mine`.
template <class M>
__device__ bool mergeInLastBlock(typename M::Cell& mine, typename M::Cell* parts, unsigned* ticket) {
    if (threadIdx.x == 0) storeCell(parts + blockIdx.x, mine);
    if (!lastBlock(ticket)) return false;
    mine = blockByWarps<M>(shareOfParts<M>(parts));
    return threadIdx.x == 0;
}

/// No more blocks than run at once, each with so many values at least.
inline std::uint64_t residentBlocks(const Arguments& a, const TunableValues& t, std::uint64_t valuesPerBlock) {
    const auto needed = std::max<std::uint64_t>(1, blocksFor(a, valuesPerBlock));
    const auto resident =
        static_cast<std::uint64_t>(a.multiprocessors) * static_cast<std::uint64_t>(t.at("blocks_per_multiprocessor"));
    return std::min(needed, std::max(resident, blocksFor(a, PacksPolicy::kMostPerBlock)));
}

inline unsigned packValues(const Case& k) { return static_cast<unsigned>(16 / io::sizeOf(k.type)); }

inline std::uint64_t blocksOfPacks(const Arguments& a, const TunableValues& t) {
    return residentBlocks(a, t, std::uint64_t{blockWidthOf(t)} * packValues(a));
}

inline std::size_t scratchOfPacks(const Arguments& a, const TunableValues& t) {
    return cellsFor(a, blocksOfPacks(a, t));
}

inline Footprint footprintOfPacks(const Case& k, const TunableValues& t) {
    return rowFootprint(blockWidthOf(t), packValues(k));
}

inline unsigned* ticketOf(LaunchContext& c, const Arguments& a) { return static_cast<unsigned*>(c.address(a.ticket)); }

template <class M>
typename M::Cell* resultOf(LaunchContext& c, const Arguments& a) {
    return reinterpret_cast<typename M::Cell*>(static_cast<char*>(c.address(a.result)) + a.resultOffset);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
