// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::convolution {

constexpr int kMaxFilterSide = 63;

constexpr int kMaxVolumeRadius = 3;

/// A filter's weights, rounded to f32, slice by slice and row-major, with an odd width and height of 1 to 63. One that
/// is deeper than 1 works in three dimensions and has sides of 1 to 7. Applied as correlation.
struct Filter {
    int width = 1, height = 1;
    std::vector<float> weights{1.0F};
    int depth = 1;

    double sum() const;
    bool hasNegative() const;
};

/// A filter as an outer product: column[y] * row[x].
struct Separation {
    std::vector<float> row, column;
    double residualUlp = 0;  ///< largest |weight - column*row| in ulp of the weight, factors in double
};

/// Names that the parameter "filter" takes: identity, box, gaussian ... custom.
const std::vector<std::string>& filterNames();

/// Builds the filter that the family's parameters describe: a named one, or a matrix from text or a CSV file, in two or
/// three dimensions. Throws Error(argument).
Filter makeFilter(const ParameterValues& values);

/// Reads a matrix: rows by line or semicolon, values by comma or space. In three dimensions an empty row (a blank line,
/// or two semicolons) begins the next slice. Throws Error(argument) naming row and column.
Filter parseMatrix(const std::string& text, const std::string& where, int dimensions = 2);

/// The rank-1 form; absent when the residual is over 2 ulp somewhere, and for a filter deeper than 1.
std::optional<Separation> separate(const Filter& filter);

/// The residual of the best rank-1 form, in ulp, whether or not it counts as separable; infinite for a filter deeper
/// than 1.
double rankOneResidualUlp(const Filter& filter);

}  // namespace warplens::gpu::convolution
