// SPDX-License-Identifier: Apache-2.0
#pragma once

// Windows without an integral picture: sums of a row's windows from its running sums, which a warp keeps in a ring of
// shared memory, and of these the sums down columns, a row added and a row taken away.

#include "gpu/families/scan/means.cuh"
#include "gpu/families/scan/quads.cuh"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct SlidingPolicy {
    static constexpr unsigned kThreads = 128, kWarps = kThreads / 32, kBlocks = 5;
    static constexpr unsigned kStep = 128;      ///< columns of a warp: four a lane
    static constexpr unsigned kSegment = 8192;  ///< columns that a warp goes along
    static constexpr int kStepsAhead = 3;       ///< along a row, under way
    template <class Row>
    static constexpr int kAhead = sizeof(Row) == 8 ? 2 : 4;  ///< rows under way
    /// Rows that a warp goes down, after it has added up those of the first window.
    static constexpr int rowsOfWarp(int radius) { return radius <= 64 ? 256 : 512; }
};

/// What running sums along a row, and windows, are summed in. The sums of a row's windows are kept in 32 bits; of
/// floats in f64 where all of their bits decide.
template <class T>
struct SlidingSums {
    using Running = std::uint32_t;
    using Window = std::conditional_t<sizeof(T) == 1, std::uint32_t, Wide>;
};
template <>
struct SlidingSums<float> {
    using Running = double;
    using Window = double;
};

/// Whether nothing is lost when a value goes: running sums are exact, and fit what they are kept in.
inline bool slides(const Windows& w) {
    if (w.type != io::PixelType::f32) return true;
    const double side = std::min(2 * w.radius + 1, std::max(w.width, w.height));
    return w.range.exactInWindows(side) && w.range.largest * side < std::numeric_limits<float>::max();
}

/// Running sums that a warp keeps: a window's, and three steps.
inline int ringOf(int radius) {
    constexpr int kStep = SlidingPolicy::kStep;
    return (2 * radius + 3 * kStep) / kStep * kStep;
}

template <class T>
std::size_t ringBytes(int radius) {
    return static_cast<std::size_t>(SlidingPolicy::kWarps * ringOf(radius)) * sizeof(typename SlidingSums<T>::Running);
}

inline std::size_t slidingShared(io::PixelType type, int radius) {
    std::size_t bytes = 0;
    io::withSampleType(type, [&]<class T>(T) { bytes = ringBytes<T>(radius); });
    return bytes;
}

__device__ inline void storeSums(std::uint32_t* to, const std::uint32_t (&from)[4]) { storeQuad(to, from); }
__device__ inline void storeSums(double* to, const double (&from)[4]) {
    float bits[8];
    memcpy(bits, &from, sizeof bits);
    auto* const quads = reinterpret_cast<float4*>(to);
    quads[0] = make_float4(bits[0], bits[1], bits[2], bits[3]);
    quads[1] = make_float4(bits[4], bits[5], bits[6], bits[7]);
}

/// This lane's columns of a row.
struct LaneColumns {
    unsigned x, width;
    bool quads;  ///< a row begins where four values lie

    template <class V>
    __device__ void load(const V* row, bool there, V (&to)[4]) const {
        to[0] = to[1] = to[2] = to[3] = 0;
        if (there && (!quads || x < width)) loadQuadOf(row, width, x, quads, to);
    }
    template <class V>
    __device__ void store(V* row, const V (&from)[4]) const {
        if (quads) {
            if (x < width) storeQuad(row + x, from);
        } else {
#pragma unroll
            for (unsigned v = 0; v < 4; ++v)
                if (x + v < width) row[x + v] = from[v];
        }
    }
};

/// A step of a row's running sums: this lane's four go into the ring.
template <class T, class Running>
__device__ Running runAlong(const T (&raw)[4], Running before, Running* ring) {
    const auto v = [&](int i) { return static_cast<Running>(raw[i]); };
    const Running upTo = warpInclusive((v(0) + v(1)) + (v(2) + v(3)));
    const Running beforeLane = __shfl_up_sync(kAllLanes, upTo, 1);
    Running sums[4], sum = before + (threadIdx.x % 32 == 0 ? Running{0} : beforeLane);
#pragma unroll
    for (int i = 0; i < 4; ++i) sums[i] = sum += v(i);
    storeSums(ring, sums);
    return before + __shfl_sync(kAllLanes, upTo, 31);
}

