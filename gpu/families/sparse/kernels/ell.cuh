// SPDX-License-Identifier: Apache-2.0
// Idea: every row as long as the longest, stored column by column: one thread per row, and a warp reads side by side.
// Changed from csr_scalar: coalesced without shuffles; no row starts are read.
// Needs: places that only fill up, of column -1.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 14.4; Bell and Garland, SC 2009.
// Look at: the places filled up: one long row lengthens all others.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

inline void launchEll(LaunchContext& c, const Product& p, const TunableValues& t) {
    launch(c, &multiplyEll<float>, gridOf(p.stored.rows, t, p.channels), blockOf(t), 0, operandsOf(c, p));
}

KernelEntry ell_entry() { return {.multiply = &launchEll, .footprint = &rowPerThread, .format = Format::ell}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
