// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/families/reduction/arguments.hpp"
#include "io/grid.hpp"

#include <stop_token>

namespace warplens::gpu::reduction {

enum class Axis { x, y, z };

/// A picture made of a volume's (or picture's) lines along one axis. The other two axes keep their order: along z it is
/// x by y, along y x by z, along x y by z.
struct Projection {
    Axis axis = Axis::z;
    Keep keep = Keep::maximum;

    io::Shape shapeOf(const io::Shape& input) const;
    /// Extremes: the input's type; the mean f32; the sum u32 of integers, f32 of floats.
    io::PixelType typeOf(io::PixelType input) const;
    /// Lines of all channels together, as planes lie on a device.
    Lines linesOf(const io::Shape& input) const;
    /// Empty, with spacing and directions of the axes that are left.
    io::Grid emptyFor(const io::Grid& input) const;
    /// Why a sum may not fit 32 bits, or empty.
    std::string refusal(const io::Grid& input) const;
};

/// Every value against the definition in long double: extremes and sums of integers exact, the others within the
/// rounding to f32. Throws Error(cancelled).
Verification verifyProjection(const Projection& projection, const io::Grid& input, const io::Grid& output,
                              const std::stop_token& stop);

}  // namespace warplens::gpu::reduction
