// SPDX-License-Identifier: Apache-2.0
// Idea: sort a tile once; then every value is a place in that order, and small histograms of places do for any type.
// Changed from histogram: 128 bins of equally many values each; the result is found among those of one bin.
// Needs: squares; any percentile, type and border.
// Block: 256 threads for 64 x 64 outputs; shared memory: 8 bytes per value of the tile, or 3 and 256 per thread.
// Source: Huang, Yang and Tang, IEEE Trans. ASSP 27, 1979; LSD radix sort (Knuth, vol. 3, section 5.2.5); joined our
// own.
// Look at: bytes and floats march alike; what floats cost more is the sort, eight passes for two.
#pragma once

#include "gpu/families/rank/counts.cuh"
#include "gpu/families/rank/launching.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

constexpr int kTileSide = 64, kThreads = 256, kSegments = kThreads / kTileSide;
constexpr int kBins = 128;
constexpr int kDigitBits = 4, kDigits = 1 << kDigitBits;

/// Of `sides` values a row and `rows` of them, in shared memory: what is there while they are sorted, and afterwards in
/// the same place.
struct TileMemory {
    std::uint16_t *order, *other;  ///< places, y in the upper byte
    unsigned* keys;                ///< by place, row after row
    std::uint16_t* counters;       ///< of digits, a thread's side by side with the next one's
    unsigned* counts;
    std::uint8_t* bins;  ///< by place
};

/// Bytes of n values of 2 bytes, rounded up to words.
__host__ __device__ constexpr int bytesOfPlaces(int n) { return (2 * n + 3) / 4 * 4; }

__device__ inline TileMemory tileMemory(int n) {
    TileMemory m;
    char* const base = reinterpret_cast<char*>(dynamicShared);
    char* const second = base + bytesOfPlaces(n);
    m.order = reinterpret_cast<std::uint16_t*>(base);
    m.keys = reinterpret_cast<unsigned*>(second);
    m.counters = reinterpret_cast<std::uint16_t*>(second + 4 * n);
    m.other = m.counters + kDigits * kThreads;
    m.counts = m.keys;
    m.bins = reinterpret_cast<std::uint8_t*>(m.counts + kBins / 2 * kThreads);
    return m;
}

/// Each counter becomes the sum of those before it: all of a digit's, thread after thread, then the next digit's.
__device__ inline void sumUp(std::uint16_t* counters) {
    __shared__ int warps[kThreads / 32];
    const int thread = threadIdx.x, lane = thread % 32, first = thread * kDigits;
    int own = 0;
    for (int i = 0; i < kDigits; ++i) own += counters[first + i];
    int sum = own;
    for (int step = 1; step < 32; step *= 2) {
        const int before = __shfl_up_sync(0xffffffffU, sum, step);
        if (lane >= step) sum += before;
    }
    if (lane == 31) warps[thread / 32] = sum;
    __syncthreads();
    sum -= own;
    for (int i = 0; i < thread / 32; ++i) sum += warps[i];
    for (int i = 0; i < kDigits; ++i) {
        const int count = counters[first + i];
        counters[first + i] = static_cast<std::uint16_t>(sum);
        sum += count;
    }
    __syncthreads();
}

/// Sorts n places by their keys, which have `bits` of them, a multiple of 8: ends in `order`.
__device__ inline void sortPlaces(TileMemory m, int n, int width, int bits) {
    const int thread = threadIdx.x;
    // Odd, so that lanes are not all in a few banks.
    const int chunk = (n + kThreads - 1) / kThreads | 1;
    const int from = lower(n, thread * chunk), to = lower(n, from + chunk);
    for (int shift = 0; shift < bits; shift += kDigitBits) {
        const auto counterOf = [&](int place) -> std::uint16_t& {
            const unsigned key = m.keys[(place >> 8) * width + (place & 0xff)];
            return m.counters[(key >> shift) % kDigits * kThreads + thread];
        };
        for (int i = 0; i < kDigits; ++i) m.counters[i * kThreads + thread] = 0;
        for (int i = from; i < to; ++i) ++counterOf(m.order[i]);
        __syncthreads();
        sumUp(m.counters);
        for (int i = from; i < to; ++i) {
            const std::uint16_t place = m.order[i];
            m.other[counterOf(place)++] = place;
        }
        __syncthreads();
        std::uint16_t* const sorted = m.other;
        m.other = m.order;
        m.order = sorted;
    }
}

