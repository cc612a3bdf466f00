// SPDX-License-Identifier: Apache-2.0
// Idea: tiles of 2 x 2 outputs share the core of their windows, which is sorted once and split for its outputs.
// Changed from shared_columns: rows are shared as well as columns; what cannot be the median is dropped early.
// Needs: medians of 3 x 3, 5 x 5 and 7 x 7.
// Block: block_width x block_height threads of 4 x 2 outputs each, no shared memory.
// Source: Sugy, SIGGRAPH 2025, hierarchical tiling with tiles of 2 x 2; re-derived.
// Look at: minima and maxima a pixel: fewer for 7 x 7 than network has for 5 x 5.
#pragma once

#include "gpu/families/rank/hierarchy.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void hierarchical(Picture<T> p) {
    medianTile<OneStrip<T>, R>(p);
}

inline Footprint hierarchicalFootprint(const Case& c, const TunableValues& t) { return footprintOf(c, t, 4, 2); }

inline void launchHierarchical(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        const auto kernel = a.window.radius == 1   ? &hierarchical<T, 1>
                            : a.window.radius == 2 ? &hierarchical<T, 2>
                                                   : &hierarchical<T, 3>;
        launch(c, kernel, gridOf(a, hierarchicalFootprint(a, t), layers), blockOf(t), 0, p);
    });
}

inline std::string hierarchicalRefusal(const Case& c) { return mediansUpTo(c, 3); }

KernelEntry hierarchical_entry() {
    return {.launch = &launchHierarchical, .footprint = &hierarchicalFootprint, .refusal = &hierarchicalRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
