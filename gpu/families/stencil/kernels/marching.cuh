// SPDX-License-Identifier: Apache-2.0
// Idea: a thread takes four cells of a row at once and marches; neighbours come from registers and from the cache.
// Changed from register_tiled: no shared memory, no barrier, no idle halo; 16-byte loads where rows are aligned.
// Needs: a 2D or 3D pattern, any extent; rows that 4 does not divide are padded, or loaded cell by cell where steps are
// compared.
// Block: block_width x block_height threads, no shared memory; 4 cells per thread of each of its slices, in 2D rows.
// Source: Micikevicius, 3D finite difference computation on GPUs, GPGPU-2 2009, the march without the tile; re-derived.
// Look at: the two single loads, left and right: all else arrives four cells at a time.
#pragma once

#include "gpu/families/stencil/vectors.cuh"

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

struct MarchingPolicy {
    static constexpr int kCells = 4;  ///< a thread has of a row: one 16-byte load
    /// Slices asked for before they are needed; more take registers and gain nothing (measurements.md).
    static constexpr int kAhead = 2;
};
constexpr int kCells = MarchingPolicy::kCells;

/// A star marches in z, a cross in y.
template <Pattern P, bool Wide, bool Whole>
__global__ void marching(FieldOf<Whole> f, Weights k, int planes) {
    constexpr bool k3D = P == Pattern::star;
    constexpr int kAhead = MarchingPolicy::kAhead;
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * kCells;
    const int line = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = k3D ? line : blockIdx.z;
    const int first = k3D ? f.from() + blockIdx.z * planes : line * planes;
    const int end = k3D ? f.depth : f.height;
    const int last = least(first + planes, k3D ? f.to() : end);
    if (x >= f.width || first >= end || (k3D && column >= f.height)) return;

    const std::ptrdiff_t pitch = f.rowPitch(), stride = k3D ? f.slicePitch() : pitch;
    const std::size_t start = k3D ? f.index(0, column, 0) : f.index(0, 0, column);
    const float* in = f.in + start;
    float* out = f.out + start;
    // At the rim a cell stands for the neighbour that is missing: what keeps its value needs none.
    const std::ptrdiff_t up = k3D && column > 0 ? -pitch : 0, down = k3D && column < f.height - 1 ? pitch : 0;
    const int left = x > 0 ? x - 1 : x, right = x + kCells < f.width ? x + kCells : x;
    const bool onFace = k3D && (column == 0 || column == f.height - 1);
    const unsigned faces = onFace ? (1U << kCells) - 1 : faceCells<kCells>(x, f.width);
    const int farthest = least(last, end - 1);
    const auto load = [&](int step) {
        return loadCells<kCells>(in + least(most(step, 0), farthest) * stride, x, f.width, Wide);
    };

    auto before = load(first - 1), here = load(first);
    Cells<kCells> ahead[kAhead];
#pragma unroll
    for (int a = 0; a < kAhead; ++a) ahead[a] = load(first + 1 + a);
    for (int turn = first; turn < last; turn += kAhead) {
#pragma unroll
        for (int a = 0; a < kAhead; ++a) {
            const int step = turn + a;
            if (step >= last) break;
            const float* row = in + step * stride;
            const auto after = ahead[a];
            ahead[a] = load(step + 1 + kAhead);
            Cells<kCells> above{}, below{};
            if constexpr (k3D) {
                above = loadCells<kCells>(row + up, x, f.width, Wide);
                below = loadCells<kCells>(row + down, x, f.width, Wide);
            }
            const float cellLeft = row[left], cellRight = row[right];
            unsigned kept = step == 0 || step == end - 1 ? (1U << kCells) - 1 : faces;
            if (f.held.count > 0) kept |= heldCells<kCells>(f.held, x, k3D ? column : step, k3D ? step : column);
            auto result = here;
#pragma unroll
            for (int i = 0; i < kCells; ++i) {
                const float west = i > 0 ? here.v[i > 0 ? i - 1 : 0] : cellLeft;
                const float east = i < kCells - 1 ? here.v[i < kCells - 1 ? i + 1 : i] : cellRight;
                float sum;
                if constexpr (k3D) {
                    sum = starSum(k, here.v[i], west, east, above.v[i], below.v[i], before.v[i], after.v[i]);
                } else {
                    sum = crossSum(k, here.v[i], west, east, before.v[i], after.v[i]);
                }
                if (!(kept >> i & 1U)) result.v[i] = sum;
            }
            streamCells<kCells>(out + step * stride, x, f.width, Wide, result);
            before = here;
            here = after;
        }
    }
}