template <class T>
__global__ void ranked_tile(Picture<T> p) {
    const int radius = p.window.radius, side = 2 * radius + 1, thread = threadIdx.x;
    const int left = blockIdx.x * kTileSide, top = blockIdx.y * kTileSide;
    const int outColumns = lower(kTileSide, p.width - left), outRows = lower(kTileSide, p.height - top);
    const int width = outColumns + 2 * radius, n = width * (outRows + 2 * radius);
    const TileMemory m = tileMemory(n);
    const Layer<T> layer = p.layer();
    for (int i = thread; i < n; i += kThreads) {
        const int x = i % width, y = i / width;
        m.keys[i] = orderedBits<T>(keyOf(layer.at(left - radius + x, top - radius + y)));
        m.order[i] = static_cast<std::uint16_t>(y << 8 | x);
    }
    __syncthreads();
    sortPlaces(m, n, width, kKeyBits<T>);
    const int perBin = (n + kBins - 1) / kBins;
    for (int i = thread; i < n; i += kThreads) {
        const int place = m.order[i];
        m.bins[(place >> 8) * width + (place & 0xff)] = static_cast<std::uint8_t>(i / perBin);
    }
    __syncthreads();

    const int column = thread % kTileSide, rows = (outRows + kSegments - 1) / kSegments;
    const int first = thread / kTileSide * rows, last = lower(outRows, first + rows);
    if (column >= outColumns || first >= last) return;
    Counts counts{m.counts + thread, kThreads};
    counts.clear(kBins);
    const std::uint8_t* const bins = m.bins + column;
    for (int y = first; y < first + side; ++y) {
        for (int i = 0; i < side; ++i) counts.add(bins[y * width + i]);
    }
    for (int y = first;; ++y) {
        int at = counts.settle(p.index) * perBin;
        // Of the bin's values, in order, those inside the window count.
        for (int before = p.index - counts.below;; ++at) {
            const int place = m.order[at];
            const bool inside = static_cast<unsigned>((place & 0xff) - column) < static_cast<unsigned>(side) &&
                                static_cast<unsigned>((place >> 8) - y) < static_cast<unsigned>(side);
            if (inside && before-- == 0) break;
        }
        const int place = m.order[at];
        *p.target(left + column, top + y) = layer.at(left - radius + (place & 0xff), top - radius + (place >> 8));
        if (y + 1 == last) return;
        for (int i = 0; i < side; ++i) counts.replace(bins[y * width + i], bins[(y + side) * width + i]);
    }
}

inline Footprint rankedTileFootprint(const Case& c, const TunableValues&) {
    const int radius = c.window.radius;
    return {.blockWidth = kThreads,
            .blockHeight = 1,
            .tileWidth = kTileSide,
            .tileHeight = kTileSide,
            .stagedLeft = radius,
            .stagedTop = radius,
            .stagedRight = radius,
            .stagedBottom = radius,
            .staged = true,
            .haloX = radius,
            .haloY = radius};
}

inline std::size_t rankedTileShared(const Case& c, const TunableValues&) {
    const auto extent = [&](int n) { return std::min(n, kTileSide) + 2 * c.window.radius; };
    const int n = extent(c.width) * extent(c.height);
    const int sorting = 4 * n + 2 * kDigits * kThreads + 2 * n;
    const int marching = 2 * kBins * kThreads + n;
    return static_cast<std::size_t>(bytesOfPlaces(n) + std::max(sorting, marching));
}

inline void launchRankedTile(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        launch(c, &ranked_tile<T>, gridOf(a, rankedTileFootprint(a, t), layers), dim3(kThreads), rankedTileShared(a, t),
               p);
    });
}

inline std::string rankedTileRefusal(const Case& c) { return squaresUpTo(c, kMaxRadius); }

KernelEntry ranked_tile_entry() {
    return {.launch = &launchRankedTile,
            .footprint = &rankedTileFootprint,
            .sharedBytes = &rankedTileShared,
            .refusal = &rankedTileRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
