// SPDX-License-Identifier: Apache-2.0
#pragma once

// Several steps of a 3D star in one pass: the block marches in z, every level of time one slice behind the one before.

#include "gpu/families/stencil/vectors.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

constexpr int kWarp = 32;
constexpr int kPair = 2;  ///< cells of a row that a thread has

/// Steps rounded up so that a tile begins at a whole vector of cells.
__host__ __device__ constexpr int haloOf(int steps, int cells) { return (steps + cells - 1) / cells * cells; }

/// The uppermost and lowermost rows that the threads of a warp have of a slice, for the warps above and below: two
/// buffers, so that one barrier a slice is enough.
template <int T, int R, int Warps>
struct SharedRows {
    static constexpr int kEdges = R > 1 ? 2 : 1;
    int warps;  ///< Warps, or how many there are where that is 0

    __device__ SharedRows() : warps(Warps > 0 ? Warps : static_cast<int>(blockDim.y)) {}

    __device__ float* at(int buffer, int level, int warp, int edge) const {
        return dynamicShared + ((((buffer * T + level) * warps + warp) * kEdges + edge) * kWarp + threadIdx.x) * kPair;
    }
    __device__ void put(int buffer, int level, const Cells<kPair> (&rows)[R]) const {
        storeCells<kPair>(at(buffer, level, threadIdx.y, 0), 0, kPair, true, rows[0]);
        if (R > 1) storeCells<kPair>(at(buffer, level, threadIdx.y, kEdges - 1), 0, kPair, true, rows[R - 1]);
    }
    /// The lowermost row of the warp above, the uppermost of the warp below; at the rim one's own, which no result
    /// needs.
    __device__ Cells<kPair> above(int buffer, int level) const {
        return loadCells<kPair>(at(buffer, level, most(static_cast<int>(threadIdx.y) - 1, 0), kEdges - 1), 0, kPair,
                                true);
    }
    __device__ Cells<kPair> below(int buffer, int level) const {
        return loadCells<kPair>(at(buffer, level, least(static_cast<int>(threadIdx.y) + 1, warps - 1), 0), 0, kPair,
                                true);
    }
};

/// Where a thread's cells lie in its block's tile and in the field.
struct VolumePlace {
    int x, y;         ///< of its first cell; may lie outside the field
    int first, last;  ///< slices that the block writes: last excluded
    int row, rows;    ///< of its first cell in the tile, and the tile's
    bool writes;      ///< whether its columns are the block's to write
};

