// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/table.hpp"

#include <algorithm>

namespace warplens::gpu {

namespace {

/// Columns a UTF-8 text takes on a terminal; our tables use no wide or combining characters.
std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string headOf(const TextTable::Column& column) {
    return column.origin ? column.title + " " + letterOf(*column.origin) : column.title;
}

}  // namespace

std::string toText(const TextTable& table) {
    std::vector<std::vector<std::string>> lines{{}};
    for (const TextTable::Column& column : table.columns) lines.front().push_back(headOf(column));
    lines.insert(lines.end(), table.rows.begin(), table.rows.end());
    std::vector<std::size_t> widths(table.columns.size(), 0);
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], widthOf(line[i]));
    }
    std::string text = table.title + "\n";
    if (table.rows.empty()) lines.clear();
    for (const auto& line : lines) {
        std::string row;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string padding(widths[i] - widthOf(line[i]), ' ');
            row += (i == 0 ? "" : "  ") + (table.columns[i].number ? padding + line[i] : line[i] + padding);
        }
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + "\n";
    }
    if (const std::string letters = legend(table); !letters.empty()) text += letters + "\n";
    for (const std::string& note : table.notes) text += note + "\n";
    return text;
}

}  // namespace warplens::gpu
