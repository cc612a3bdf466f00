// SPDX-License-Identifier: Apache-2.0
// Idea: ELL as wide as is worth it, and what is beyond as coordinates, added by atomics.
// Changed from ell: the longest rows no longer say how wide all are.
// Needs: a width that at least a third of the rows fill.
// Block: block_width threads, no shared memory; a second launch where there is a tail.
// Source: Bell and Garland, SC 2009, with their third; Kirk and Hwu, 4th ed., section 14.5.
// Look at: places filled up against nonzeros in the tail.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

inline void launchHybrid(LaunchContext& c, const Product& p, const TunableValues& t) {
    Operands<float> o = operandsOf(c, p);
    launch(c, &multiplyEll<float>, gridOf(o.rows, t, o.channels), blockOf(t), 0, o);
    const Stored& s = p.stored;
    if (s.tail == 0) return;
    o.rowOf = integers(c, s.tailRows);
    o.columns = integers(c, s.tailColumns);
    o.values = static_cast<const float*>(c.address(s.tailValues));
    o.nonzeros = s.tail;
    launch(c, &addProducts<float>, gridOf(s.tail, t, o.channels), blockOf(t), 0, o);
}

KernelEntry hybrid_entry() { return {.multiply = &launchHybrid, .footprint = &rowPerThread, .format = Format::hybrid}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
