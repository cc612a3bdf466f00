// SPDX-License-Identifier: Apache-2.0
// What comes before and after each rung: exact distances, the steepest way up, peaks united, lines cut.
#pragma once

#include "gpu/families/watershed/launching.cuh"
#include "gpu/kernels/builds.hpp"

namespace warplens::gpu::watershed {
inline namespace WARPLENS_BUILD {

template <class T>
__device__ bool isInside(const Case& of, const T* in, std::size_t pixels, std::size_t p) {
    bool inside = true;
    for (int c = 0; c < of.colours; ++c) inside = inside && static_cast<float>(in[c * pixels + p]) > of.level;
    return inside;
}

/// A thread a column: how far the nearest pixel outside lies above or below; more than any extent where there is none.
template <class T>
__global__ void away_in_columns(const T* in, Case of, unsigned* away, std::size_t pixels) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= static_cast<unsigned>(of.width) * of.depth) return;
    const std::size_t first = static_cast<std::size_t>(i / of.width) * of.height * of.width + i % of.width;
    constexpr unsigned kFar = 0xffff;
    unsigned steps = kFar;
    for (int y = 0; y < of.height; ++y) {
        const std::size_t p = first + static_cast<std::size_t>(y) * of.width;
        steps = !isInside(of, in, pixels, p) ? 0 : steps == kFar ? kFar : steps + 1;
        away[p] = steps;
    }
    for (int y = of.height - 1; y >= 0; --y) {
        const std::size_t p = first + static_cast<std::size_t>(y) * of.width;
        steps = away[p] == 0 ? 0 : steps == kFar ? kFar : steps + 1;
        if (steps < away[p]) away[p] = steps;
    }
}

/// The smallest sum of square(q) and the square of the way from `at` to q along one axis; kOutside where no q has one.
template <class Square>
__device__ unsigned leastAlong(int at, int extent, unsigned weight, Square square) {
    unsigned best = square(at);
    for (int apart = 1; apart < extent && weight * apart * apart < best; ++apart) {
        if (at - apart < 0 && at + apart >= extent) break;
        for (const int q : {at - apart, at + apart}) {
            if (q < 0 || q >= extent) continue;
            const unsigned other = square(q);
            if (other == kOutside) continue;
            const unsigned sum = other + weight * apart * apart;
            best = sum < best ? sum : best;
        }
    }
    return best;
}

/// Over a row; kOutside where the slice has nothing outside.
__global__ inline void squares(Case of, const unsigned* away, unsigned* square, unsigned pixels) {
    const unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pixels) return;
    constexpr unsigned kFar = 0xffff;
    const int x = static_cast<int>(p % of.width);
    square[p] = leastAlong(x, of.width, of.weight[0], [&](int q) {
        const unsigned steps = away[p + (q - x)];
        return steps == kFar ? kOutside : of.weight[1] * steps * steps;
    });
}

/// Over a line along z, of what the slices have.
__global__ inline void squares_through_slices(Case of, const unsigned* flat, unsigned* square, unsigned pixels) {
    const unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pixels) return;
    const int slice = of.width * of.height, z = static_cast<int>(p / slice);
    square[p] = leastAlong(z, of.depth, of.weight[2], [&](int q) { return flat[p + (q - z) * slice]; });
}

/// Of equally high pixels the first one counts as the higher, so that no way leads round.
__global__ inline void climb_once(Case of, const unsigned* square, unsigned* uphill, unsigned* peak, unsigned* united,
                                  unsigned pixels) {
    const unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pixels) return;
    unsigned best = p, height = square[p];
    if (height == 0)
        best = kOutside;
    else
        eachNeighbour(of, p, [&](unsigned q) {
            const unsigned other = square[q];
            if (other > height || (other == height && q < best)) {
                height = other;
                best = q;
            }
        });
    uphill[p] = best;
    peak[p] = best;
    united[p] = p;
}

__device__ inline unsigned rootOf(const unsigned* parents, unsigned node) {
    unsigned parent = relaxedLoad(&parents[node]);
    while (parent != node) {
        node = parent;
        parent = relaxedLoad(&parents[node]);
    }
    return node;
}

