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

/// A text in lines of at most `width` columns, cut between words; a longer word keeps its own line.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines{""};
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        std::string& line = lines.back();
        if (!line.empty() && widthOf(line) + 1 + widthOf(word) > width)
            lines.push_back(word);
        else
            line += (line.empty() ? "" : " ") + word;
        at = end + 1;
    }
    return lines;
}

/// Narrows the widest columns of text until a row fits, none below kLeastWidth.
void fitWidths(std::vector<std::size_t>& widths, const TextTable& table, std::size_t width) {
    constexpr std::size_t kLeastWidth = 16, kGap = 2;
    std::size_t sum = kGap * (widths.size() - 1);
    for (const std::size_t one : widths) sum += one;
    while (sum > width) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (table.columns[i].number || widths[i] <= kLeastWidth) continue;
            if (widest == widths.size() || widths[i] > widths[widest]) widest = i;
        }
        if (widest == widths.size()) return;
        --widths[widest];
        --sum;
    }
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

std::string alignedRows(const TextTable& table, std::size_t width) {
    std::vector<std::vector<std::string>> lines{{}};
    for (const TextTable::Column& column : table.columns) lines.front().push_back(headText(column));
    lines.insert(lines.end(), table.rows.begin(), table.rows.end());
    std::vector<std::size_t> widths(table.columns.size(), 0);
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], widthOf(line[i]));
    }
    if (width > 0 && !widths.empty()) fitWidths(widths, table, width);
    std::string text;
    for (const auto& line : lines) {
        std::vector<std::vector<std::string>> cells;
        std::size_t height = 1;
        for (std::size_t i = 0; i < line.size(); ++i) {
            cells.push_back(widthOf(line[i]) > widths[i] ? wrapped(line[i], widths[i]) : std::vector{line[i]});
            height = std::max(height, cells.back().size());
        }
        for (std::size_t k = 0; k < height; ++k) {
            std::string row;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const std::string cell = k < cells[i].size() ? cells[i][k] : "";
                const std::string padding(widths[i] - std::min(widths[i], widthOf(cell)), ' ');
                row += (i == 0 ? "" : "  ") + (table.columns[i].number ? padding + cell : cell + padding);
            }
            text += row.erase(row.find_last_not_of(' ') + 1) + "\n";
        }
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
