// SPDX-License-Identifier: Apache-2.0
#pragma once

// A row a block, or some lines along z: nearest sites never cross, so that what was found on either side bounds what
// lies between.

#include "gpu/families/distance/bands.cuh"

namespace warplens::gpu::distance {
inline namespace WARPLENS_BUILD {

constexpr int kStretch = 32;  ///< neighbours in a row that a warp takes together

template <class Cost>
struct Found {
    Wide<Cost> square;
    int at;
};

/// The nearest of the columns first..last from `x`, sought by a warp.
template <class Cost>
__device__ Found<Cost> nearestByWarp(const Cost* costs, Axis<Cost> along, int x, int first, int last) {
    const int lane = threadIdx.x % 32;
    Found<Cost> best{static_cast<Wide<Cost>>(costs[x]) + along(0), x};
    for (int i = first + lane; i <= last; i += 32) {
        const Wide<Cost> square = costs[i] + along(i - x);
        if (square < best.square || (square == best.square && i < best.at)) best = {square, i};
    }
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
        const Wide<Cost> square = __shfl_xor_sync(0xffffffffU, best.square, apart);
        const int at = __shfl_xor_sync(0xffffffffU, best.at, apart);
        if (square < best.square || (square == best.square && at < best.at)) best = {square, at};
    }
    return best;
}

/// Of the last pixel of every stretch the nearest column, level by level: what was found on either side bounds the
/// next.
template <class Cost>
__device__ void nearestOfStretches(const Cost* costs, std::uint16_t* nearest, int stretches, int width,
                                   Axis<Cost> along) {
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    int step = 1;
    while (2 * step <= stretches) step *= 2;
    for (; step > 0; step /= 2) {
        for (int i = (2 * warp + 1) * step - 1; i < stretches; i += 2 * step * warps) {
            const int x = lesser((i + 1) * kStretch, width) - 1;
            const int reach = along.reach(costs[x], width);
            const int first = greater(i >= step ? int{nearest[i - step]} : 0, x - reach);
            const int last = lesser(i + step < stretches ? int{nearest[i + step]} : width - 1, x + reach);
            const Found<Cost> found = nearestByWarp(costs, along, x, first, last);
            if (threadIdx.x % 32 == 0) nearest[i] = static_cast<std::uint16_t>(found.at);
        }
        __syncthreads();
    }
}

/// Lines along z that a block takes, side by side along x.
inline int linesOf(const Case& c) { return c.depth <= 1024 ? 16 : 8; }

struct DeepPolicy {
    static constexpr int kThreads = 256;
};

/// Which of a block's lines along z a thread works at, and where it lies in memory.
struct DeepLines {
    int lane, worker, workers;
    bool inside;
    std::size_t first, slice;
};
__device__ inline DeepLines deepLines(int width, int height, int depth, int lines, Start start) {
    const int lane = threadIdx.x % lines, x = blockIdx.x * lines + lane, y = start.row + blockIdx.y;
    const std::size_t slice = static_cast<std::size_t>(width) * height;
    return {
        lane,
        static_cast<int>(threadIdx.x) / lines,
        static_cast<int>(blockDim.x) / lines,
        x < width,
        static_cast<std::size_t>(start.layer + blockIdx.z) * depth * slice + static_cast<std::size_t>(y) * width + x,
        slice};
}

/// Lines along z, halved down to the single pixel; a lane has a line.
template <class Cost>
__device__ void halveDeep(const Cost* costs, std::uint16_t* nearest, Sink<Cost> out, int depth, int lines,
                          Axis<Cost> along, const DeepLines& l) {
    int step = 1;
    while (2 * step <= depth) step *= 2;
    for (; step > 0; step /= 2) {
        for (int z = (2 * l.worker + 1) * step - 1; z < depth && l.inside; z += 2 * step * l.workers) {
            const Cost own = costs[z * lines + l.lane];
            const int reach = along.reach(own, depth);
            const int from = greater(z >= step ? int{nearest[(z - step) * lines + l.lane]} : 0, z - reach);
            const int to = lesser(z + step < depth ? int{nearest[(z + step) * lines + l.lane]} : depth - 1, z + reach);
            Found<Cost> best{own, z};
            for (int i = from; i <= to; ++i) {
                const Wide<Cost> square = costs[i * lines + l.lane] + along(i - z);
                if (square < best.square || (square == best.square && i < best.at)) best = {square, i};
            }
            nearest[z * lines + l.lane] = static_cast<std::uint16_t>(best.at);
            out.store(l.first + z * l.slice, best.square);
        }
        __syncthreads();
    }
}

inline Footprint rowFootprint(const Case& c, const TunableValues& t) {
    return {.blockWidth = t.at("block_width"), .blockHeight = 1, .tileWidth = c.width, .tileHeight = 1, .staged = true};
}

/// Bands, and of a volume squares.
inline std::size_t rowScratch(const Case& c) {
    return bandBytes(c) + (c.depth > 1 ? 4 * static_cast<std::size_t>(c.values()) : 0);
}

template <class Cost>
struct RowKernels {
    void (*rows)(Bands, Sink<Cost>, Axis<Cost>, Axis<Cost>, Start);
    void (*deep)(const Cost*, Sink<Cost>, int, int, int, int, Axis<Cost>, Start);
};

/// Bands, rows, and of a volume lines along z. `kernelsOf(Cost{})` are what works on the last two, `shared` what a
/// block of them takes.
template <class F>
void launchByRows(LaunchContext& c, const Arguments& a, const TunableValues& t, std::size_t (*shared)(const Case&),
                  F kernelsOf) {
    const Bands b = launchBands(c, a);
    dispatch(a, [&]<class Cost>(Cost cost) {
        const RowKernels<Cost> kernels = kernelsOf(cost);
        auto* const between = reinterpret_cast<Cost*>(static_cast<std::byte*>(c.address(a.scratch)) + bandBytes(a));
        const Sink<Cost> result = resultOf<Cost>(c, a);
        const Sink<Cost> rows = a.depth > 1 ? Sink<Cost>{between, Sink<Cost>::Form::between} : result;
        forTiles(a, a.width, 1, 64, [&](const dim3& grid, Start start) {
            launch(c, kernels.rows, grid, dim3(static_cast<unsigned>(t.at("block_width"))), shared({.width = a.width}),
                   b, rows, axisOf<Cost>(a, 0), axisOf<Cost>(a, 1), start);
        });
        if (a.depth == 1) return;
        const int lines = linesOf(a);
        const Case channels{.width = a.width, .height = a.height, .depth = 1, .channels = a.channels};
        forTiles(channels, lines, 1, 64.0 * a.depth, [&](const dim3& grid, Start start) {
            launch(c, kernels.deep, grid, dim3(DeepPolicy::kThreads), shared({.depth = a.depth}),
                   static_cast<const Cost*>(between), result, a.width, a.height, a.depth, lines, axisOf<Cost>(a, 2),
                   start);
        });
    });
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::distance
