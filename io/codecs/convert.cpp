// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/convert.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::io::codecs {
namespace {

bool finite(const double* first, std::size_t count) {
    return std::all_of(first, first + count, [](double v) { return std::isfinite(v); });
}

double determinant(const std::array<double, 9>& d) {
    return d[0] * (d[4] * d[8] - d[5] * d[7]) - d[1] * (d[3] * d[8] - d[5] * d[6]) + d[2] * (d[3] * d[7] - d[4] * d[6]);
}

}  // namespace

void tidyGeometry(Grid& grid) {
    auto& g = grid.geometry;
    const Geometry usual;
    auto& notes = grid.metadata.notes;
    if (!finite(g.spacing.data(), 3) ||
        std::any_of(g.spacing.begin(), g.spacing.end(), [](double v) { return v <= 0; })) {
        g.spacing = usual.spacing;
        notes.emplace_back("the spacing in the file is none; 1 mm is assumed");
    }
    if (!finite(g.origin.data(), 3)) {
        g.origin = usual.origin;
        notes.emplace_back("the origin in the file is none; 0 is assumed");
    }
    if (!finite(g.direction.data(), 9) || std::abs(determinant(g.direction)) < 1e-6) {
        g.direction = usual.direction;
        notes.emplace_back("the direction in the file is none; the axes are taken as they are");
    }
}

}  // namespace warplens::io::codecs
