// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/origin.hpp"

#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A table as people read it: texts only. Terminal, Markdown and HTML draw the same.
struct TextTable {
    struct Column {
        std::string title;
        std::optional<Origin> origin;
        bool number = false;  ///< aligned right
    };
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;  ///< a cell a column
    std::vector<std::string> notes;              ///< full sentences to stand below
};

/// "Median ms M": a head with the letter of its numbers' origin.
std::string headText(const TextTable::Column& column);

/// "M measured in this run, R reported by driver or compiler", for the letters that the table shows.
std::string legend(const TextTable& table);

/// Heads and rows in aligned columns, for a terminal. With a width in columns, long texts go on in further lines, as
/// far as columns of at least 16 characters allow; 0: one line per row.
std::string alignedRows(const TextTable& table, std::size_t width = 0);
/// The same below the title, and with legend and notes below.
std::string toText(const TextTable& table);

/// Text that Markdown takes for nothing else. Lines are joined: a cell has one.
std::string markdownText(const std::string& text);
/// Heads and rows.
std::string markdownTable(const TextTable& table);

}  // namespace warplens::gpu
