// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every rung needs: lines cut into tiles, scans of a warp and a block, sums of tiles, instances.

#include "gpu/families/scan/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/shared.cuh"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

/// As CUDA's 64-bit atomics have it.
using Wide = unsigned long long;

/// What is summed: values of any type, marks of those above a level, or sums.
template <class Sum>
struct Source {
    const void* values;
    io::PixelType type;
    bool ownSums, marks;
    float level;

    __device__ Sum operator[](Wide at) const {
        if (ownSums) return static_cast<const Sum*>(values)[at];
        if (type == io::PixelType::f32) return taken(static_cast<const float*>(values)[at]);
        if (type == io::PixelType::u16) return taken(static_cast<const std::uint16_t*>(values)[at]);
        return taken(static_cast<const std::uint8_t*>(values)[at]);
    }
    template <class T>
    __device__ Sum taken(T value) const {
        if (marks) return static_cast<Sum>(static_cast<float>(value) > level ? 1 : 0);
        return static_cast<Sum>(value);
    }
};

/// A stretch of one line, which a block takes.
struct Tile {
    Wide number = 0;    ///< in its line
    Wide first = 0;     ///< place of its first value in memory
    unsigned size = 0;  ///< values
};

/// One scan over all lines, tile by tile.
template <class Sum>
struct Scan {
    Source<Sum> in;
    Sum* out;
    Lines lines;
    bool exclusive;
    unsigned tileValues;
    Wide tilesALine;

    __device__ Wide firstOf(Wide line) const { return line / lines.inner * lines.outer + line % lines.inner; }
    __device__ Tile tile(Wide number) const {
        // Division of 64 bits is slow, and of one line there is nothing to divide.
        const Wide line = lines.count == 1 ? 0 : number / tilesALine, inLine = number - line * tilesALine;
        const Wide before = inLine * tileValues;
        const Wide left = lines.length - before;
        return {inLine, (line == 0 ? 0 : firstOf(line)) + before * lines.stride,
                left < tileValues ? static_cast<unsigned>(left) : tileValues};
    }
    __device__ Sum load(const Tile& tile, unsigned i) const {
        return i < tile.size ? in[tile.first + i * lines.stride] : Sum{0};
    }
    /// The sum up to value i and the one before it.
    __device__ void store(const Tile& tile, unsigned i, Sum inclusive, Sum before) const {
        if (i < tile.size) out[tile.first + i * lines.stride] = exclusive ? before : inclusive;
    }
    __host__ __device__ Wide tiles() const { return tilesALine * lines.count; }
};

template <class Sum>
__device__ Sum* sharedSums() {
    return reinterpret_cast<Sum*>(dynamicShared);
}

constexpr unsigned kAllLanes = 0xffffffffU;

/// The sum of the lanes up to this one.
template <class Sum>
__device__ Sum warpInclusive(Sum sum) {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned apart = 1; apart < 32; apart *= 2) {
        const Sum before = __shfl_up_sync(kAllLanes, sum, apart);
        if (lane >= apart) sum += before;
    }
    return sum;
}

template <class Sum>
struct Sums {
    Sum inclusive, before, total;
};

/// A value a thread, blocks of whole warps: lanes add up through registers, and the first warp adds up the warps. Takes
/// a word a warp of dynamic shared memory, free again at the next call.
template <class Sum>
__device__ Sums<Sum> blockScan(Sum mine) {
    Sum* const ofWarps = sharedSums<Sum>();
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const Sum upToLane = warpInclusive(mine);
    Sum beforeLane = __shfl_up_sync(kAllLanes, upToLane, 1);
    if (lane == 0) beforeLane = 0;
    __syncthreads();  // what was in shared memory is done with
    if (lane == 31) ofWarps[warp] = upToLane;
    __syncthreads();
    if (warp == 0) {
        const Sum upToWarp = warpInclusive(lane < warps ? ofWarps[lane] : Sum{0});
        if (lane < warps) ofWarps[lane] = upToWarp;
    }
    __syncthreads();
    const Sum beforeWarp = warp == 0 ? Sum{0} : ofWarps[warp - 1];
    return {beforeWarp + upToLane, beforeWarp + beforeLane, ofWarps[warps - 1]};
}

template <class Sum>
constexpr std::size_t kScanShared = 32 * sizeof(Sum);

struct TotalsPolicy {
    static constexpr unsigned kThreads = 256;
};

/// One block a line: of the sums of tiles, what comes before each of them, a stretch at a time. Nothing is overwritten,
/// here and below, so that a block that the trace runs twice finds what it found before.
template <class Sum>
__global__ void scan_totals(const Sum* totals, Sum* before, Wide tilesALine) {
    const Wide line = blockIdx.x * tilesALine;
    Sum carry = 0;
    for (Wide first = 0; first < tilesALine; first += blockDim.x) {
        const Wide at = first + threadIdx.x;
        const auto sums = blockScan(at < tilesALine ? totals[line + at] : Sum{0});
        if (at < tilesALine) before[line + at] = carry + sums.before;
        carry += sums.total;
    }
}

