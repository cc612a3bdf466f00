// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/stencil/operator.hpp"
#include "io/grid.hpp"

#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace warplens::gpu::stencil {

/// Cells lo to hi - 1 along x, y and z.
struct Box {
    std::array<std::int64_t, 3> lo{}, hi{};
    std::int64_t cells() const { return (hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]); }
};

/// The field after n steps at one cell.
struct Exact {
    double value = 0;
    /// How far a result in f32 may be off; infinite where single precision may overflow on the way.
    ///   b(0) = 0,  b(k+1) = sum |c| ((1 + g) b(k) + g |u(k)|) + tiny,  g = (taps + 1) * 2^-23:
    /// a step adds (taps + 1) eps sum |c u'| of the u' that it sees, and |u'| <= |u| + b; what was off before comes
    /// along.
    double bound = 0;
};

/// Cells of which the result in `box` after `steps` steps is made of, clipped to the volume.
Box sourceOf(const Box& box, const io::Shape& shape, Pattern pattern, std::int64_t steps);

/// Cell steps that exactIn() takes.
double costOf(const Box& box, const io::Shape& shape, Pattern pattern, std::int64_t steps);

/// Steps one channel in double precision, as far around the box as it takes. Independent of the kernels. x fastest.
/// Uses all cores. Throws Error(cancelled).
std::vector<Exact> exactIn(const Box& box, const io::Grid& input, int channel, const Operator& op, std::int64_t steps,
                           std::stop_token stop);

}  // namespace warplens::gpu::stencil
