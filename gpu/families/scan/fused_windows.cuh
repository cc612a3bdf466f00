// SPDX-License-Identifier: Apache-2.0
#pragma once

// Windows of floats in one kernel: a block goes down a strip, whose rows go round a ring of shared memory, eight rows a
// step: sums down columns, and of these the sums along rows. Eight neighbouring windows share what all of them hold;
// what only some hold is added one by one. Nothing is ever taken away, so that a window knows nothing of values that it
// does not hold, however large they are.

#include "gpu/families/scan/prefix_warp.cuh"
#include "gpu/families/scan/quads.cuh"

#include <cfloat>
#include <cmath>
#include <limits>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct FusedPolicy {
    static constexpr int kWide = 256;  ///< columns of a strip
    static constexpr unsigned kThreads = kWide + 32, kBlocks = 3;
    static constexpr int kStep = 8;               ///< rows, and neighbours along a row, that a thread sums together
    static constexpr int kAhead = 2;              ///< eights of rows beyond those of a step, one of them under way
    static constexpr int kLeast = 4, kMost = 20;  ///< radius; beyond, two blocks fit a multiprocessor
    static constexpr int kMostEights = (2 * kMost - 7) / kStep;  ///< whole ones, as FusedPlan::full
    static constexpr int kBlocksOfAll = 768, kFewestRows = 64;
};

/// What follows from the radius; rows from the first that the strip's first window holds.
struct FusedPlan {
    int radius, halo;     ///< left of the strip in the ring, whole quads
    int pitch, sumPitch;  ///< values of a row of the ring, and of sums: eight rows lie in eight groups of banks
    int begin, ring;      ///< eights of rows that the first step needs; rows of the ring
    int full, rest;       ///< between a window's first eight and what slides in: whole eights, and rows beyond them
    float scale;          ///< 1, or a power of two that keeps sums within f32
    int rows;             ///< of a block

    FusedPlan(int radiusOf, float scaleOf, int rowsOf) : radius(radiusOf), scale(scaleOf), rows(rowsOf) {
        constexpr int kStep = FusedPolicy::kStep;
        halo = (radius + 3) / 4 * 4;
        pitch = FusedPolicy::kWide + 2 * halo;
        sumPitch = (FusedPolicy::kWide + 2 * radius + kStep + 31) / 32 * 32 + 4;
        begin = (2 * radius + 2 * kStep - 1) / kStep;
        ring = kStep * (begin + FusedPolicy::kAhead - 1);
        full = (2 * radius - 7) / kStep;
        rest = (2 * radius - 7) % kStep;
    }
    std::size_t bytes() const {
        return static_cast<std::size_t>(ring * pitch + FusedPolicy::kStep * sumPitch) * sizeof(float);
    }
};

/// The exponent of FusedPlan::scale: below 0 where values add up to more than f32 holds.
inline int fusedExponent(const Windows& w) {
    int side = 0;
    while (1 << side < 2 * w.radius + 1) ++side;
    return std::ldexp(w.range.largest, 2 * side + 1) < std::numeric_limits<float>::max() ? 0 : -2 * side;
}

/// Means of small windows, where no digit is lost below the smallest float when values are scaled. What is above a mean
/// is decided by sums in f64.
inline bool fusesWindows(const Windows& w) {
    return w.type == io::PixelType::f32 && !w.threshold && w.radius >= FusedPolicy::kLeast &&
           w.radius <= FusedPolicy::kMost && w.range.unit + fusedExponent(w) >= ValueRange::kLowestUnit;
}

/// Additions and products in f32 that a value goes through at most: 18 down its column, the others along the row.
inline int fusedDepth(int radius) { return 33 + (2 * radius - 7) / 4; }

/// Of eight values times the scale, sums from each to the last. Returns the sum of all.
__device__ inline float suffixSums(const float (&values)[8], float scale, float (&suffix)[8]) {
    float sum = values[7] * scale;
    suffix[7] = sum;
#pragma unroll
    for (int j = 6; j >= 0; --j) suffix[j] = sum = fmaf(values[j], scale, sum);
    return sum;
}

/// Sums of a column's whole eights of rows, the latest last.
struct Eights {
    static_assert(FusedPolicy::kMostEights == 4);
    float sum[FusedPolicy::kMostEights] = {};

    /// Of the last so many.
    __device__ float last(int count) const {
        const auto taken = [&](int i) { return i >= FusedPolicy::kMostEights - count ? sum[i] : 0.0F; };
        return (taken(0) + taken(1)) + (taken(2) + taken(3));
    }
};

/// A block of the picture: its strip, and where it stands.
struct FusedStrip {
    const float* in;
    const Windows& w;
    const FusedPlan& plan;
    float *ring, *sums;
    int left, top, end;

