// SPDX-License-Identifier: Apache-2.0
// Idea: several copies of the bins a block, interleaved so that the lanes of a warp never meet, fed by 16-byte loads.
// Changed from privatised_coarsened: lane l counts in copy l; bytes are looked up once a block; one launch in all.
// Needs: any number of bins that fits 16-bit counters in shared memory; fewer copies the more bins there are.
// Block: block_width threads; 32 KiB shared for bytes, else 4 copies (bins + 3) bytes, or 2 (bins + 3) packed.
// Source: ours, after Podlozhnyuk, Histogram calculation in CUDA, NVIDIA 2007, which gives each warp or thread a copy.
// Look at: add() in cells.cuh, one shared atomic a value, and the loop that loads ahead of it and looks out for flat
// stretches.
#pragma once

#include "gpu/families/histogram/cells.cuh"
#include "gpu/kernels/load_once.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

struct MultiCopyPolicy {
    static constexpr int kMostThreads = 1024;
    static constexpr int kBlocksPerMultiprocessor = 2;  ///< what registers and copies must leave room for
    /// 16-byte loads a thread has under way: where blocks share a multiprocessor, and where one alone fits.
    static constexpr int kLoadsAhead = 2, kLoadsAheadAlone = 3;
    static constexpr std::size_t kReservedBytes = 1024;  ///< of shared memory a block, the system's (capability 8.0 up)
    /// Values a block at most, so that a launch on the CPU can be stopped in time.
    static constexpr std::uint64_t kMostPerBlock = std::uint64_t{1} << 24;
};

/// Whether the lanes of this warp hold one value alone. Most pictures are done with the first vote.
template <class T>
__device__ bool allTheSame(const Pack<T>& pack) {
    const unsigned first = pack.word[0];
    bool same = pack.word[1] == first && pack.word[2] == first && pack.word[3] == first;
    if constexpr (sizeof(T) == 2) same = same && first >> 16 == (first & 0xffffU);
    return __all_sync(0xffffffffU, same) != 0 &&
           __all_sync(0xffffffffU, __shfl_sync(0xffffffffU, first, 0) == first) != 0;
}

template <class T, class Cells>
__global__ void __launch_bounds__(MultiCopyPolicy::kMostThreads,
                                  Cells::kBounded ? 1 : MultiCopyPolicy::kBlocksPerMultiprocessor)
    multi_copy(Values<T> in, Cells cells, Counter* totals, Counter* next, unsigned slots) {
    constexpr int kAhead = Cells::kBounded ? MultiCopyPolicy::kLoadsAheadAlone : MultiCopyPolicy::kLoadsAhead;
    static_assert(!Cells::kBounded || MultiCopyPolicy::kMostThreads * (kAhead * Pack<T>::kValues + 1) <= 0x8000);
    cells.attach();

    // Values before the first 16-byte boundary and after the last are few.
    const std::size_t misaligned = (16 - reinterpret_cast<std::uintptr_t>(in.data) % 16) % 16 / sizeof(T);
    const std::size_t head = misaligned < in.count ? misaligned : in.count;
    const std::size_t packs = (in.count - head) / Pack<T>::kValues;
    const std::size_t tail = head + packs * Pack<T>::kValues;
    const auto* body = reinterpret_cast<const Pack<T>*>(in.data + head);
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    std::size_t first = std::size_t{blockIdx.x} * blockDim.x;  // of the block's packs in this turn

    Pack<T> ahead[kAhead] = {};
#pragma unroll
    for (int u = 0; u < kAhead; ++u) {
        const std::size_t i = first + threadIdx.x + u * step;
        if (i < packs) ahead[u] = loadOnce(body + i);
    }
    cells.clear();  // while the first values are under way
    if (blockIdx.x == 0) {
        for (unsigned i = threadIdx.x; i < slots; i += blockDim.x) next[i] = 0;
    }
    __syncthreads();  // all counters are zero

    if (blockIdx.x == 0) {
        if (threadIdx.x < head) cells.add(in.data[threadIdx.x], totals);
        if (threadIdx.x < in.count - tail) cells.add(in.data[tail + threadIdx.x], totals);
    }
    const auto count = [&](const Pack<T>& pack) {
#pragma unroll
        for (int k = 0; k < (sizeof(T) == 1 ? 4 : Pack<T>::kValues); ++k) {
            if constexpr (sizeof(T) == 1)
                cells.addFour(pack.word[k]);
            else
                cells.add(pack[k], totals);
        }
    };
    // A turn counts what the one before asked for. No thread asks whether it has a pack as long as all have.
    for (; first + blockDim.x + (2 * kAhead - 1) * step <= packs; first += kAhead * step) {
#pragma unroll
        for (int u = 0; u < kAhead; ++u) {
            const auto now = ahead[u];
            ahead[u] = loadOnce(body + first + threadIdx.x + (u + kAhead) * step);
            if constexpr (Cells::kVotes) {
                // A flat stretch of a picture has lanes wait for one counter. With a copy for each lane the vote costs
                // what is not flat more than it gains (measurements.md).
                if (cells.meet() && allTheSame(now)) {
                    if (threadIdx.x % 32 == 0) cells.addMany(now[0], 32 * Pack<T>::kValues, totals);
                    continue;
                }
            }
            count(now);
        }
        if (Cells::kBounded) __syncthreads();  // no counter is at half of its 16 bits
    }
    for (; first < packs; first += kAhead * step) {
#pragma unroll
        for (int u = 0; u < kAhead; ++u) {
            const std::size_t i = first + threadIdx.x + u * step;
            if (i >= packs) break;
            const auto now = ahead[u];
            if (i + kAhead * step < packs) ahead[u] = loadOnce(body + i + kAhead * step);
            count(now);
        }
        if (Cells::kBounded) __syncthreads();  // no counter is at half of its 16 bits
    }
    __syncthreads();  // the block's values are counted

    cells.flush(totals);
}

