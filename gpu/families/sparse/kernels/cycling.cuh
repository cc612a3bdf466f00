// SPDX-License-Identifier: Apache-2.0
// Idea: the smooth part of an error is solved for on grids of half the extents, again and again halved.
// Changed from solving: a cycle moves a value across the whole picture; a sweep of Jacobi's moves it one pixel.
// Needs: weights between coarse cells: half of those of the edges across, since cells are twice as far apart.
// Block: 256 threads, a cell each; blockIdx.y is the channel.
// Source: Briggs, Henson and McCormick, A Multigrid Tutorial, 2nd ed.; weights across a mask's border our own.
// Look at: all coarser grids together have a third of the picture's cells, and most of the launches.
#pragma once

#include "gpu/families/sparse/launching.cuh"
#include "gpu/families/sparse/solving.hpp"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

constexpr int kCycleThreads = 256;

/// A grid's extents and weights; the picture has a mask, and weights of 1
/// between pixels.
template <class V>
struct Cells {
    int width, height, depth;
    const unsigned char* inside;
    const V* weights;

    __device__ std::int64_t count() const { return std::int64_t{width} * height * depth; }
    __device__ int slice() const { return width * height; }
    __device__ bool holds(int i) const { return inside != nullptr ? inside[i] != 0 : weights[i] > 0; }
    /// To the next cell along an axis (1: right, 2: below, 3: behind), where
    /// there is one; `apart` cells further.
    __device__ V weight(int i, int axis, int apart) const {
        if (inside != nullptr) return inside[i] != 0 && inside[i + apart] != 0 ? V{1} : V{0};
        return weights[axis * count() + i];
    }
};

struct Cell {
    int i, x, y, z;
};
template <class V>
__device__ Cell cellOf(const Cells<V>& g, int i) {
    return {i, i % g.width, i / g.width % g.height, i / g.slice()};
}

/// Calls f(neighbour, weight) for the cells beside one. On the picture what is
/// not unknown is zero, and weighs as much.
template <class V, class F>
__device__ void forWeights(const Cells<V>& g, const Cell& c, F f) {
    const std::int64_t n = g.count();
    const bool fine = g.inside != nullptr;
    const auto weight = [&](int axis, int i) { return fine ? V{1} : g.weights[axis * n + i]; };
    if (c.x > 0) f(c.i - 1, weight(1, c.i - 1));
    if (c.x + 1 < g.width) f(c.i + 1, weight(1, c.i));
    if (c.y > 0) f(c.i - g.width, weight(2, c.i - g.width));
    if (c.y + 1 < g.height) f(c.i + g.width, weight(2, c.i));
    if (c.z > 0) f(c.i - g.slice(), weight(3, c.i - g.slice()));
    if (c.z + 1 < g.depth) f(c.i + g.slice(), weight(3, c.i));
}

/// b - A u of a cell, and its diagonal.
template <class V>
__device__ V residualOf(const Cells<V>& g, const Cell& c, const V* b, const V* u, V& diagonal) {
    V others = 0, neighbours = 0;
    const bool zero = u == nullptr;
    forWeights(g, c, [&](int at, V weight) {
        neighbours += weight;
        if (!zero) others += weight * u[at];
    });
    diagonal = g.inside != nullptr ? neighbours : g.weights[c.i];
    return zero ? b[c.i] : b[c.i] - diagonal * u[c.i] + others;
}

template <class V>
__global__ void relaxCells(Cells<V> g, const V* b, const V* u, V* to, V weight) {
    const std::int64_t i = threadOfGrid(), first = blockIdx.y * g.count();
    if (i >= g.count()) return;
    const Cell c = cellOf(g, static_cast<int>(i));
    V value = 0;
    if (g.holds(c.i)) {
        V diagonal = 1;
        const V left = residualOf(g, c, b + first, u == nullptr ? u : u + first, diagonal);
        value = (u == nullptr ? V{0} : u[first + i]) + weight * left / diagonal;
    }
    to[first + i] = value;
}

constexpr int kQuadRows = 4;

