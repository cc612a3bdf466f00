// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::sparse {

/// A square matrix of a file's, row after row, columns rising: entries that stand at the same place are added up, and
/// what is 0 is left out.
struct GivenMatrix {
    std::string name;
    int rows = 0;
    std::vector<std::int32_t> starts, columns;  ///< row r from starts[r] on
    std::vector<float> values;
    int longest = 0;                ///< nonzeros of the longest row
    int shared = 0;                 ///< what at least a third of the rows fill
    std::int64_t slicedPlaces = 0;  ///< of sliced ELL
    std::int64_t diagonals = 0;     ///< on which a nonzero lies
    std::vector<int> offsets;       ///< of the first kMostDiagonals of them, rising

    std::int64_t nonzeros() const { return static_cast<std::int64_t>(values.size()); }
};

/// Of the Matrix Market file at `path`, for a vector of so many values. Throws Error(argument).
std::shared_ptr<const GivenMatrix> givenMatrix(const std::string& path, std::int64_t values);

}  // namespace warplens::gpu::sparse
