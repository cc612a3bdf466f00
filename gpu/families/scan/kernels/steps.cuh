// SPDX-License-Identifier: Apache-2.0
// Idea: what tasks do before and after a scan, the same whatever scans: sums down columns, windows, picks, tables.
// Changed from nothing: no variant of the ladder.
// Needs: rows in a picture's order.
// Block: 256 threads; columns 256 sums of shared memory, tables a sum a warp.
// Source: Crow 1984 (windows of an integral picture); Pizer et al. 1987 (clahe), rounded as OpenCV does.
// Look at: four reads a window, whatever its radius.
#pragma once

#include "gpu/families/scan/byte_tables.cuh"
#include "gpu/families/scan/launching.cuh"
#include "gpu/families/scan/means.cuh"

#include <algorithm>
#include <cmath>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct StepsPolicy {
    static constexpr unsigned kThreads = 256;
    static constexpr unsigned kStrip = 32;  ///< neighbours that a block takes down together
    static constexpr unsigned kParts = kThreads / kStrip, kRows = 4;
};

/// A block goes down a strip of columns, 32 rows at a time: each warp sums four of them, then adds what the warps
/// before it have.
template <class Sum>
__global__ void columns(Scan<Sum> scan) {
    __shared__ Sum parts[StepsPolicy::kParts][StepsPolicy::kStrip];
    const Wide width = scan.lines.inner, x = Wide{blockIdx.x} * StepsPolicy::kStrip + threadIdx.x;
    const Wide slice = Wide{blockIdx.y} * scan.lines.outer;
    const bool inside = x < width;
    Sum carry = 0;
    for (Wide top = 0; top < scan.lines.length; top += StepsPolicy::kParts * StepsPolicy::kRows) {
        const Wide first = top + threadIdx.y * StepsPolicy::kRows;
        Sum values[StepsPolicy::kRows], sum = 0;
#pragma unroll
        for (unsigned i = 0; i < StepsPolicy::kRows; ++i) {
            const bool there = inside && first + i < scan.lines.length;
            values[i] = there ? scan.in[slice + (first + i) * width + x] : Sum{0};
            sum += values[i];
        }
        parts[threadIdx.y][threadIdx.x] = sum;
        __syncthreads();
        Sum before = carry;
        for (unsigned part = 0; part < StepsPolicy::kParts; ++part) {
            const Sum add = parts[part][threadIdx.x];
            if (part < threadIdx.y) before += add;
            carry += add;
        }
#pragma unroll
        for (unsigned i = 0; i < StepsPolicy::kRows; ++i) {
            const Sum upTo = before + values[i];
            if (inside && first + i < scan.lines.length)
                scan.out[slice + (first + i) * width + x] = scan.exclusive ? before : upTo;
            before = upTo;
        }
        __syncthreads();  // parts are free again
    }
}

/// Sums over a window from the integral picture's corners. Integers wrap around and come back: what counts is that the
/// window's own sum fits. Sums of floats are exact (ValueRange::exactOverSlices()).
template <class T, class Sum>
__global__ void windows(const T* in, const Sum* sums, void* out, Windows w) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= w.width) return;
    const Wide slice = Wide{blockIdx.z} * w.width * w.height;
    const int left = x - w.radius - 1, top = y - w.radius - 1;
    const int right = x + w.radius < w.width ? x + w.radius : w.width - 1;
    const int bottom = y + w.radius < w.height ? y + w.radius : w.height - 1;
    const auto at = [&](int column, int row) {
        return column < 0 || row < 0 ? Sum{0} : sums[slice + Wide(row) * w.width + column];
    };
    const Sum sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
    const double pixels = double(right - (left < 0 ? -1 : left)) * (bottom - (top < 0 ? -1 : top));
    storeMean(in, out, w, slice + Wide(y) * w.width + x, static_cast<double>(sum), pixels);
}

/// Places of marked values go where their sums say; the last value says how many there are.
template <class T>
__global__ void pick(const T* in, const unsigned* places, unsigned* kept, unsigned* counts, CompactionArguments p) {
    const Wide i = Wide{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= p.count) return;
    const Wide at = blockIdx.y * p.count + i;
    const unsigned upTo = places[at];
    // Where the trace leaves blocks out, sums may be anything.
    if (static_cast<float>(in[at]) > p.level && upTo - 1 < p.count)
        kept[blockIdx.y * p.count + upTo - 1] = static_cast<unsigned>(i);
    if (i == p.count - 1) counts[blockIdx.y] = upTo;
}