/// T steps; a thread has 2 cells of R rows. Values of a level are right one cell further inside the tile than its
/// predecessor's. A tile that touches no face, knows no region and has aligned rows (Rim false) asks about the first
/// and last slice only.
template <int T, int R, int Warps, bool Rim, bool Whole>
__device__ void marchColumn(const FieldOf<Whole>& f, const Weights& k, const VolumePlace& p, bool aligned) {
    const bool wide = !Rim || Warps > 0 || aligned;
    const SharedRows<T, R, Warps> shared;
    // Slices are the block's, places in a slice the thread's: one register instead of a pointer each.
    const int place = p.y * f.pitch() + p.x;
    const std::ptrdiff_t pitch = f.slicePitch();
    // What is asked in every turn, in one register: a bit each for cells on a face, rows that are there, rows to write.
    constexpr int kRows = kPair * R, kWritten = kRows + R;
    unsigned known = 0;
#pragma unroll
    for (int r = 0; r < R; ++r) {
        const int y = p.y + r;
        if (Rim && (y <= 0 || y >= f.height - 1)) known |= 3U << (kPair * r);
        if (Rim) known |= faceCells<kPair>(p.x, f.width) << (kPair * r);
        if (!Rim || (p.x >= 0 && p.x < f.width && y >= 0 && y < f.height)) known |= 1U << (kRows + r);
        const bool inTile = p.row + r >= T && p.row + r < p.rows - T && (!Rim || y < f.height);
        if (p.writes && inTile) known |= 1U << (kWritten + r);
    }
    const auto load = [&](int z, Cells<kPair>(&cells)[R]) {
        const float* const slice = f.in + z * pitch;
#pragma unroll
        for (int r = 0; r < R; ++r) {
            cells[r] = {};
            if (z < f.depth && (!Rim || known >> (kRows + r) & 1U)) {
                cells[r] = wide ? loadCells<kPair>(slice + place + r * f.pitch(), 0, kPair, true)
                                : loadCells<kPair>(slice + (p.y + r) * f.pitch(), p.x, f.width, false);
            }
        }
    };

    // Of level t: here[t] is slice z - 1 - t, before[t] the one below it.
    Cells<kPair> before[T][R] = {}, here[T][R] = {};
    const int begin = most(p.first - T, 0);
#pragma unroll
    for (int t = 0; t < T; ++t) shared.put(0, t, here[t]);
    Cells<kPair> arriving[R];
    load(begin, arriving);
    __syncthreads();  // the shared rows hold something everywhere

#pragma unroll 1
    for (int z0 = begin; z0 < p.last + T; z0 += 2) {
        // Or the compiler unpacks the word before the loop, into registers that there are not.
        asm volatile("" : "+r"(known));
#pragma unroll
        for (int buffer = 0; buffer < 2; ++buffer) {
            const int z = z0 + buffer;
            Cells<kPair> next[R];
#pragma unroll
            for (int r = 0; r < R; ++r) next[r] = arriving[r];
            load(z + 1, arriving);  // asked for now, needed in the next turn
#pragma unroll
            for (int t = 0; t < T; ++t) {
                const int slice = z - 1 - t;
                const bool onFace = slice <= 0 || slice >= f.depth - 1;
                const auto above = shared.above(buffer, t), below = shared.below(buffer, t);
                shared.put(buffer ^ 1, t, next);
                Cells<kPair> result[R];
#pragma unroll
                for (int r = 0; r < R; ++r) {
                    const auto cells = here[t][r];
                    const auto up = r > 0 ? here[t][r > 0 ? r - 1 : 0] : above;
                    const auto down = r < R - 1 ? here[t][r < R - 1 ? r + 1 : r] : below;
                    const float left = __shfl_up_sync(0xffffffffU, cells.v[1], 1);
                    const float right = __shfl_down_sync(0xffffffffU, cells.v[0], 1);
                    unsigned kept = onFace ? 3U : 0U;
                    if (Rim) {
                        kept |= known >> (kPair * r);
                        if (Warps == 0 && f.held.count > 0) kept |= heldCells<kPair>(f.held, p.x, p.y + r, slice);
                    }
                    const float sum0 =
                        starSum(k, cells.v[0], left, cells.v[1], up.v[0], down.v[0], before[t][r].v[0], next[r].v[0]);
                    const float sum1 =
                        starSum(k, cells.v[1], cells.v[0], right, up.v[1], down.v[1], before[t][r].v[1], next[r].v[1]);
                    result[r].v[0] = kept & 1U ? cells.v[0] : sum0;
                    result[r].v[1] = kept & 2U ? cells.v[1] : sum1;
                }
#pragma unroll
                for (int r = 0; r < R; ++r) {
                    before[t][r] = here[t][r];
                    here[t][r] = next[r];
                    next[r] = result[r];
                }
            }
            const int slice = z - T;
            if (slice >= p.first && slice < p.last) {
                float* const to = f.out + slice * pitch;
#pragma unroll
                for (int r = 0; r < R; ++r) {
                    if ((known >> (kWritten + r) & 1U) == 0) continue;
                    if (wide)
                        streamCells<kPair>(to + place + r * f.pitch(), 0, kPair, true, next[r]);
                    else
                        storeCells<kPair>(to + (p.y + r) * f.pitch(), p.x, f.width, false, next[r]);
                }
            }
            __syncthreads();  // the rows of this turn are there, those of the last are free
        }
    }
}

/// Blocks of Warps warps, which the compiler then knows, on aligned rows without regions; of any number of warps up to
/// 16, and on any field, where Warps is 0: what the special case does not ask about is what it keeps in registers.
template <int T, int R, int Warps, bool Whole>
__global__ void __launch_bounds__(kWarp*(Warps > 0 ? Warps : 16))
    fused_volume(FieldOf<Whole> f, Weights k, int planes, bool aligned) {
    constexpr int kHalo = haloOf(T, kPair), kTile = kWarp * kPair - 2 * kHalo;
    const int rows = (Warps > 0 ? Warps : static_cast<int>(blockDim.y)) * R;
    const int tileX = static_cast<int>(blockIdx.x) * kTile - kHalo, column = threadIdx.x * kPair;
    const int tileY = static_cast<int>(blockIdx.y) * (rows - 2 * T) - T, row = threadIdx.y * R;
    const int first = f.from() + blockIdx.z * planes;
    const VolumePlace place{tileX + column,
                            tileY + row,
                            first,
                            least(first + planes, f.to()),
                            row,
                            rows,
                            tileX + column < f.width && column >= kHalo && column < kHalo + kTile};
    const bool inside = tileX > 0 && tileX + kWarp * kPair < f.width && tileY > 0 && tileY + rows < f.height;
    if (inside && (Warps > 0 || (aligned && f.held.count == 0))) {
        marchColumn<T, R, Warps, false>(f, k, place, aligned);
    } else {
        marchColumn<T, R, Warps, true>(f, k, place, aligned);
    }
}

template <int T, int R>
std::size_t fusedVolumeShared(int warps) {
    return sizeof(float) * 2 * T * warps * (R > 1 ? 2 : 1) * kWarp * kPair;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