/// The same on a picture whose rows are whole quads: four cells of four rows a thread.
template <class V>
__global__ void relaxQuads(Cells<V> g, const V* b, const V* u, V* to, V weight) {
    const int x = 4 * (blockIdx.x * kCycleThreads + threadIdx.x);
    if (x >= g.width) return;
    const auto load = [](const V* from) { return *reinterpret_cast<const float4*>(from); };
    const float4 none{0, 0, 0, 0};
    const bool zero = u == nullptr;
    const int first = blockIdx.y * kQuadRows;
    const std::int64_t place = std::int64_t{first} * g.width + x, at = blockIdx.z * g.count() + place;
    const unsigned char* inside = g.inside + place;
    b += at;
    to += at;
    if (!zero) u += at;
    float4 above = zero || first == 0 ? none : load(u - g.width), here = zero ? none : load(u);
#pragma unroll
    for (int k = 0; k < kQuadRows; ++k, b += g.width, to += g.width, inside += g.width) {
        const int y = first + k;
        if (y >= g.height) break;
        const float4 right = load(b);
        const unsigned holds = *reinterpret_cast<const unsigned*>(inside);
        const float4 below = zero || y + 1 == g.height ? none : load(u + g.width);
        const V before = zero || x == 0 ? 0 : u[-1], after = zero || x + 4 >= g.width ? 0 : u[4];
        const V down = static_cast<V>((y > 0) + (y + 1 < g.height)), middle = down + 2;
        const V left = down + static_cast<V>((x > 0) + 1), last = down + static_cast<V>(1 + (x + 4 < g.width));
        const auto relaxed = [&](unsigned cell, V value, V given, V diagonal, V others) {
            const V moved = value + weight * (given - diagonal * value + others) / diagonal;
            return holds >> (8 * cell) & 0xffU ? moved : V{0};
        };
        *reinterpret_cast<float4*>(to) =
            make_float4(relaxed(0, here.x, right.x, left, above.x + below.x + before + here.y),
                        relaxed(1, here.y, right.y, middle, above.y + below.y + here.x + here.z),
                        relaxed(2, here.z, right.z, middle, above.z + below.z + here.y + here.w),
                        relaxed(3, here.w, right.w, last, above.w + below.w + here.z + after));
        if (zero) continue;
        u += g.width;
        above = here;
        here = below;
    }
}

template <class V>
__global__ void restrictCells(Cells<V> fine, const V* b, const V* u, Cells<V> coarse, V* to) {
    const std::int64_t i = threadOfGrid();
    if (i >= coarse.count()) return;
    const Cell c = cellOf(coarse, static_cast<int>(i));
    const std::int64_t first = blockIdx.y * fine.count();
    V sum = 0;
    for (int z = 2 * c.z; z < fine.depth && z < 2 * c.z + 2; ++z)
        for (int y = 2 * c.y; y < fine.height && y < 2 * c.y + 2; ++y)
            for (int x = 2 * c.x; x < fine.width && x < 2 * c.x + 2; ++x) {
                const Cell part{z * fine.slice() + y * fine.width + x, x, y, z};
                V diagonal = 1;
                if (fine.holds(part.i))
                    sum += residualOf(fine, part, b + first, u == nullptr ? u : u + first, diagonal);
            }
    to[blockIdx.y * coarse.count() + i] = sum;
}