template <class Count>
__global__ void clear(Count* counts, Wide number) {
    const Wide stride = Wide{gridDim.x} * blockDim.x;
    for (Wide i = Wide{blockIdx.x} * blockDim.x + threadIdx.x; i < number; i += stride) counts[i] = 0;
}

template <class T>
__device__ T toLevel(float value, int bins) {
    const float rounded = rintf(value), top = static_cast<float>(bins - 1);
    return static_cast<T>(rounded < 0 ? 0.0F : rounded > top ? top : rounded);
}

/// One block a tile: its counts, clipped and spread out again (clahe), are summed, and the sums become its table.
template <class T>
__global__ void tables(const unsigned* counts, T* tables, Bins b) {
    const int bins = b.bins;
    const unsigned* const own = counts + Wide{blockIdx.x} * bins;
    T* const table = tables + Wide{blockIdx.x} * bins;
    const unsigned pixels = static_cast<unsigned>(b.tileWidth) * b.tileHeight;
    // Over the limit, to be dealt out again; of equalise the count in the first bin that has any.
    unsigned mine = 0;
    if (b.clip > 0) {
        for (int i = threadIdx.x; i < bins; i += blockDim.x)
            mine += own[i] > static_cast<unsigned>(b.clip) ? own[i] - b.clip : 0;
    }
    const unsigned over = blockScan(mine).total;
    const int each = static_cast<int>(over) / bins, rest = static_cast<int>(over) - each * bins;
    const int step = rest == 0 ? 1 : bins / rest > 1 ? bins / rest : 1;
    // Counts before the first bin that has any are none, so that the first sum above zero is that bin's.
    unsigned first = 0, carry = 0;
    float scale = b.local ? static_cast<float>(bins - 1) / static_cast<float>(pixels) : 0;
    for (int from = 0; from < bins; from += blockDim.x) {
        const int bin = from + threadIdx.x;
        unsigned count = own[bin];
        if (b.clip > 0) {
            count = (count > static_cast<unsigned>(b.clip) ? b.clip : count) + each;
            if (bin % step == 0 && bin / step < rest) ++count;
        }
        const auto sums = blockScan(count);
        if (!b.local && first == 0) {
            // Counts of the first bin alone: of all whose sum before is zero.
            first = blockScan(carry + sums.before == 0 ? count : 0U).total;
            if (first > 0 && first < pixels) scale = static_cast<float>(bins - 1) / static_cast<float>(pixels - first);
        }
        const unsigned upTo = carry + sums.inclusive;
        if (b.local)
            table[bin] = toLevel<T>(times(static_cast<float>(upTo), scale), bins);
        else if (first == pixels)
            table[bin] = static_cast<T>(bin);
        else
            table[bin] = upTo <= first ? T{0} : toLevel<T>(times(static_cast<float>(upTo - first), scale), bins);
        carry += sums.total;
    }
}

/// A value through its slice's table, or through those of the four tiles around it, blended by distance.
template <class T>
__global__ void look_up(const T* in, const T* tables, T* out, Bins b) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, bins = b.bins;
    if (x >= b.width) return;
    const Wide at = (Wide{blockIdx.z} * b.height + y) * b.width + x;
    const T* const slice = tables + Wide{blockIdx.z} * b.tilesX * b.tilesY * bins;
    const int value = in[at];
    if (!b.local) {
        out[at] = slice[value];
        return;
    }
    const Between across(x, b.tileWidth), down(y, b.tileHeight);
    const int leftTile = across.tile, topTile = down.tile;
    const float right = across.beyond, left = 1.0F - right, bottom = down.beyond, top = 1.0F - bottom;
    const int x1 = leftTile < 0 ? 0 : leftTile, x2 = leftTile + 1 < b.tilesX ? leftTile + 1 : b.tilesX - 1;
    const int y1 = topTile < 0 ? 0 : topTile, y2 = topTile + 1 < b.tilesY ? topTile + 1 : b.tilesY - 1;
    const auto table = [&](int column, int row) {
        return static_cast<float>(slice[(row * b.tilesX + column) * bins + value]);
    };
    const float above = times(table(x1, y1), left) + times(table(x2, y1), right);
    const float below = times(table(x1, y2), left) + times(table(x2, y2), right);
    out[at] = toLevel<T>(times(above, top) + times(below, bottom), bins);
}

