// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstdint>
#include <vector>

namespace warplens::gpu::product {

/// What rows of floats are filled up to, with zeros: 16 bytes, so that wide accesses need no other case.
constexpr int kQuad = 4;
constexpr int wholeQuads(int n) { return (n + kQuad - 1) / kQuad * kQuad; }

/// Matrices of floats, one behind the other. Rows and their number are filled up to whole quads.
struct Factor {
    int rows = 0, columns = 0, layers = 1;
    std::vector<float> values{};

    Factor() = default;
    Factor(int high, int wide, int many = 1)
        : rows(high), columns(wide), layers(many), values(static_cast<std::size_t>(layerValues() * many)) {}

    std::int64_t rowValues() const { return wholeQuads(columns); }
    std::int64_t layerValues() const { return rowValues() * wholeQuads(rows); }
    std::size_t index(int row, int column, int layer = 0) const {
        return static_cast<std::size_t>(layer * layerValues() + row * rowValues() + column);
    }
    float& at(int row, int column, int layer = 0) { return values[index(row, column, layer)]; }
    float at(int row, int column, int layer = 0) const { return values[index(row, column, layer)]; }
};

/// A layer a slice of each channel, channel after channel.
Factor factorOf(const io::Grid& grid);
Factor transposeOf(const io::Grid& grid);
/// The first `kept` rows of the orthonormal DCT-II of n values, and their transpose.
Factor cosines(int n, int kept);
Factor transposeOf(const Factor& one);
/// Filters side x side, one a row: as given, n slices.
Factor bankOf(const io::Grid& grid, int side);
/// Derivatives of elongated Gaussians, as the eye has them: 8 directions, 3 sizes, edges and lines, 15 x 15.
Factor edgesAndLines();
constexpr int kDefaultSide = 15;

}  // namespace warplens::gpu::product
