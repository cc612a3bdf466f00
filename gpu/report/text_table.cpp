// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/text_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace warplens::gpu {

namespace {

/// Columns a UTF-8 text takes on a terminal; our tables use no wide or combining characters.
std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool isWord(const std::string& text, std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
}

}  // namespace

std::string headText(const TextTable::Column& column) {
    return column.origin ? column.title + " " + letterOf(*column.origin) : column.title;
}

std::string legend(const TextTable& table) {
    constexpr std::array<std::pair<Origin, const char*>, 5> kWords{
        {{Origin::measured, "measured in this run"},
         {Origin::counted, "counted, without a clock"},
         {Origin::modelled, "modelled by a formula"},
         {Origin::reported, "reported by driver or compiler"},
         {Origin::recorded, "recorded earlier"}}};
    std::string text;
    for (const auto& [origin, words] : kWords) {
        if (std::ranges::find(table.columns, std::optional(origin), &TextTable::Column::origin) != table.columns.end())
            text += (text.empty() ? "" : ", ") + std::string(letterOf(origin)) + " " + words;
    }
    return text;
}

std::string alignedRows(const TextTable& table) {
    std::vector<std::vector<std::string>> lines{{}};
    for (const TextTable::Column& column : table.columns) lines.front().push_back(headText(column));
    lines.insert(lines.end(), table.rows.begin(), table.rows.end());
    std::vector<std::size_t> widths(table.columns.size(), 0);
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], widthOf(line[i]));
    }
    std::string text;
    for (const auto& line : lines) {
        std::string row;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string padding(widths[i] - widthOf(line[i]), ' ');
            row += (i == 0 ? "" : "  ") + (table.columns[i].number ? padding + line[i] : line[i] + padding);
        }
        text += row.erase(row.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string toText(const TextTable& table) {
    // A table that is too long to be shown has no rows, and says so.
    std::string text = table.title + "\n" + (table.rows.empty() ? "" : alignedRows(table));
    if (const std::string letters = legend(table); !letters.empty()) text += letters + "\n";
    for (const std::string& note : table.notes) text += note + "\n";
    return text;
}

std::string markdownText(const std::string& text) {
    constexpr std::string_view kMarkup = "\\`*[]<>|";
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        // Within a word an underscore is one.
        const bool emphasis = text[i] == '_' && !(i > 0 && isWord(text, i - 1) && isWord(text, i + 1));
        if (emphasis || kMarkup.find(text[i]) != kMarkup.npos) out += '\\';
        out += text[i] == '\n' ? ' ' : text[i];
    }
    return out;
}

std::string markdownTable(const TextTable& table) {
    std::string text, rule;
    for (const TextTable::Column& column : table.columns) {
        text += "| " + markdownText(headText(column)) + " ";
        rule += column.number ? "|---:" : "|---";
    }
    text += "|\n" + rule + "|\n";
    for (const auto& row : table.rows) {
        for (const std::string& cell : row) text += "| " + markdownText(cell) + " ";
        text += "|\n";
    }
    return text;
}

}  // namespace warplens::gpu
