// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace warplens::gpu::stencil {

/// Which neighbours a cell's next value is made of: x alone, x and y, x, y and z, or all of the 3 x 3 x 3 cells around
/// it.
enum class Pattern { line, cross, star, box };

/// Weights of a pattern: 3, 5, 7 or 27.
constexpr int tapsOf(Pattern pattern) {
    return pattern == Pattern::line ? 3 : pattern == Pattern::cross ? 5 : pattern == Pattern::star ? 7 : 27;
}

/// Axes that a pattern reaches along: 1, 2 or 3.
constexpr int dimensionsOf(Pattern pattern) { return pattern == Pattern::line ? 1 : pattern == Pattern::cross ? 2 : 3; }

/// How many neighbours along y and z a pattern reads to each side.
constexpr int reachY(Pattern pattern) { return dimensionsOf(pattern) >= 2 ? 1 : 0; }
constexpr int reachZ(Pattern pattern) { return dimensionsOf(pattern) >= 3 ? 1 : 0; }

/// Cells that are held at one value; both ends inclusive, inside the volume.
struct Region {
    std::array<int, 3> first{}, last{};  ///< x, y, z
    float value = 0;
};

constexpr int kMaxRegions = 8;

/// One step of a stencil iteration, in f32. Cells on the outermost faces of the axes that the pattern reaches along,
/// and those of the regions, keep their value.
struct Operator {
    Pattern pattern = Pattern::star;
    /// Centre, x-1, x+1, y-1, y+1, z-1, z+1; a box has z, y, x order with x fastest.
    std::array<float, 27> weights{};
    std::vector<Region> regions;

    int taps() const { return tapsOf(pattern); }
    double sum() const;
    double sumOfMagnitudes() const;
    /// The same operator for a part that begins at `first` along the axis (2: slices, 1: rows) and is `count` long.
    Operator onSlab(int first, int count, int axis = 2) const;
};

/// What the parameters describe, in words as well.
struct Described {
    Operator op;
    std::vector<std::string> facts;
};

/// Builds the operator for a volume of this extent. Throws Error(argument).
Described makeOperator(const ParameterValues& values, int width, int height, int depth);

/// Reads regions: "100 at x=0; 0 at x=-1 y=3..8". An index below 0 counts from the far end; an axis that is not named
/// is taken whole. At most 8. Throws Error(argument).
std::vector<Region> parseRegions(const std::string& text, int width, int height, int depth);

}  // namespace warplens::gpu::stencil
