// SPDX-License-Identifier: Apache-2.0
// Idea: tiles of 2 x 2 outputs share the core of their windows, which is sorted once and split for its outputs.
// Changed from shared_columns: rows are shared as well as columns; what cannot be the median is dropped early.
// Needs: medians of 3 x 3, 5 x 5 and 7 x 7, of floats up to 11 x 11.
// Block: block_width x block_height threads of 4 x 2 outputs each, of 4 x 4 for 3 x 3, no shared memory.
// Source: Sugy, SIGGRAPH 2025, hierarchical tiling with tiles of 2 x 2; re-derived.
// Look at: minima and maxima per pixel: fewer for 7 x 7 than network has for 5 x 5.
#pragma once

#include "gpu/families/rank/hierarchy.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void hierarchical(Picture<T> p) {
    if constexpr (std::is_same_v<T, float>)
        medianTile<OneStrip<T>, R>(p);
    else
        medianTilesAtOnce<OneStrip<T>, R, 1>(p);
}

/// Of 3 x 3, where memory is the limit: two tiles a thread, in 64 registers.
template <class T>
__global__ void __launch_bounds__(1024) hierarchicalOfThree(Picture<T> p) {
    medianTilesAtOnce<OneStrip<T>, 1, 2>(p);
}

inline Footprint hierarchicalFootprint(const Case& c, const TunableValues& t) {
    return footprintOf(c, t, 4, c.window.radius == 1 ? 4 : 2);
}

inline void launchHierarchical(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        auto kernel = a.window.radius == 1   ? &hierarchicalOfThree<T>
                      : a.window.radius == 2 ? &hierarchical<T, 2>
                                             : &hierarchical<T, 3>;
        if constexpr (sizeof(T) == 4) {
            if (a.window.radius > 3) kernel = a.window.radius == 4 ? &hierarchical<T, 4> : &hierarchical<T, 5>;
        }
        launch(c, kernel, gridOf(a, hierarchicalFootprint(a, t), layers), blockOf(t), 0, p);
    });
}

inline std::string hierarchicalRefusal(const Case& c) {
    if (c.type != io::PixelType::f32 && c.median() && c.square() && c.window.radius > 3 && c.window.radius <= 5)
        return "takes 9 x 9 and 11 x 11 of floats only: packed_pairs takes bytes and 16-bit integers";
    return mediansUpTo(c, 5);
}

KernelEntry hierarchical_entry() {
    return {.launch = &launchHierarchical,
            .footprint = &hierarchicalFootprint,
            .mostThreads = &threadsWithRegisters,
            .refusal = &hierarchicalRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
