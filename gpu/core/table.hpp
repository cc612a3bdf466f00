// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/origin.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace warplens::gpu {

/// One column: a value a row, all of one type. A real that is not finite stands for "none" where it is printed, but for
/// infinity, which is a result.
struct Column {
    using Integers = std::vector<std::int64_t>;
    using Reals = std::vector<double>;
    using Texts = std::vector<std::string>;

    std::string id{};     ///< for scripts: "max_change"
    std::string title{};  ///< for people; empty: the id
    std::string unit{};   ///< "px", "mm", or empty
    Origin origin = Origin::measured;
    std::variant<Integers, Reals, Texts> values{};

    std::size_t size() const;
    /// As people read a file of figures: exact, an integer without a point, a text as it is; empty for NaN.
    std::string text(std::size_t row) const;
    /// Integers as doubles; NaN for a text.
    double number(std::size_t row) const;
};

/// Figures that are a result, or come with one: counts, residuals, extremes, components. All columns are equally long.
struct Table {
    std::string id{};     ///< for scripts: "statistics"
    std::string title{};  ///< for people
    std::vector<Column> columns{};
    std::size_t omitted = 0;  ///< rows that a document left out, in a table read from one

    std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
    /// Null when there is none of that id.
    const Column* find(const std::string& column) const;

    /// Null when there is no column of that id and type.
    template <class Values>
    const Values* values(const std::string& column) const {
        const Column* found = find(column);
        return found == nullptr ? nullptr : std::get_if<Values>(&found->values);
    }
    /// The values of a column whose type is known. Throws std::out_of_range or std::bad_variant_access otherwise.
    const Column::Integers& integers(const std::string& column) const;
    const Column::Reals& reals(const std::string& column) const;
    const Column::Texts& texts(const std::string& column) const;
};

/// RFC 4180: in quotes where it has to be.
std::string csvField(const std::string& text);
/// RFC 4180: a line of ids, then a line a row; reals as short as they come back exactly.
std::string toCsv(const Table& table);

/// A structured NPY array of one dimension: a field a column, <i8, <f8 or <U of the longest text.
std::vector<std::byte> toNpy(const Table& table);

}  // namespace warplens::gpu
