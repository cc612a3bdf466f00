// SPDX-License-Identifier: Apache-2.0
#pragma once

// How multi_copy keeps its counters in shared memory: three ways, one interface. clear(), add() and flush() are called
// by every thread of the block, with a barrier between them.

#include "gpu/families/histogram/launching.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

/// Bytes: every value is counted by itself, and looked up only once a block. 32 copies lie interleaved, one a lane and
/// so one a bank: lanes of a warp never meet, whatever the picture, and no two of them ask one bank. 32 KiB.
struct ByteCells {
    static constexpr unsigned kCopies = 32, kValues = 256, kWords = kCopies * kValues;
    static constexpr unsigned kBlockStep = 29;  ///< coprime to the values
    static constexpr bool kBounded = false;     ///< whether a barrier is needed every so often
    static constexpr bool kVotes = false;       ///< whether there may be reason to look out for flat stretches

    const std::uint32_t* table;
    unsigned slots;
    unsigned* cells = nullptr;
    unsigned* mine = nullptr;  ///< this lane's copy

    __device__ void attach() {
        cells = reinterpret_cast<unsigned*>(dynamicShared);
        mine = cells + threadIdx.x % kCopies;
    }
    __device__ void clear() const {
        for (unsigned i = threadIdx.x; i < kWords; i += blockDim.x) cells[i] = 0;
    }
    __device__ void add(std::uint8_t v, Counter*) const { atomicAdd(&mine[v * kCopies], 1U); }
    /// The four bytes of a word. A byte's counter lies at 128 times the byte, and a lane's copy below that: a shift and
    /// one logical instruction find it, where taking the byte out, multiplying and adding kept the integer units busy.
    __device__ void addFour(unsigned word) const {
        const unsigned lane = threadIdx.x % kCopies * sizeof(unsigned);
#pragma unroll
        for (int b = 0; b < 4; ++b) {
            const unsigned place = ((b == 0 ? word << 7 : word >> (8 * b - 7)) & 0x7f80U) | lane;
            atomicAdd(reinterpret_cast<unsigned*>(reinterpret_cast<char*>(dynamicShared) + place), 1U);
        }
    }
    __device__ void flush(Counter* totals) const {
        // Neighbouring threads share the copies of a value. Blocks begin at different ones: else all would add to the
        // same total at the same time. Blocks have 256, 512 or 1,024 threads.
        const unsigned together = blockDim.x / kValues, group = threadIdx.x % together;
        const unsigned value = (threadIdx.x / together + blockIdx.x * kBlockStep) % kValues;
        unsigned sum = 0;
        // Begins at another copy for each value, so that lanes ask different banks.
        for (unsigned k = group; k < kCopies; k += together) sum += cells[value * kCopies + (value + k) % kCopies];
        for (unsigned step = together / 2; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffU, sum, static_cast<int>(step));
        if (group != 0) sum = 0;
        if (slots >= kValues) {  // hardly two values to a bin
            if (sum != 0) atomicAdd(&totals[table[value]], Counter{sum});
            return;
        }
        // Values of one bin meet in shared memory first: the totals get one atomic a bin and block.
        __syncthreads();  // every copy is read
        for (unsigned i = threadIdx.x; i < slots; i += blockDim.x) cells[i] = 0;
        __syncthreads();  // all slots are zero
        if (sum != 0) atomicAdd(&cells[table[value]], sum);
        __syncthreads();  // all slots are complete
        for (unsigned i = threadIdx.x; i < slots; i += blockDim.x) {
            if (cells[i] != 0) atomicAdd(&totals[i], Counter{cells[i]});
        }
    }
};

/// Slots in as many interleaved copies as fit, at most one a lane.
template <class T>
struct SlotCells {
    static constexpr bool kBounded = false, kVotes = true;

    Binner<T> binner;
    unsigned slots, copies;
    unsigned* cells = nullptr;
    unsigned* mine = nullptr;  ///< this lane's copy

    __device__ void attach() {
        cells = reinterpret_cast<unsigned*>(dynamicShared);
        mine = cells + threadIdx.x % 32 % copies;
    }
    __device__ void clear() const {
        for (unsigned i = threadIdx.x; i < slots * copies; i += blockDim.x) cells[i] = 0;
    }
    __device__ void add(T v, Counter*) const { atomicAdd(&mine[binner(v) * copies], 1U); }
    /// Whether lanes of a warp share copies.
    __device__ bool meet() const { return copies < 32; }
    /// So many of the same value; by one lane for its warp.
    __device__ void addMany(T v, unsigned many, Counter*) const { atomicAdd(&mine[binner(v) * copies], many); }
    __device__ void flush(Counter* totals) const {
        for (unsigned slot = threadIdx.x; slot < slots; slot += blockDim.x) {
            unsigned sum = 0;
            for (unsigned k = 0; k < copies; ++k) sum += cells[slot * copies + (slot + k) % copies];
            if (sum != 0) atomicAdd(&totals[slot], Counter{sum});
        }
    }
};

/// So many slots that even one copy of 32-bit counters does not fit: 16 bits each, two a word. A counter that reaches
/// 2^15 gives that much to the total at once. Nothing overflows as long as a block adds at most 2^15 between two
/// barriers: then a counter, under 2^15 at the barrier, stays under 2^16 until the one thread that saw it reach 2^15
/// has taken that away.
template <class T>
struct PackedCells {
    static constexpr bool kBounded = true, kVotes = true;
    static constexpr unsigned kFull = 0x8000;

    Binner<T> binner;
    unsigned slots;
    unsigned* cells = nullptr;

    __device__ void attach() { cells = reinterpret_cast<unsigned*>(dynamicShared); }
    __device__ void clear() const {
        for (unsigned i = threadIdx.x; i < (slots + 1) / 2; i += blockDim.x) cells[i] = 0;
    }
    __device__ void add(T v, Counter* totals) const { addMany(v, 1, totals); }
    __device__ bool meet() const { return true; }
    __device__ void addMany(T v, unsigned many, Counter* totals) const {
        const unsigned slot = binner(v), shift = slot % 2 * 16;
        const unsigned before = atomicAdd(&cells[slot / 2], many << shift) >> shift & 0xffffU;
        if (before < kFull && before + many >= kFull) {
            atomicAdd(&cells[slot / 2], 0U - (kFull << shift));
            atomicAdd(&totals[slot], Counter{kFull});
        }
    }
    __device__ void flush(Counter* totals) const {
        for (unsigned slot = threadIdx.x; slot < slots; slot += blockDim.x) {
            const unsigned sum = cells[slot / 2] >> (slot % 2 * 16) & 0xffffU;
            if (sum != 0) atomicAdd(&totals[slot], Counter{sum});
        }
    }
};

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
