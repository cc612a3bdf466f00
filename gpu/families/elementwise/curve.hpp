// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/pixel_type.hpp"

#include <string>
#include <vector>

namespace warplens::gpu::elementwise {

/// From one point of a curve to the next: value + d (slope + d (square + d cubic)), where d is how far a share lies
/// beyond `from`.
struct CurvePiece {
    double from = 0, value = 0, slope = 0, square = 0, cubic = 0;
};

/// A tone curve through points, in shares of the full range, flat before the first and behind the last: between them
/// the cubic of Fritsch and Butland (1984), which never leaves what lies between two neighbours, as a spline would.
struct Curve {
    std::vector<CurvePiece> pieces;
    double last = 0;  ///< share of the last point

    struct Value {
        double value = 0, magnitude = 0;  ///< the latter of what the value is added up of
    };
    Value at(double share) const;
};

/// The full range of a type: 255, 65,535, or 1 of floats.
double topOf(io::PixelType type);

/// Of points "x,y;x,y" in percent of the full range. Throws Error(argument).
Curve curveThrough(const std::string& points);

}  // namespace warplens::gpu::elementwise