/// Bytes of shared memory for one of the blocks that share a multiprocessor.
inline std::size_t multiCopyShare(const Case& k) {
    const std::size_t reserved = MultiCopyPolicy::kReservedBytes;
    const std::size_t blocks = MultiCopyPolicy::kBlocksPerMultiprocessor;
    return (k.sharedBytes + reserved) / blocks - reserved;
}

/// Copies of 32-bit counters, one a lane at most; 0 where even one does not fit a block.
inline unsigned multiCopyCopies(const Case& k) {
    if (k.type == io::PixelType::u8) return ByteCells::kCopies;
    const std::size_t one = k.slotCount() * sizeof(unsigned);
    const auto fit = static_cast<unsigned>(std::min<std::size_t>(32, multiCopyShare(k) / one));
    return fit > 0 ? fit : one <= k.sharedBytes ? 1 : 0;
}

/// 16-byte loads a thread has under way.
inline int multiCopyAhead(const Case& k) {
    return k.type == io::PixelType::u8 || multiCopyCopies(k) > 0 ? MultiCopyPolicy::kLoadsAhead
                                                                 : MultiCopyPolicy::kLoadsAheadAlone;
}

inline dim3 multiCopyGrid(const Arguments& a, const TunableValues& t, std::uint64_t packValues, std::size_t shared) {
    // No more blocks than run at once: each pays for clearing and adding up.
    const std::size_t reserved = MultiCopyPolicy::kReservedBytes;
    const auto fit = std::max<std::uint64_t>(1, (a.sharedBytes + reserved) / (shared + reserved));
    const auto tile = static_cast<std::uint64_t>(t.at("block_width")) * multiCopyAhead(a) * packValues;
    const auto tiles = (a.count + tile - 1) / tile;
    const auto resident = static_cast<std::uint64_t>(a.multiprocessors) *
                          std::min(fit, static_cast<std::uint64_t>(t.at("blocks_per_multiprocessor")));
    const auto needed = (a.count + MultiCopyPolicy::kMostPerBlock - 1) / MultiCopyPolicy::kMostPerBlock;
    return dim3(static_cast<unsigned>(std::min(tiles, std::max(resident, needed))));
}

inline void launchMultiCopy(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T>(Instance<T>) {
        Counter* next = static_cast<Counter*>(c.address(a.next)) + a.totalsOffset;
        const auto run = [&]<class Cells>(const Cells& cells, std::size_t shared) {
            const dim3 grid = multiCopyGrid(a, t, Pack<T>::kValues, shared);
            launch(c, &multi_copy<T, Cells>, grid, blockOf(t), shared, valuesOf<T>(c, a), cells, totalsOf(c, a), next,
                   a.slotCount());
        };
        const unsigned copies = multiCopyCopies(a);
        if constexpr (sizeof(T) == 1) {
            run(ByteCells{static_cast<const std::uint32_t*>(c.address(a.table)), a.slotCount()},
                ByteCells::kWords * sizeof(unsigned));
        } else if (copies > 0) {
            run(SlotCells<T>{binnerOf<T>(c, a), a.slotCount(), copies}, a.slotCount() * copies * sizeof(unsigned));
        } else {
            run(PackedCells<T>{binnerOf<T>(c, a), a.slotCount()}, (a.slotCount() + 1) / 2 * sizeof(unsigned));
        }
    });
}

inline std::string multiCopyRefusal(const Case& k) {
    const std::size_t least =
        k.type == io::PixelType::u8 ? ByteCells::kWords * sizeof(unsigned) : (k.slotCount() + 1) / 2 * sizeof(unsigned);
    if (least <= k.sharedBytes) return {};
    return std::to_string(k.bins) + " bins need " + std::to_string(least) +
           " bytes of shared memory per block; the device allows " + std::to_string(k.sharedBytes);
}

inline Footprint multiCopyFootprint(const Case& k, const TunableValues& t) {
    return rowFootprint(t, multiCopyAhead(k) * 16 / static_cast<int>(io::sizeOf(k.type)));
}

inline WarpMapping multiCopyMapping(const Case& k, const TunableValues&) {
    return {.laneStride = 16 / io::sizeOf(k.type), .copies = std::max(1U, multiCopyCopies(k))};
}

KernelEntry multi_copy_entry() {
    return {.launch = &launchMultiCopy,
            .footprint = &multiCopyFootprint,
            .mapping = &multiCopyMapping,
            .refusal = &multiCopyRefusal,
            .clearsNext = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
