// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "gpu/families/sparse/arguments.hpp"
#include "gpu/families/sparse/unknowns.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace warplens::gpu::sparse {

/// How long the rows of a request's matrix are: that alone decides what each format fills up and which lanes wait.
struct MatrixRows {
    Case posed;
    Unknowns unknowns;
    std::vector<std::int32_t> lengths;  ///< nonzeros of each row
    int longest = 0;                    ///< ELL's width
    int shared = 0;                     ///< hybrid's: what a third of the rows fill
    std::int64_t nonzeros = 0;

    int count() const { return static_cast<int>(lengths.size()); }
    /// Of a pixel, by its place in raster order; -1 where it is no unknown.
    int rowAt(std::int64_t pixel) const;
    std::int64_t pixelOf(int row) const;
};

/// Counted by the family's builder on the CPU device; of several channels' matrices the first one's. Throws Error.
MatrixRows matrixRows(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values,
                      const std::stop_token& stop);

/// Every row's nonzeros one behind the other (CSR): row r from starts[r] on.
struct CompressedRows {
    std::vector<std::int32_t> starts, columns;
    std::vector<float> values;
};
/// Built on the CPU device; of several channels' matrices the first one's. Throws Error.
CompressedRows compressedRows(const io::Grid& input, const Case& of, const Unknowns& unknowns);

/// Neighbouring rows as a format stores them.
struct StoredRows {
    int width = 0;  ///< places of a row; of sliced ELL those of its widest slice
    std::int64_t nonzeros = 0;
    std::int64_t padded = 0;  ///< places that are only there to fill up
    std::int64_t tail = 0;    ///< hybrid: nonzeros beyond the width
    std::int64_t bytes = 0;   ///< of values, columns and whatever says where rows are
};
/// `first` begins a slice. The unknowns of a mask are not stored as diagonals: then all is 0 but the nonzeros.
StoredRows storedRows(const MatrixRows& rows, Format format, int first, int count);

/// How far from its row the columns of each diagonal lie, rising: those that a row in the middle of a large picture
/// would fill; in a narrow one several fall together.
std::vector<int> diagonalsOf(const Case& of);
/// Whether a row has a nonzero so far from its own column; without a mask.
bool onDiagonal(const MatrixRows& rows, int row, int offset);

/// Of 32 lanes: multiplications against what all lanes could have done in the time that the longest takes.
struct LaneSteps {
    std::int64_t working = 0, all = 0;
};
LaneSteps threadPerRow(const MatrixRows& rows, int first, int count);
/// The rows in turn.
LaneSteps warpPerRow(const MatrixRows& rows, int first, int count);

constexpr int kWarp = 32;

}  // namespace warplens::gpu::sparse