/// The same of a picture whose rows are whole quads: four cells of four rows a thread, which make two of two.
template <class V>
__global__ void restrictQuads(Cells<V> fine, const V* b, const V* u, Cells<V> coarse, V* to) {
    const int x = 4 * (blockIdx.x * kCycleThreads + threadIdx.x);
    if (x >= fine.width) return;
    const auto load = [](const V* from) { return *reinterpret_cast<const float4*>(from); };
    const float4 none{0, 0, 0, 0};
    const bool zero = u == nullptr;
    const int first = blockIdx.y * kQuadRows;
    const std::int64_t place = std::int64_t{first} * fine.width + x, at = blockIdx.z * fine.count() + place;
    const unsigned char* inside = fine.inside + place;
    b += at;
    if (!zero) u += at;
    to += blockIdx.z * coarse.count() + std::int64_t{first / 2} * coarse.width + x / 2;
    float4 above = zero || first == 0 ? none : load(u - fine.width), here = zero ? none : load(u);
    V left = 0, right = 0;
#pragma unroll
    for (int k = 0; k < kQuadRows; ++k, b += fine.width, inside += fine.width) {
        const int y = first + k;
        if (y >= fine.height) break;
        const float4 given = load(b);
        const unsigned holds = *reinterpret_cast<const unsigned*>(inside);
        const float4 below = zero || y + 1 == fine.height ? none : load(u + fine.width);
        const V before = zero || x == 0 ? 0 : u[-1], after = zero || x + 4 >= fine.width ? 0 : u[4];
        const V down = static_cast<V>((y > 0) + (y + 1 < fine.height)), middle = down + 2;
        const V begin = down + static_cast<V>((x > 0) + 1), end = down + static_cast<V>(1 + (x + 4 < fine.width));
        const auto residual = [&](unsigned cell, V value, V wanted, V diagonal, V others) {
            return holds >> (8 * cell) & 0xffU ? wanted - diagonal * value + others : V{0};
        };
        left += residual(0, here.x, given.x, begin, above.x + below.x + before + here.y) +
                residual(1, here.y, given.y, middle, above.y + below.y + here.x + here.z);
        right += residual(2, here.z, given.z, middle, above.z + below.z + here.y + here.w) +
                 residual(3, here.w, given.w, end, above.w + below.w + here.z + after);
        if (k % 2 == 1 || y + 1 == fine.height) {
            *reinterpret_cast<float2*>(to) = float2{left, right};
            to += coarse.width;
            left = right = 0;
        }
        if (zero) continue;
        u += fine.width;
        above = here;
        here = below;
    }
}

/// Three quarters of the cell that a finer one lies in and one of the next,
/// along each axis.
template <class V>
__global__ void prolongCells(Cells<V> coarse, const V* from, Cells<V> fine, V* u) {
    const std::int64_t i = threadOfGrid();
    if (i >= fine.count()) return;
    const Cell c = cellOf(fine, static_cast<int>(i));
    if (!fine.holds(c.i)) return;
    const V* const values = from + blockIdx.y * coarse.count();
    // At the picture's own edge there is no other side.
    const auto beside = [](int at, int n) {
        const int next = at % 2 == 0 ? at / 2 - 1 : at / 2 + 1;
        return next < 0 ? 0 : next >= n ? n - 1 : next;
    };
    const int x[2] = {c.x / 2, beside(c.x, coarse.width)}, y[2] = {c.y / 2, beside(c.y, coarse.height)};
    const int z[2] = {c.z / 2, beside(c.z, coarse.depth)};
    V sum = 0;
    for (int k = 0; k < (coarse.depth > 1 ? 2 : 1); ++k) {
        V slice = 0;
        for (int j = 0; j < 2; ++j) {
            const V* const row = values + z[k] * coarse.slice() + y[j] * coarse.width;
            slice += (j == 0 ? V(0.75) : V(0.25)) * (V(0.75) * row[x[0]] + V(0.25) * row[x[1]]);
        }
        sum += (coarse.depth == 1 ? V{1} : k == 0 ? V(0.75) : V(0.25)) * slice;
    }
    u[blockIdx.y * fine.count() + i] += sum;
}

