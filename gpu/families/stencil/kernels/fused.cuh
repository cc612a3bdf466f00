// SPDX-License-Identifier: Apache-2.0
// Idea: several steps in one pass over memory: a tile with a wider halo is stepped in registers and shared memory.
// Changed from marching: memory moves once for T steps; halo cells are computed by several blocks, the price of it.
// Needs: a line, cross (up to 10 steps) or star (up to 5); any extent, any number of steps, the rest in smaller passes.
// Block: 3D 32 x h threads, 2 x R cells each, 1,024 T h bytes shared; 2D 32 x h, none; 1D 32 h threads, 256 h bytes.
// Source: Nguyen et al., 3.5-D blocking optimization for stencil computations, SC 2010; re-derived, registers added.
// Look at: the loop over t, the levels of time: next travels up through them, one slice later at each.
#pragma once

#include "gpu/families/stencil/fused_picture.cuh"

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

inline std::array<int, 3> fusedBlock(const TunableValues& t, Pattern p) {
    const int h = t.at("block_height");
    // The warps of a picture work each for itself; small blocks leave no multiprocessor waiting for a last one.
    return p == Pattern::line ? std::array{kWarp * h, 1, 1}
                              : std::array{kWarp, p == Pattern::cross ? std::min(h, 2) : h, 1};
}

/// Depths that are built: 1 to 5 in 3D, 1, 2, 3, 4, 6, 8, 10 in 2D; a line takes any.
inline int fusedDeepest(const TunableValues& t, Pattern p) {
    const int steps = t.at("steps_per_launch");
    return p == Pattern::star ? std::min(steps, 5) : p == Pattern::cross ? std::min(steps, 10) : steps;
}

inline int fusedSteps(const TunableValues& t, Pattern p, int left) {
    const int steps = std::min(fusedDeepest(t, p), left);
    return p == Pattern::cross && steps > 4 ? steps & ~1 : steps;
}

// Warps and rows a thread of the block that is compiled for its height.
constexpr int kHighBlock = 16, kHighRows = 4;

template <int T, int R>
void launchFusedVolume(LaunchContext& c, const Pass& p, const TunableValues& t) {
    const dim3 block(kWarp, t.at("block_height"));
    const int planes = t.at("planes_per_block"), tile = kWarp * kPair - 2 * haloOf(T, kPair);
    const auto launchOn = [&]<bool Whole>(const FieldOf<Whole>& f) {
        const dim3 grid(ceilDiv(f.width, tile), ceilDiv(f.height, block.y * R - 2 * T),
                        ceilDiv(f.to() - f.from(), planes));
        const auto shared = fusedVolumeShared<T, R>(block.y);
        if constexpr (R == kHighRows) {
            if (block.y == kHighBlock && rowsAligned<kPair>(f) && f.held.count == 0) {
                return launch(c, &fused_volume<T, R, kHighBlock, Whole>, grid, block, shared, f, weightsOf(*p.op),
                              planes, true);
            }
        }
        launch(c, &fused_volume<T, R, 0, Whole>, grid, block, shared, f, weightsOf(*p.op), planes,
               rowsAligned<kPair>(f));
    };
    if constexpr (T == 1)  // more steps have more to do than to fetch
        forEitherField(c, p, launchOn);
    else
        forFields(c, p, launchOn);
}

template <int R>
void launchFusedVolumeBy(LaunchContext& c, const Pass& p, const TunableValues& t) {
    switch (p.steps) {
        case 1: return launchFusedVolume<1, R>(c, p, t);
        case 2: return launchFusedVolume<2, R>(c, p, t);
        case 3: return launchFusedVolume<3, R>(c, p, t);
        case 4: return launchFusedVolume<4, R>(c, p, t);
        default: return launchFusedVolume<5, R>(c, p, t);
    }
}

template <int T>
void launchFusedPicture(LaunchContext& c, const Pass& p, const TunableValues& t) {
    const auto shape = fusedBlock(t, Pattern::cross);
    const dim3 block(shape[0], shape[1]);
    const int rows = t.at("rows_per_thread"), tile = kWarp * kQuad - 2 * haloOf(T, kQuad);
    forFields(c, p, [&](const Field& f) {
        const dim3 grid(ceilDiv(f.width, tile * block.y), ceilDiv(f.height, rows), f.depth);
        launch(c, &fused_picture<T>, grid, block, 0, f, weightsOf(*p.op), rows, rowsAligned<kQuad>(f));
    });
}