/// A warp a row, or a segment of one. `ring` is a multiple of the step, and longer than a window and two steps.
template <class T, class Row>
__global__ void window_rows(const T* in, Row* parts, Windows w, int ring) {
    using Running = typename SlidingSums<T>::Running;
    constexpr int kStep = SlidingPolicy::kStep;
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    const Wide number = Wide{blockIdx.x} * SlidingPolicy::kWarps + warp;
    if (number >= Wide(w.height) * w.slices) return;
    Running* const sums = sharedSums<Running>() + warp * ring;
    const T* const row = in + number * w.width;
    Row* const out = parts + number * w.width;
    const int first = static_cast<int>(blockIdx.y * SlidingPolicy::kSegment);
    const int left = first + static_cast<int>(SlidingPolicy::kSegment);
    const int end = left < w.width ? left : w.width;
    const int begin = first < w.radius ? 0 : (first - w.radius) / 4 * 4;  // running sums begin here
    const int needed = end + w.radius < w.width ? end + w.radius : w.width;
    const auto load = [&](int x, T(&to)[4]) {
        const auto width = static_cast<unsigned>(w.width);
        LaneColumns{static_cast<unsigned>(x + lane * 4), width, width % 4 == 0}.load(row, x < needed, to);
    };
    constexpr int kAhead = SlidingPolicy::kStepsAhead;
    T ahead[kAhead][4];
#pragma unroll
    for (int u = 0; u < kAhead; ++u) load(begin + u * kStep, ahead[u]);
    Running total = 0;
    int next = first, origin = begin;  // the next window; what is first in the ring
    for (int base = begin; base < needed; base += kStep) {
        if (base - origin == ring) origin = base;
        total = runAlong(ahead[0], total, sums + (base - origin) + lane * 4);
#pragma unroll
        for (int u = 1; u < kAhead; ++u) memcpy(ahead[u - 1], ahead[u], sizeof ahead[u]);
        load(base + kAhead * kStep, ahead[kAhead - 1]);
        __syncwarp();  // the sums are there
        const auto upTo = [&](int x) { return sums[x - origin < 0 ? x - origin + ring : x - origin]; };
        while (next < end && (next + kStep + w.radius <= base + kStep || base + kStep >= needed)) {
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int x = next + lane + 32 * k;
                if (x >= end) continue;
                const int last = x + w.radius < w.width ? x + w.radius : w.width - 1;
                const Running sum = upTo(last) - (x - w.radius > begin ? upTo(x - w.radius - 1) : Running{0});
                out[x] = static_cast<Row>(sum);
            }
            next += kStep;
        }
        __syncwarp();  // and read, before others take their place
    }
}

/// Adds a row of parts to this lane's four windows, or takes it away; rows beyond the picture are none.
template <class Row, class Window>
__device__ void addRow(Window (&windows)[4], const Row (&row)[4], bool away) {
#pragma unroll
    for (int v = 0; v < 4; ++v)
        windows[v] += away ? Window{0} - static_cast<Window>(row[v]) : static_cast<Window>(row[v]);
}

/// Means of one row of windows, or what is above them. `columns` of each window times `rows` are its pixels.
template <class T, class Window>
__device__ void storeRow(const LaneColumns& strip, const T* in, void* out, const Windows& w, Wide at, double rows,
                         const double (&columns)[4], const Window (&sums)[4]) {
    if (w.threshold) {
        T values[4];
        std::uint8_t made[4];
        strip.load(in + at, true, values);
#pragma unroll
        for (int v = 0; v < 4; ++v)
            made[v] = isAbove(values[v], w.offset, static_cast<double>(sums[v]), columns[v] * rows) ? 255 : 0;
        return strip.store(static_cast<std::uint8_t*>(out) + at, made);
    }
    T made[4];
#pragma unroll
    for (int v = 0; v < 4; ++v) {
        const auto sum = static_cast<double>(sums[v]);
        if constexpr (sizeof(T) < 4)
            made[v] = static_cast<T>(rint(sum / (columns[v] * rows)));
        else  // of floats both are one over what they count: a division in f64 is slow
            made[v] = static_cast<T>(sum * (columns[v] * rows));
    }
    strip.store(static_cast<T*>(out) + at, made);
}

