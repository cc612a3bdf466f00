// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "io/grid.hpp"

namespace warplens::gpu::histogram {

/// Spreads values so that equally many fall into each part of the scale: a value becomes (N - n) / (T - n) of full
/// scale, N values lying in its bin or below, n in the first bin that is not empty, T in all bins. What lies below the
/// bins becomes 0, above them full scale; NaN stays. Full scale is 255, 65535 or 1. Integers round half to even. Counts
/// of one channel serve all colours; alpha is left alone. The result keeps extents, type and geometry.
io::Grid equalise(const io::Grid& picture, const BinnedCounts& counts);

/// Maps lo to 0 and hi to full scale, linearly, and saturates; NaN stays. Rounding and alpha as in equalise(). Throws
/// Error(argument) unless lo < hi, both finite.
io::Grid stretch(const io::Grid& picture, double lo, double hi);

}  // namespace warplens::gpu::histogram