/// Adds to each value of a tile what comes before the tile.
template <class Sum>
__global__ void add_before(Scan<Sum> scan, const Sum* inTile, const Sum* before) {
    const Tile tile = scan.tile(blockIdx.x);
    const Sum add = before[blockIdx.x];
    for (unsigned i = threadIdx.x; i < tile.size; i += blockDim.x) {
        const Wide at = tile.first + i * scan.lines.stride;
        scan.out[at] = inTile[at] + add;
    }
}

template <class Sum>
Scan<Sum> scanOf(LaunchContext& c, const ScanArguments& s, unsigned tileValues) {
    return {{c.address(s.input), s.type, s.ownSums, s.marks, s.level},
            static_cast<Sum*>(c.address(s.output)),
            s.lines,
            s.exclusive,
            tileValues,
            (s.lines.length + tileValues - 1) / tileValues};
}

/// The sums of tiles, what comes before each, and sums within tiles, one behind the other in scratch.
template <class Sum>
struct TileSums {
    Sum *totals, *before, *inTile;
};

template <class Sum>
TileSums<Sum> tileSumsOf(LaunchContext& c, const ScanArguments& s, const Scan<Sum>& scan) {
    auto* const totals = static_cast<Sum*>(c.address(s.scratch));
    return {totals, totals + scan.tiles(), totals + 2 * scan.tiles()};
}

template <class Sum>
void launchTotals(LaunchContext& c, const Scan<Sum>& scan, const TileSums<Sum>& sums) {
    launch(c, &scan_totals<Sum>, dim3(static_cast<unsigned>(scan.lines.count)), dim3(TotalsPolicy::kThreads),
           kScanShared<Sum>, static_cast<const Sum*>(sums.totals), sums.before, scan.tilesALine);
}

/// The textbook's three launches: each block scans its tile and leaves its sum; the sums are scanned; each block adds
/// what comes before it. Lines of one tile are done after the first.
template <class Sum>
void launchTiles(LaunchContext& c, const ScanArguments& s, unsigned threads, unsigned tileValues,
                 std::size_t sharedBytes, void (*kernel)(Scan<Sum>, Sum*)) {
    const auto scan = scanOf<Sum>(c, s, tileValues);
    const auto sums = tileSumsOf<Sum>(c, s, scan);
    const dim3 grid(static_cast<unsigned>(scan.tiles()));
    auto within = scan;
    if (scan.tilesALine > 1) within.out = sums.inTile;
    launch(c, kernel, grid, dim3(threads), sharedBytes, within, sums.totals);
    if (scan.tilesALine == 1) return;
    launchTotals(c, scan, sums);
    launch(c, &add_before<Sum>, grid, dim3(threads), 0, scan, static_cast<const Sum*>(sums.inTile),
           static_cast<const Sum*>(sums.before));
}

/// Calls f(Sum{}) for what sums are kept in: four instances a kernel.
template <class F>
void dispatch(const ScanArguments& s, F f) {
    switch (s.sum) {
        case SumType::u32: return f(std::uint32_t{});
        case SumType::f32: return f(float{});
        case SumType::u64: return f(Wide{});
        case SumType::f64: return f(double{});
    }
}

/// The same for sums of 32 bits: two instances.
template <class F>
void dispatchNarrow(const ScanArguments& s, F f) {
    if (s.sum == SumType::f32) return f(float{});
    return f(std::uint32_t{});
}

inline unsigned blockWidthOf(const TunableValues& t) { return static_cast<unsigned>(t.at("block_width")); }

inline std::uint64_t tilesOf(const ScanArguments& s, std::uint64_t tileValues) {
    return (s.lines.length + tileValues - 1) / tileValues * s.lines.count;
}

/// Two sums a tile of so many values a thread, and one a value.
template <unsigned kValues>
std::size_t tileSumsBytes(const ScanArguments& s, const TunableValues& t) {
    const auto tiles = tilesOf(s, std::uint64_t{blockWidthOf(t)} * kValues);
    const auto values = tiles > s.lines.count ? s.lines.length * s.lines.count : 0;
    return (2 * tiles + values) * sizeOf(s.sum);
}

/// A block covers a stretch of a line.
inline Footprint tileFootprint(unsigned threads, unsigned values, bool staged) {
    return {.blockWidth = static_cast<int>(threads),
            .blockHeight = 1,
            .tileWidth = static_cast<int>(values),
            .tileHeight = 1,
            .staged = staged,
            .order = Order::rows};
}

/// In tiles of 32 values and more: through the tile's own tree, the stretches of tiles and the tree of a stretch.
inline double depthOfTiles(double length) { return 64 + length / (32 * TotalsPolicy::kThreads); }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