/// A warp goes down a strip of columns.
template <class T, class Row>
__global__ void __launch_bounds__(SlidingPolicy::kThreads, SlidingPolicy::kBlocks)
    window_columns(const T* in, const Row* parts, void* out, Windows w, int rows) {
    using Window = typename SlidingSums<T>::Window;
    constexpr int kAhead = SlidingPolicy::kAhead<Row>;
    const int first = static_cast<int>(blockIdx.y * SlidingPolicy::kWarps + threadIdx.x / 32) * rows;
    if (first >= w.height) return;
    const int end = first + rows < w.height ? first + rows : w.height, radius = w.radius;
    const auto width = static_cast<unsigned>(w.width);
    const LaneColumns strip{blockIdx.x * SlidingPolicy::kStep + threadIdx.x % 32 * 4, width, width % 4 == 0};
    const Wide slice = Wide{blockIdx.z} * width * w.height;
    const auto load = [&](int y, Row(&to)[4]) {
        strip.load(parts + slice + Wide(y < 0 ? 0 : y) * width, y >= 0 && y < w.height, to);
    };
    const bool inverse = sizeof(T) == 4 && !w.threshold;
    double columns[4];
#pragma unroll
    for (int v = 0; v < 4; ++v) {
        const int x = static_cast<int>(strip.x) + v;
        const int last = x + radius < w.width ? x + radius : w.width - 1, before = x > radius ? x - radius : 0;
        columns[v] = inverse ? 1.0 / (last - before + 1) : last - before + 1;
    }
    Window windows[4] = {};
    int rowsBefore = 0;
    double factor = 0;
    for (int y = first > radius ? first - radius : 0; y < first + radius && y < w.height; y += kAhead) {
        Row ahead[kAhead][4];
#pragma unroll
        for (int u = 0; u < kAhead; ++u) load(y + u < first + radius ? y + u : -1, ahead[u]);
#pragma unroll
        for (int u = 0; u < kAhead; ++u) addRow(windows, ahead[u], false);
    }
    for (int y = first; y < end; y += kAhead) {
        Row come[kAhead][4], gone[kAhead][4];
#pragma unroll
        for (int u = 0; u < kAhead; ++u) {
            load(y + u + radius, come[u]);
            load(y + u - radius, gone[u]);
        }
#pragma unroll
        for (int u = 0; u < kAhead; ++u) {
            if (y + u >= end) continue;
            addRow(windows, come[u], false);
            const int last = y + u + radius < w.height ? y + u + radius : w.height - 1;
            const int before = y + u > radius ? y + u - radius : 0;
            if (const int high = last - before + 1; high != rowsBefore) {
                rowsBefore = high;
                factor = inverse ? 1.0 / high : high;
            }
            storeRow(strip, in, out, w, slice + Wide(y + u) * width, factor, columns, windows);
            addRow(windows, gone[u], true);
        }
    }
}

template <class T, class Row>
void launchSlidingOf(LaunchContext& c, const Windows& w) {
    constexpr int kStep = SlidingPolicy::kStep, kWarps = SlidingPolicy::kWarps;
    const auto* const in = static_cast<const T*>(c.address(w.input));
    auto* const parts = static_cast<Row*>(c.address(w.sums));
    const Wide rows = static_cast<Wide>(w.height) * static_cast<Wide>(w.slices);
    launch(c, &window_rows<T, Row>,
           dim3(static_cast<unsigned>((rows + kWarps - 1) / kWarps), ceilDiv(w.width, SlidingPolicy::kSegment)),
           dim3(SlidingPolicy::kThreads), ringBytes<T>(w.radius), in, parts, w, ringOf(w.radius));
    const int down = SlidingPolicy::rowsOfWarp(w.radius);
    launch(c, &window_columns<T, Row>,
           dim3(ceilDiv(w.width, kStep), ceilDiv(w.height, down * kWarps), static_cast<unsigned>(w.slices)),
           dim3(SlidingPolicy::kThreads), 0, in, static_cast<const Row*>(parts), c.address(w.output), w, down);
}

inline void launchSliding(LaunchContext& c, const Windows& w) {
    if (w.type == io::PixelType::u8) return launchSlidingOf<std::uint8_t, std::uint32_t>(c, w);
    if (w.type == io::PixelType::u16) return launchSlidingOf<std::uint16_t, std::uint32_t>(c, w);
    w.threshold ? launchSlidingOf<float, double>(c, w) : launchSlidingOf<float, float>(c, w);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