/// The same where rows are whole quads: four cells of four rows a thread.
template <class V>
__global__ void prolongQuads(Cells<V> coarse, const V* from, Cells<V> fine, V* u) {
    const int x = 4 * (blockIdx.x * kCycleThreads + threadIdx.x), first = blockIdx.y * kQuadRows;
    if (x >= fine.width) return;
    // Of a coarse row, at the four cells' columns. At the picture's own edge there is no other side.
    const V* const values = from + blockIdx.z * coarse.count() + x / 2;
    const bool atBegin = x == 0, atEnd = x + 4 >= fine.width;
    const auto along = [&](int y) {
        const int inside = y < 0 ? 0 : y < coarse.height ? y : coarse.height - 1;
        const V* const row = values + inside * coarse.width;
        const float2 own = *reinterpret_cast<const float2*>(row);
        const V before = atBegin ? own.x : row[-1], after = atEnd ? own.y : row[2];
        return make_float4(V(0.75) * own.x + V(0.25) * before, V(0.75) * own.x + V(0.25) * own.y,
                           V(0.75) * own.y + V(0.25) * own.x, V(0.75) * own.y + V(0.25) * after);
    };
    const float4 rows[4] = {along(first / 2 - 1), along(first / 2), along(first / 2 + 1), along(first / 2 + 2)};
    const std::int64_t place = std::int64_t{first} * fine.width + x;
    u += blockIdx.z * fine.count() + place;
#pragma unroll
    for (int k = 0; k < kQuadRows; ++k) {
        if (first + k >= fine.height) break;
        const std::int64_t row = std::int64_t{k} * fine.width;
        const float4 &own = rows[1 + k / 2], &beside = rows[k / 2 + (k % 2 == 0 ? 0 : 2)];
        float4 sum = *reinterpret_cast<const float4*>(u + row);
        bool holds[4];
        if (fine.inside != nullptr) {
            const unsigned bytes = *reinterpret_cast<const unsigned*>(fine.inside + place + row);
            for (int i = 0; i < 4; ++i) holds[i] = (bytes >> (8 * i) & 0xffU) != 0;
        } else {
            const float4 diagonals = *reinterpret_cast<const float4*>(fine.weights + place + row);
            holds[0] = diagonals.x > 0;
            holds[1] = diagonals.y > 0;
            holds[2] = diagonals.z > 0;
            holds[3] = diagonals.w > 0;
        }
        if (holds[0]) sum.x += V(0.75) * own.x + V(0.25) * beside.x;
        if (holds[1]) sum.y += V(0.75) * own.y + V(0.25) * beside.y;
        if (holds[2]) sum.z += V(0.75) * own.z + V(0.25) * beside.z;
        if (holds[3]) sum.w += V(0.75) * own.w + V(0.25) * beside.w;
        *reinterpret_cast<float4*>(u + row) = sum;
    }
}

/// The part of a diagonal that holds a cell to what is known.
template <class V>
__device__ V heldOf(const Cells<V>& g, const Cell& c) {
    V neighbours = 0, unknown = 0;
    forWeights(g, c, [&](int at, V weight) {
        neighbours += weight;
        if (g.holds(at)) unknown += weight;
    });
    const V hold = (g.inside != nullptr ? neighbours : g.weights[c.i]) - unknown;
    return hold > 0 ? hold : V{0};
}

/// A coarse cell's weights to the right, below and behind, and what holds it.
/// Its diagonal comes of all: see addDiagonals().
template <class V>
__global__ void coarsenCells(Cells<V> fine, Cells<V> coarse, V* weights, V held) {
    const std::int64_t i = threadOfGrid(), n = coarse.count();
    if (i >= n) return;
    const Cell c = cellOf(coarse, static_cast<int>(i));
    V hold = 0, right = 0, below = 0, behind = 0;
    bool any = false;
    for (int z = 2 * c.z; z < fine.depth && z < 2 * c.z + 2; ++z)
        for (int y = 2 * c.y; y < fine.height && y < 2 * c.y + 2; ++y)
            for (int x = 2 * c.x; x < fine.width && x < 2 * c.x + 2; ++x) {
                const Cell part{z * fine.slice() + y * fine.width + x, x, y, z};
                if (!fine.holds(part.i)) continue;
                any = true;
                hold += heldOf(fine, part);
                if (x % 2 == 1 && x + 1 < fine.width) right += fine.weight(part.i, 1, 1);
                if (y % 2 == 1 && y + 1 < fine.height) below += fine.weight(part.i, 2, fine.width);
                if (z % 2 == 1 && z + 1 < fine.depth) behind += fine.weight(part.i, 3, fine.slice());
            }
    // A cell that nothing holds still is one: its diagonal will be above zero.
    weights[i] = any ? held * hold + V(1e-20) : V{0};
    weights[n + i] = right / 2;
    weights[2 * n + i] = below / 2;
    weights[3 * n + i] = behind / 2;
}

/// diagonals = holds + the weights to all sides.
template <class V>
__global__ void addDiagonals(Cells<V> g, V* diagonals) {
    const std::int64_t i = threadOfGrid();
    if (i >= g.count()) return;
    const V hold = diagonals[i];
    if (!(hold > 0)) return;
    V sum = hold;
    const std::int64_t n = g.count();
    const Cell c = cellOf(g, static_cast<int>(i));
    if (c.x > 0) sum += g.weights[n + i - 1];
    if (c.x + 1 < g.width) sum += g.weights[n + i];
    if (c.y > 0) sum += g.weights[2 * n + i - g.width];
    if (c.y + 1 < g.height) sum += g.weights[2 * n + i];
    if (c.z > 0) sum += g.weights[3 * n + i - g.slice()];
    if (c.z + 1 < g.depth) sum += g.weights[3 * n + i];
    diagonals[i] = sum;
}