    /// Eight rows into the ring, zeros where the picture has none.
    __device__ void bring(int eight) const {
        const int quads = plan.pitch / 4, slot = eight * 8 % plan.ring;
        const bool packs = w.width % 4 == 0;
        for (int i = static_cast<int>(threadIdx.x); i < 8 * quads; i += static_cast<int>(FusedPolicy::kThreads)) {
            const int row = i / quads, quad = (i - row * quads) * 4;
            const int y = top - plan.radius + eight * 8 + row, x = left - plan.halo + quad;
            float* const to = ring + (slot + row) * plan.pitch + quad;
            const bool there = y >= 0 && y < w.height;
            const float* const from = in + (there ? Wide(y) * w.width : 0);
            if (packs && there && x >= 0 && x < w.width) {
                bringPack(to, from + x);
            } else {
#pragma unroll
                for (int v = 0; v < 4; ++v) to[v] = there && x + v >= 0 && x + v < w.width ? from[x + v] : 0.0F;
            }
        }
        commitCopies();
    }
    /// Eight of a column's values, from a multiple of eight rows of the ring on.
    __device__ void column(const float* at, int slot, float (&values)[8]) const {
#pragma unroll
        for (int j = 0; j < 8; ++j) values[j] = at[(slot + j) * plan.pitch];
    }
    /// The sum of eight of a column's values behind those of earlier eights, of which the first one goes.
    __device__ void addEight(const float* at, int slot, Eights& eights) const {
        float values[8], suffix[8];
        column(at, slot, values);
#pragma unroll
        for (int i = 1; i < FusedPolicy::kMostEights; ++i) eights.sum[i - 1] = eights.sum[i];
        eights.sum[FusedPolicy::kMostEights - 1] = suffixSums(values, plan.scale, suffix);
    }
    /// Those of the window before the first one.
    __device__ void begin(const float* at, Eights& eights) const {
        for (int eight = 0; eight < plan.full; ++eight) addEight(at, eight * 8, eights);
    }
    /// Sums of eight windows of a column, one below the other: `first` is where the first one's rows begin, `behind`
    /// where its whole eights end.
    __device__ void downColumn(const float* at, int first, int behind, Eights& eights, float* to) const {
        float values[8], suffix[8];
        column(at, first, values);
        suffixSums(values, plan.scale, suffix);
        if (plan.full > 0) addEight(at, behind >= 8 ? behind - 8 : plan.ring - 8, eights);
        int slot = behind;
        const auto next = [&] {
            const float value = at[slot * plan.pitch];
            if (++slot == plan.ring) slot = 0;
            return value;
        };
        float run = 0;
        for (int i = 0; i < plan.rest; ++i) run = fmaf(next(), plan.scale, run);
        run += eights.last(plan.full);
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            to[j * plan.sumPitch] = suffix[j] + run;
            if (j < 7) run = fmaf(next(), plan.scale, run);
        }
    }
};

/// Sums of eight windows of a row from those of columns. `kLast` values of the quad behind whole ones are in all of
/// them.
template <int kLast>
__device__ void alongRow(const float* from, int radius, float (&made)[8]) {
    float first[2][4], slid[3][4] = {};
    loadQuad(from, first[0]);
    loadQuad(from + 4, first[1]);
    float all = 0;
    const float* at = from + 8;
    for (int i = 8; i + 4 <= 2 * radius + 1; i += 4, at += 4) {
        float quad[4];
        loadQuad(at, quad);
        all += (quad[0] + quad[1]) + (quad[2] + quad[3]);
    }
#pragma unroll
    for (int q = 0; q < (kLast + 10) / 4; ++q) loadQuad(at + 4 * q, slid[q]);
#pragma unroll
    for (int j = 0; j < kLast; ++j) all += slid[0][j];
    float suffix = 0;
#pragma unroll
    for (int j = 7; j >= 0; --j) made[j] = suffix += first[j / 4][j % 4];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
        made[j] += all;
        if (j < 7) all += slid[(kLast + j) / 4][(kLast + j) % 4];
    }
}

/// Eight means of a row.
__device__ inline void storeWindows(const FusedStrip& s, float* out, int x, int y, float (&sums)[8]) {
    const Windows& w = s.w;
    const int radius = w.radius;
    const int above = y > radius ? y - radius : 0, below = y + radius < w.height ? y + radius : w.height - 1;
    const auto high = static_cast<float>(below - above + 1);
    const bool inside = x >= radius && x + 7 + radius < w.width;
    const float each = 1 / s.plan.scale / (static_cast<float>(2 * radius + 1) * high);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
        const int before = x + j > radius ? x + j - radius : 0;
        const int last = x + j + radius < w.width ? x + j + radius : w.width - 1;
        const float factor = inside ? each : 1 / s.plan.scale / (static_cast<float>(last - before + 1) * high);
        const float mean = sums[j] * factor;
        // Of finite values rounding alone takes a mean beyond what f32 holds.
        const bool beyond = s.plan.scale < 1 && mean - mean != 0 && sums[j] - sums[j] == 0;
        sums[j] = !beyond ? mean : mean < 0 ? -FLT_MAX : FLT_MAX;
    }
    const bool packs = w.width % 4 == 0;
    float* const to = out + Wide(y) * w.width + x;
