// SPDX-License-Identifier: Apache-2.0
// Idea: one thread, one nonzero: its product is added to its row's sum by an atomic.
// Changed from dense: nothing but nonzeros is stored and multiplied, each with where it stands.
// Needs: row, column and value of every nonzero, 12 bytes; sums that are zero before.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 14.2.
// Look at: atomics: five of them meet at every sum, and their order, so the last bits, differs from run to run.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

inline void launchCoo(LaunchContext& c, const Product& p, const TunableValues& t) {
    const Operands<float> o = operandsOf(c, p);
    clear(c, o);
    launch(c, &addProducts<float>, gridOf(o.nonzeros, t, o.channels), blockOf(t), 0, o);
}

inline Footprint cooFootprint(const Case& of, const TunableValues& t) {
    const int rows = t.at("block_width") / of.mostNonzeros();
    return rowsFootprint(t.at("block_width"), rows > 0 ? rows : 1);
}

KernelEntry coo_entry() { return {.multiply = &launchCoo, .footprint = &cooFootprint, .format = Format::coordinates}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