/// Makes one tree of two, whose root is the first of all.
__device__ inline void unite(unsigned* parents, unsigned a, unsigned b) {
    a = rootOf(parents, a);
    b = rootOf(parents, b);
    while (a != b) {
        const unsigned first = a < b ? a : b, second = a < b ? b : a;
        const unsigned was = atomicCAS(&parents[second], second, first);
        if (was == second) return;
        a = rootOf(parents, was);
        b = rootOf(parents, first);
    }
}

/// Two peaks are one where the pass between them lies hardly below the lower one.
__global__ inline void unite_peaks(Case of, const unsigned* square, const unsigned* peak, unsigned* united,
                                   unsigned pixels) {
    const unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pixels || square[p] == 0) return;
    const unsigned mine = peak[p];
    eachNeighbour(of, p, [&](unsigned q) {
        if (q > p || square[q] == 0 || peak[q] == mine) return;
        const unsigned lower = square[mine] < square[peak[q]] ? square[mine] : square[peak[q]];
        const unsigned pass = square[p] < square[q] ? square[p] : square[q];
        if (sqrtf(static_cast<float>(lower)) - sqrtf(static_cast<float>(pass)) <= of.tolerance)
            unite(united, mine, peak[q]);
    });
}

__global__ inline void name_regions(unsigned* peak, const unsigned* united, unsigned pixels) {
    const unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < pixels && peak[p] != kOutside) peak[p] = rootOf(united, peak[p]);
}

/// Full range where a pixel is inside, and touches no earlier region.
template <class T>
__global__ void cut(T* out, Case of, const unsigned* region, unsigned pixels) {
    const unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pixels) return;
    const unsigned mine = region[p];
    bool kept = mine != kOutside;
    if (kept) eachNeighbour(of, p, [&](unsigned q) { kept = kept && region[q] >= mine; });
    out[p] = kept ? static_cast<T>(of.full) : T(0);
}

inline void beginSteps(LaunchContext& c, const Arguments& a) {
    const auto pixels = static_cast<unsigned>(a.pixels());
    unsigned *const square = wordsAt(c, a.square), *const united = wordsAt(c, a.united);
    // Each pass writes where the one before did not, and the last one into `square`.
    unsigned *const away = a.whole ? square : united, *const flat = a.whole ? united : square;
    const Case& of = a;
    io::withSampleType(a.type, [&]<class T>(T) {
        launch(c, &away_in_columns<T>, blocksFor(static_cast<std::size_t>(a.width) * a.depth, kThreads), dim3(kThreads),
               0, static_cast<const T*>(c.address(a.input)), of, away, a.pixels());
    });
    launch(c, &squares, blocksFor(pixels, kThreads), dim3(kThreads), 0, of, away, flat, pixels);
    if (a.whole)
        launch(c, &squares_through_slices, blocksFor(pixels, kThreads), dim3(kThreads), 0, of, flat, square, pixels);
    launch(c, &climb_once, blocksFor(pixels, kThreads), dim3(kThreads), 0, of, square, wordsAt(c, a.uphill),
           wordsAt(c, a.peak), united, pixels);
}

inline void finishSteps(LaunchContext& c, const Arguments& a) {
    const auto pixels = static_cast<unsigned>(a.pixels());
    unsigned *const square = wordsAt(c, a.square), *const peak = wordsAt(c, a.peak),
                    *const united = wordsAt(c, a.united);
    const Case& of = a;
    launch(c, &unite_peaks, blocksFor(pixels, kThreads), dim3(kThreads), 0, of, square, peak, united, pixels);
    launch(c, &name_regions, blocksFor(pixels, kThreads), dim3(kThreads), 0, peak, united, pixels);
    io::withSampleType(a.type, [&]<class T>(T) {
        launch(c, &cut<T>, blocksFor(pixels, kThreads), dim3(kThreads), 0, static_cast<T*>(c.address(a.output)), of,
               peak, pixels);
    });
}

StepsEntry steps_entry() { return {.begin = &beginSteps, .finish = &finishSteps}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::watershed