#pragma unroll
    for (int q = 0; q < 2; ++q) {
        if (packs && x + 4 * q < w.width) {
            *reinterpret_cast<float4*>(to + 4 * q) =
                make_float4(sums[4 * q], sums[4 * q + 1], sums[4 * q + 2], sums[4 * q + 3]);
        } else {
#pragma unroll
            for (int v = 4 * q; v < 4 * q + 4; ++v)
                if (x + v < w.width) to[v] = sums[v];
        }
    }
}

/// `kLast`: 2 radius + 1 modulo 4.
template <int kLast>
__global__ void __launch_bounds__(FusedPolicy::kThreads, FusedPolicy::kBlocks)
    fused_windows(const float* in, float* out, Windows w, FusedPlan plan) {
    constexpr int kThreads = static_cast<int>(FusedPolicy::kThreads), kWide = FusedPolicy::kWide;
    constexpr int kAhead = FusedPolicy::kAhead, kMine = 2;  ///< columns of a thread at most
    static_assert(2 * FusedPolicy::kMost <= 32 + kThreads);
    const Wide slice = Wide{blockIdx.z} * w.width * w.height;
    const int top = static_cast<int>(blockIdx.y) * plan.rows;
    const FusedStrip strip{in + slice,
                           w,
                           plan,
                           dynamicShared,
                           dynamicShared + plan.ring * plan.pitch,
                           static_cast<int>(blockIdx.x) * kWide,
                           top,
                           top + plan.rows < w.height ? top + plan.rows : w.height};
    const int thread = static_cast<int>(threadIdx.x), needed = kWide + 2 * plan.radius;
    const float* const own = strip.ring + plan.halo - plan.radius + thread;
    // What the last quads of a row hold beyond its sums is read, and used by nobody.
    if (kLast == 3 && thread < 2 * FusedPolicy::kStep) strip.sums[thread / 2 * plan.sumPitch + needed + thread % 2] = 0;
    int eight = 0;
    for (; eight < plan.begin + kAhead - 1; ++eight) strip.bring(eight);
    awaitCopies<kAhead - 1>();
    __syncthreads();  // the first rows are there
    Eights eights[kMine];
#pragma unroll
    for (int k = 0; k < kMine; ++k)
        if (thread + k * kThreads < needed) strip.begin(own + k * kThreads, eights[k]);
    int first = 0, behind = 8 * (plan.full + 1) % plan.ring;
    for (int y = top; y < strip.end; y += 8, ++eight) {
#pragma unroll
        for (int k = 0; k < kMine; ++k)
            if (thread + k * kThreads < needed)
                strip.downColumn(own + k * kThreads, first, behind, eights[k], strip.sums + thread + k * kThreads);
        __syncthreads();  // sums of columns are there, and the first eight rows are done with
        strip.bring(eight);
        first = first + 8 == plan.ring ? 0 : first + 8;
        behind = behind + 8 == plan.ring ? 0 : behind + 8;
        const int row = thread % 8, along = thread / 8 * 8;
        if (thread < kWide && y + row < strip.end && strip.left + along < w.width) {
            float sums[8];
            alongRow<kLast>(strip.sums + row * plan.sumPitch + along, plan.radius, sums);
            storeWindows(strip, out + slice, strip.left + along, y + row, sums);
        }
        awaitCopies<kAhead - 1>();
        __syncthreads();  // the next rows are there, and sums are free
    }
}

inline void launchFused(LaunchContext& c, const Windows& w) {
    const int strips = static_cast<int>(ceilDiv(w.width, FusedPolicy::kWide)) * w.slices;
    const int wanted = (FusedPolicy::kBlocksOfAll + strips - 1) / strips, most = w.height / FusedPolicy::kFewestRows;
    const int bands = wanted < most ? wanted : most > 1 ? most : 1;
    const int rows = static_cast<int>(ceilDiv(w.height, 8 * bands)) * 8;
    const FusedPlan plan(w.radius, std::ldexp(1.0F, fusedExponent(w)), rows);
    launch(c, w.radius % 2 == 0 ? &fused_windows<1> : &fused_windows<3>,
           dim3(ceilDiv(w.width, FusedPolicy::kWide), ceilDiv(w.height, rows), static_cast<unsigned>(w.slices)),
           dim3(FusedPolicy::kThreads), plan.bytes(), static_cast<const float*>(c.address(w.input)),
           static_cast<float*>(c.address(w.output)), w, plan);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
