// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every launcher of the family needs: values, binners, grids, passes.

#include "gpu/families/histogram/arguments.hpp"
#include "gpu/families/histogram/binner.cuh"
#include "gpu/kernels/shared.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

/// Totals are 64 bits wide: a picture may have more than 2^32 values.
using Counter = unsigned long long;

/// One channel's values, one behind the other.
template <class T>
struct Values {
    const T* data;
    std::size_t count;
};

/// The values that one block of consecutive threads strides over, and the threads of the whole grid.
struct Stride {
    __device__ static std::size_t first() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }
    __device__ static std::size_t step() { return std::size_t{gridDim.x} * blockDim.x; }
};

/// Slots that a block counts in shared memory; what lies outside is left to another pass.
struct Stretch {
    unsigned first, count;
    __device__ bool holds(unsigned slot) const { return slot - first < count; }
};

/// A block's own counters in shared memory. 32 bits suffice: no launcher gives a block 2^32 values.
struct BlockCounters {
    unsigned* cells;
    Stretch stretch;

    __device__ explicit BlockCounters(Stretch s) : cells(reinterpret_cast<unsigned*>(dynamicShared)), stretch(s) {}
    __device__ void clear() const {
        for (unsigned i = threadIdx.x; i < stretch.count; i += blockDim.x) cells[i] = 0;
    }
    __device__ void add(unsigned slot, unsigned times) const {
        if (stretch.holds(slot)) atomicAdd(&cells[slot - stretch.first], times);
    }
    /// Adds them to the totals; bins that stayed empty cost no atomic.
    __device__ void flush(Counter* totals) const {
        for (unsigned i = threadIdx.x; i < stretch.count; i += blockDim.x) {
            if (cells[i] != 0) atomicAdd(&totals[stretch.first + i], Counter{cells[i]});
        }
    }
};

template <class T>
struct Instance {
    using Value = T;
};

/// Calls f(Instance<T>) for the values' type: three instances a kernel.
template <class F>
void dispatch(const Arguments& a, F f) {
    io::withSampleType(a.type, [&]<class T>(T) { f(Instance<T>{}); });
}

template <class T>
Values<T> valuesOf(LaunchContext& c, const Arguments& a) {
    return {reinterpret_cast<const T*>(static_cast<const char*>(c.address(a.input)) + a.inputOffset), a.count};
}

template <class T>
Binner<T> binnerOf(LaunchContext& c, const Arguments& a) {
    if constexpr (sizeof(T) == 4)
        return {static_cast<const float*>(c.address(a.thresholds)), a.bins, a.guess};
    else
        return {static_cast<const std::uint32_t*>(c.address(a.table)), a.shift};
}

inline Counter* totalsOf(LaunchContext& c, const Arguments& a) {
    return static_cast<Counter*>(c.address(a.totals)) + a.totalsOffset;
}

/// A row of blocks, `perBlock` values each. `count` is not 0.
inline dim3 gridFor(std::uint64_t count, std::uint64_t perBlock) {
    return dim3(static_cast<unsigned>((count + perBlock - 1) / perBlock));
}

inline dim3 blockOf(const TunableValues& t) { return dim3(static_cast<unsigned>(t.at("block_width"))); }

inline std::uint64_t perBlockOf(const TunableValues& t) {
    return static_cast<std::uint64_t>(t.at("block_width")) * static_cast<std::uint64_t>(t.at("elements_per_thread"));
}

/// Calls f(stretch, bytes of shared memory) once where all slots fit a block, else for one stretch of slots after the
/// other: each pass reads all values again.
template <class F>
void forPasses(const Arguments& a, F f) {
    const auto most = static_cast<unsigned>(a.sharedBytes / sizeof(unsigned));
    for (unsigned first = 0; first < a.slotCount(); first += most) {
        const unsigned count = std::min(most, a.slotCount() - first);
        f(Stretch{first, count}, count * sizeof(unsigned));
    }
}

/// A block covers a row of values; nothing is staged but counters.
inline Footprint rowFootprint(const TunableValues& t, int valuesPerThread) {
    const int w = t.at("block_width");
    return {.blockWidth = w, .blockHeight = 1, .tileWidth = w * valuesPerThread, .tileHeight = 1, .order = Order::rows};
}

inline Footprint consecutiveFootprint(const Case&, const TunableValues& t) { return rowFootprint(t, 1); }

/// Lanes take neighbouring values.
inline WarpMapping consecutiveMapping(const Case&, const TunableValues&) { return {}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