/// Every slice that arrives adds to three sums a cell: of the slice before, its own and the next; the first is then
/// complete.
template <bool Wide, bool Whole>
__global__ void marching_box(FieldOf<Whole> f, Weights k, int planes) {
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * kCells;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int first = f.from() + blockIdx.z * planes;
    const int last = least(first + planes, f.to());
    if (x >= f.width || y >= f.height) return;
    const int left = x > 0 ? x - 1 : x, right = x + kCells < f.width ? x + kCells : x;

    Cells<kCells> done{}, half{}, before{};
    for (int z = first - 1; z <= last; ++z) {
        Cells<kCells> begun{}, here{};
        if (z >= 0 && z < f.depth) {
#pragma unroll
            for (int j = 0; j < 3; ++j) {
                const float* row = f.in + f.index(0, least(most(y + j - 1, 0), f.height - 1), z);
                const auto cells = loadCells<kCells>(row, x, f.width, Wide);
                const float around[kCells + 2] = {row[left],  cells.v[0], cells.v[1],
                                                  cells.v[2], cells.v[3], row[right]};
#pragma unroll
                for (int i = 0; i < kCells; ++i) {
#pragma unroll
                    for (int d = 0; d < 3; ++d) {
                        begun.v[i] = fmaf(k.c[3 * j + d], around[i + d], begun.v[i]);
                        half.v[i] = fmaf(k.c[9 + 3 * j + d], around[i + d], half.v[i]);
                        done.v[i] = fmaf(k.c[18 + 3 * j + d], around[i + d], done.v[i]);
                    }
                }
                if (j == 1) here = cells;
            }
        }
        if (z > first) {
#pragma unroll
            for (int i = 0; i < kCells; ++i) {
                if (keeps<Pattern::box>(f, x + i, y, z - 1)) done.v[i] = before.v[i];
            }
            streamCells<kCells>(f.out + f.index(0, y, z - 1), x, f.width, Wide, done);
        }
        done = half;
        half = begun;
        before = here;
    }
}

inline std::array<int, 3> marchingBlock(const TunableValues& t, Pattern) {
    return {t.at("block_width"), t.at("block_height"), 1};
}

inline const char* marchingRefusal(const TunableValues&, Pattern p) {
    return p == Pattern::line ? "a 1D stencil leaves no axis to march along" : nullptr;
}

template <bool Wide, bool Whole>
void launchMarchingBy(LaunchContext& c, const Pass& p, const TunableValues& t, const FieldOf<Whole>& f) {
    const dim3 block(t.at("block_width"), t.at("block_height"));
    const int planes = t.at("planes_per_block"), rows = t.at("rows_per_thread");
    const unsigned columns = ceilDiv(f.width, block.x * kCells);
    const dim3 volume(columns, ceilDiv(f.height, block.y), ceilDiv(f.to() - f.from(), planes));
    const dim3 pictures(columns, ceilDiv(f.height, block.y * rows), f.depth);
    switch (p.op->pattern) {
        case Pattern::star:
            return launch(c, &marching<Pattern::star, Wide, Whole>, volume, block, 0, f, weightsOf(*p.op), planes);
        case Pattern::box: return launch(c, &marching_box<Wide, Whole>, volume, block, 0, f, weightsOf(*p.op), planes);
        default:
            return launch(c, &marching<Pattern::cross, Wide, Whole>, pictures, block, 0, f, weightsOf(*p.op), rows);
    }
}

inline void launchMarching(LaunchContext& c, const Pass& p, const TunableValues& t) {
    forEitherField(c, p, [&](const auto& f) {
        rowsAligned<kCells>(f) ? launchMarchingBy<true>(c, p, t, f) : launchMarchingBy<false>(c, p, t, f);
    });
}

inline Footprint marchingFootprint(const TunableValues& t, Pattern p) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w * kCells,
            .tileHeight = reachZ(p) > 0 ? h : h * t.at("rows_per_thread"),
            .haloX = 1,
            .haloY = 1,
            .haloThroughCache = true};
}

KernelEntry marching_entry() {
    return {.launch = &launchMarching,
            .footprint = &marchingFootprint,
            .block = &marchingBlock,
            .refusal = &marchingRefusal,
            .takesSlices = true,
            // Rounds end when the last block does: on two and four GPUs shorter blocks win more than they read twice.
            .planesWhenShared = 4};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
