// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/given_matrix.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/sparse/arguments.hpp"
#include "io/error.hpp"
#include "io/file.hpp"
#include "io/matrix_market.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>

namespace warplens::gpu::sparse {
namespace {

Error refuse(const std::string& why) { return {Error::Kind::argument, "matrix " + why}; }

io::MatrixEntries entriesOf(const std::string& path) {
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
    try {
        return io::parseMatrixMarket(io::readText(path, kMostBytes), path);
    } catch (const io::Error& error) {
        throw refuse(error.what());
    }
}

/// Lengths decide what formats fill up.
void measure(GivenMatrix& made) {
    std::vector<int> lengths;
    for (int row = 0; row < made.rows; ++row)
        lengths.push_back(made.starts[static_cast<std::size_t>(row) + 1] - made.starts[static_cast<std::size_t>(row)]);
    for (std::size_t first = 0; first < lengths.size(); first += kSlice) {
        const auto begin = lengths.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + std::min<std::ptrdiff_t>(kSlice, lengths.end() - begin);
        made.slicedPlaces += std::int64_t{*std::max_element(begin, end)} * kSlice;
    }
    std::ranges::sort(lengths, std::greater());
    made.longest = lengths.front();
    made.shared = lengths[(lengths.size() + 2) / 3 - 1];
    std::set<int> offsets;
    for (int row = 0; row < made.rows; ++row)
        for (int i = made.starts[static_cast<std::size_t>(row)]; i < made.starts[static_cast<std::size_t>(row) + 1];
             ++i)
            offsets.insert(made.columns[static_cast<std::size_t>(i)] - row);
    made.diagonals = static_cast<std::int64_t>(offsets.size());
    for (const int offset : offsets)
        if (made.offsets.size() < kMostDiagonals) made.offsets.push_back(offset);
}

}  // namespace

std::shared_ptr<const GivenMatrix> givenMatrix(const std::string& path, std::int64_t values) {
    io::MatrixEntries read = entriesOf(path);
    if (read.rows != read.columns)
        throw refuse(path + ": " + std::to_string(read.rows) + " rows and " + std::to_string(read.columns) +
                     " columns: give a square one, as the product is a picture as large as the vector");
    if (read.rows != values)
        throw refuse(path + ": has " + std::to_string(read.rows) + " columns, the picture " + std::to_string(values) +
                     " pixels: give a picture of as many, as gen:noise:" + std::to_string(read.rows) + "x1:f32");
    std::ranges::sort(read.entries, {}, [](const auto& e) { return std::tuple(e.row, e.column); });
    auto made = std::make_shared<GivenMatrix>();
    made->name = path;
    made->rows = static_cast<int>(read.rows);
    made->starts.push_back(0);
    for (std::size_t i = 0; i < read.entries.size();) {
        const auto [row, column, first] = read.entries[i];
        double sum = 0;
        for (; i < read.entries.size() && read.entries[i].row == row && read.entries[i].column == column; ++i)
            sum += read.entries[i].value;
        const auto value = static_cast<float>(sum);
        if (!std::isfinite(value))
            throw refuse(path + ": the value in row " + std::to_string(row + 1) + ", column " +
                         std::to_string(column + 1) + " is beyond 32 bits: scale the matrix");
        if (value == 0) continue;
        made->starts.resize(static_cast<std::size_t>(row) + 1, static_cast<std::int32_t>(made->values.size()));
        made->columns.push_back(column);
        made->values.push_back(value);
    }
    made->starts.resize(static_cast<std::size_t>(made->rows) + 1, static_cast<std::int32_t>(made->values.size()));
    if (made->values.empty()) throw refuse(path + ": has no value other than 0: give one that has");
    measure(*made);
    return made;
}

}  // namespace warplens::gpu::sparse