inline Cells<float> cellsOf(LaunchContext& c, const CycleGrid& g) {
    return {g.width, g.height, g.depth,
            g.inside == 0 ? nullptr : static_cast<const unsigned char*>(c.address(g.inside)),
            g.weights == 0 ? nullptr : static_cast<const float*>(c.address(g.weights))};
}
inline dim3 cycleGridOf(const CycleGrid& g, int channels) {
    return {blocksOf(g.cells(), kCycleThreads), static_cast<unsigned>(channels)};
}
inline float* valuesOf(LaunchContext& c, std::uint64_t handle) {
    return handle == 0 ? nullptr : static_cast<float*>(c.address(handle));
}

inline void launchCoarsen(LaunchContext& c, const CycleGrid& fine, const CycleGrid& coarse, float held) {
    float* const weights = valuesOf(c, coarse.weights);
    launch(c, &coarsenCells<float>, cycleGridOf(coarse, 1), dim3(kCycleThreads), 0, cellsOf(c, fine),
           cellsOf(c, coarse), weights, held);
    launch(c, &addDiagonals<float>, cycleGridOf(coarse, 1), dim3(kCycleThreads), 0, cellsOf(c, coarse), weights);
}
/// Whether rows are whole quads, a thread each; and the grid then.
inline bool inQuads(const CycleGrid& g) {
    constexpr int kMostRows = 65535 * kQuadRows;
    return g.depth == 1 && g.width % 4 == 0 && g.height <= kMostRows;
}
inline dim3 quadsOf(const CycleGrid& g) {
    return {blocksOf(g.width / 4, kCycleThreads), blocksOf(g.height, kQuadRows), static_cast<unsigned>(g.channels)};
}

inline void launchRelaxCells(LaunchContext& c, const CycleGrid& g, std::uint64_t b, std::uint64_t u, std::uint64_t to,
                             float weight) {
    if (g.inside != 0 && inQuads(g))
        return launch(c, &relaxQuads<float>, quadsOf(g), dim3(kCycleThreads), 0, cellsOf(c, g), valuesOf(c, b),
                      valuesOf(c, u), valuesOf(c, to), weight);
    launch(c, &relaxCells<float>, cycleGridOf(g, g.channels), dim3(kCycleThreads), 0, cellsOf(c, g), valuesOf(c, b),
           valuesOf(c, u), valuesOf(c, to), weight);
}
inline void launchRestrict(LaunchContext& c, const CycleGrid& fine, std::uint64_t b, std::uint64_t u,
                           const CycleGrid& coarse, std::uint64_t to) {
    if (fine.inside != 0 && inQuads(fine))
        return launch(c, &restrictQuads<float>, quadsOf(fine), dim3(kCycleThreads), 0, cellsOf(c, fine), valuesOf(c, b),
                      valuesOf(c, u), cellsOf(c, coarse), valuesOf(c, to));
    launch(c, &restrictCells<float>, cycleGridOf(coarse, coarse.channels), dim3(kCycleThreads), 0, cellsOf(c, fine),
           valuesOf(c, b), valuesOf(c, u), cellsOf(c, coarse), valuesOf(c, to));
}
inline void launchProlong(LaunchContext& c, const CycleGrid& coarse, std::uint64_t from, const CycleGrid& fine,
                          std::uint64_t u) {
    if (inQuads(fine))
        return launch(c, &prolongQuads<float>, quadsOf(fine), dim3(kCycleThreads), 0, cellsOf(c, coarse),
                      valuesOf(c, from), cellsOf(c, fine), valuesOf(c, u));
    launch(c, &prolongCells<float>, cycleGridOf(fine, fine.channels), dim3(kCycleThreads), 0, cellsOf(c, coarse),
           valuesOf(c, from), cellsOf(c, fine), valuesOf(c, u));
}

CyclingEntry cycling_entry() {
    return {.coarsen = &launchCoarsen,
            .relax = &launchRelaxCells,
            .restricted = &launchRestrict,
            .prolong = &launchProlong};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
