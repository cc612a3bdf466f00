// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::convolution {

constexpr int kMaxFilterSide = 63;

/// In three dimensions: of a matrix of any weights, and of a product of three rows.
constexpr int kMaxBoxSide = 11, kMaxVolumeRadius = 63;

/// A filter's weights, rounded to f32, slice by slice and row-major, with odd sides. Applied as correlation. In two
/// dimensions sides of 1 to 63, in three of 1 to 11; a product may have sides up to 127 there.
struct Filter {
    int width = 1, height = 1;
    std::vector<float> weights{1.0F};
    int depth = 1;
    /// Along x, y and z where the filter was made in three dimensions as their product, else empty. Beyond sides of 11
    /// it is they that define it.
    std::array<std::vector<float>, 3> factors{};

    double sum() const;
    bool hasNegative() const;
    bool isProduct() const { return !factors[0].empty(); }
    /// Whether a kernel that takes weights one by one can have them.
    bool isBox() const { return !isProduct() || std::max({width, height, depth}) <= kMaxBoxSide; }
    /// The largest side's radius.
    int radius() const { return std::max({width, height, depth}) / 2; }
};

/// A filter as an outer product: stack[z] * column[y] * row[x].
struct Separation {
    std::vector<float> row, column, stack;
    double residualUlp = 0;  ///< largest |weight - product| in ulp of the weight, factors in double
};

/// Names that the parameter "filter" takes: identity, box, gaussian ... custom.
const std::vector<std::string>& filterNames();

/// Builds the filter that the family's parameters describe: a named one, or a matrix from text or a CSV file, in two or
/// three dimensions. `spacing` is the volume's along x, y and z in mm. Throws Error(argument).
Filter makeFilter(const ParameterValues& values, const std::array<double, 3>& spacing = {1, 1, 1});

/// Reads a matrix: rows by line or semicolon, values by comma or space. In three dimensions an empty row (a blank line,
/// or two semicolons) begins the next slice. Throws Error(argument) naming row and column.
Filter parseMatrix(const std::string& text, const std::string& where, int dimensions = 2);

/// The rank-1 form; absent when the residual is over 2 ulp somewhere.
std::optional<Separation> separate(const Filter& filter);

/// The residual of the best rank-1 form, in ulp, whether or not it counts as separable.
double rankOneResidualUlp(const Filter& filter);

}  // namespace warplens::gpu::convolution