inline void launchFusedLine(LaunchContext& c, const Pass& p, const TunableValues& t) {
    const int threads = kWarp * t.at("block_height");
    forFields(c, p, [&](const Field& f) {
        const dim3 grid(ceilDiv(f.width, threads - 2 * p.steps), f.height, f.depth);
        launch(c, &fusedLine, grid, dim3(threads), 2 * sizeof(float) * threads, f, weightsOf(*p.op), p.steps);
    });
}

inline void launchFused(LaunchContext& c, const Pass& p, const TunableValues& t) {
    if (p.op->pattern == Pattern::line) return launchFusedLine(c, p, t);
    if (p.op->pattern == Pattern::star) {
        return t.at("outputs_per_thread") == 4 ? launchFusedVolumeBy<2>(c, p, t)
                                               : launchFusedVolumeBy<kHighRows>(c, p, t);
    }
    switch (p.steps) {
        case 1: return launchFusedPicture<1>(c, p, t);
        case 2: return launchFusedPicture<2>(c, p, t);
        case 3: return launchFusedPicture<3>(c, p, t);
        case 4: return launchFusedPicture<4>(c, p, t);
        case 6: return launchFusedPicture<6>(c, p, t);
        case 8: return launchFusedPicture<8>(c, p, t);
        default: return launchFusedPicture<10>(c, p, t);
    }
}

inline std::size_t fusedShared(const TunableValues& t, Pattern p) {
    const int h = t.at("block_height");
    if (p == Pattern::cross) return 0;
    if (p == Pattern::line) return 2 * sizeof(float) * kWarp * h;
    const int edges = t.at("outputs_per_thread") > kPair ? 2 : 1;
    return sizeof(float) * 2 * fusedDeepest(t, p) * h * edges * kWarp * kPair;
}

inline const char* fusedRefusal(const TunableValues& t, Pattern p) {
    if (p == Pattern::box)
        return "27 points a cell leave too few registers for several steps: choose a 7-point stencil";
    if (p != Pattern::star) return nullptr;
    const int rows = t.at("block_height") * t.at("outputs_per_thread") / kPair;
    return rows > 2 * fusedDeepest(t, p)
               ? nullptr
               : "the halo of these steps leaves no row of the block: choose a higher block or fewer steps_per_launch";
}

inline Footprint fusedFootprint(const TunableValues& t, Pattern p) {
    const int h = t.at("block_height"), steps = fusedDeepest(t, p);
    if (p == Pattern::line) {
        return {.blockWidth = kWarp * h,
                .blockHeight = 1,
                .tileWidth = kWarp * h - 2 * steps,
                .tileHeight = 1,
                .stagedLeft = steps,
                .stagedRight = steps,
                .staged = true,
                .haloX = steps};
    }
    if (p == Pattern::cross) {
        const int warps = fusedBlock(t, p)[1];
        return {.blockWidth = kWarp,
                .blockHeight = warps,
                .tileWidth = (kWarp * kQuad - 2 * haloOf(steps, kQuad)) * warps,
                .tileHeight = t.at("rows_per_thread"),
                .haloX = steps,
                .haloY = steps,
                .haloThroughCache = true};
    }
    const int tile = kWarp * kPair - 2 * haloOf(steps, kPair),
              rows = h * t.at("outputs_per_thread") / kPair - 2 * steps;
    return {.blockWidth = kWarp,
            .blockHeight = h,
            .tileWidth = tile,
            .tileHeight = rows,
            .stagedLeft = steps,
            .stagedTop = steps,
            .stagedRight = steps,
            .stagedBottom = steps,
            .staged = true,
            .haloX = steps,
            .haloY = steps};
}

KernelEntry fused_entry() {
    return {.launch = &launchFused,
            .footprint = &fusedFootprint,
            .block = &fusedBlock,
            .sharedBytes = &fusedShared,
            .refusal = &fusedRefusal,
            .stepsOf = &fusedSteps,
            .takesSlices = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