inline void launchColumns(LaunchContext& c, const ScanArguments& s) {
    dispatch(s, [&]<class Sum>(Sum) {
        const dim3 grid(ceilDiv(static_cast<int>(s.lines.inner), StepsPolicy::kStrip),
                        static_cast<unsigned>(s.lines.count / s.lines.inner));
        launch(c, &columns<Sum>, grid, dim3(StepsPolicy::kStrip, StepsPolicy::kParts), 0, scanOf<Sum>(c, s, 1));
    });
}

inline dim3 rowGrid(int width, int height, int slices) {
    return {ceilDiv(width, StepsPolicy::kThreads), static_cast<unsigned>(height), static_cast<unsigned>(slices)};
}

inline void launchWindows(LaunchContext& c, const Windows& w) {
    const auto call = [&]<class T, class Sum>(T, Sum) {
        launch(c, &windows<T, Sum>, rowGrid(w.width, w.height, w.slices), dim3(StepsPolicy::kThreads), 0,
               static_cast<const T*>(c.address(w.input)), static_cast<const Sum*>(c.address(w.sums)),
               c.address(w.output), w);
    };
    switch (w.type) {
        case io::PixelType::u8: return call(std::uint8_t{}, std::uint32_t{});
        case io::PixelType::u16: return call(std::uint16_t{}, Wide{});
        default: return call(float{}, double{});
    }
}

inline void launchPick(LaunchContext& c, const CompactionArguments& p) {
    io::withSampleType(p.type, [&]<class T>(T) {
        const dim3 grid(static_cast<unsigned>((p.count + StepsPolicy::kThreads - 1) / StepsPolicy::kThreads),
                        static_cast<unsigned>(p.channels));
        launch(c, &pick<T>, grid, dim3(StepsPolicy::kThreads), 0, static_cast<const T*>(c.address(p.input)),
               static_cast<const unsigned*>(c.address(p.places)), static_cast<unsigned*>(c.address(p.kept)),
               static_cast<unsigned*>(c.address(p.counts)), p);
    });
}

inline void launchClear(LaunchContext& c, const Bins& b) {
    const auto number = static_cast<Wide>(b.tiles()) * static_cast<Wide>(b.bins);
    const auto blocks = std::min<Wide>(1024, (number + StepsPolicy::kThreads - 1) / StepsPolicy::kThreads);
    launch(c, &clear<unsigned>, dim3(static_cast<unsigned>(blocks)), dim3(StepsPolicy::kThreads), 0,
           static_cast<unsigned*>(c.address(b.counts)), number);
}

template <class F>
void dispatchLevels(const Bins& b, F f) {
    if (b.type == io::PixelType::u8) return f(std::uint8_t{});
    return f(std::uint16_t{});
}

inline void launchTables(LaunchContext& c, const Bins& b) {
    dispatchLevels(b, [&]<class T>(T) {
        launch(c, &tables<T>, dim3(static_cast<unsigned>(b.tiles())), dim3(StepsPolicy::kThreads),
               kScanShared<unsigned>, static_cast<const unsigned*>(c.address(b.counts)),
               static_cast<T*>(c.address(b.tables)), b);
    });
}

inline void launchLookUp(LaunchContext& c, const Bins& b) {
    constexpr int kLeast = ByteTablesPolicy::kLeastTile;
    if (b.type == io::PixelType::u8 && (!b.local || (b.tileWidth >= kLeast && b.tileHeight >= kLeast)))
        return launchByteTables(c, b);
    dispatchLevels(b, [&]<class T>(T) {
        launch(c, &look_up<T>, rowGrid(b.width, b.height, b.slices), dim3(StepsPolicy::kThreads), 0,
               static_cast<const T*>(c.address(b.input)), static_cast<const T*>(c.address(b.tables)),
               static_cast<T*>(c.address(b.output)), b);
    });
}

StepsEntry steps_entry() {
    return {.columns = &launchColumns,
            .windows = &launchWindows,
            .pick = &launchPick,
            .clearCounts = &launchClear,
            .tables = &launchTables,
            .lookUp = &launchLookUp};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
