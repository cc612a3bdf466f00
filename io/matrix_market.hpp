// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::io {

/// A sparse matrix as a Matrix Market file lists it, symmetric halves written out: a row, a column, both from 0, and a
/// value for each entry, in the file's order.
struct MatrixEntries {
    std::int64_t rows = 0, columns = 0;
    struct Entry {
        std::int32_t row, column;
        double value;
    };
    std::vector<Entry> entries;
};

/// Of the text of a Matrix Market file in the format coordinate: real, integer or pattern (each value 1), and general,
/// symmetric or skew-symmetric. `name` is what errors call it. Throws Error(unreadable) naming the line, or
/// Error(unsupported) for what the format has beside that, or Error(limit) from 2^31 rows, columns or entries on.
MatrixEntries parseMatrixMarket(std::string_view text, const std::string& name);

}  // namespace warplens::io
