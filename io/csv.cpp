// SPDX-License-Identifier: Apache-2.0
#include "io/csv.hpp"

#include "io/error.hpp"
#include "io/text.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace warplens::io {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The cells of a line that is not empty: with a comma or a semicolon between them, or else blanks.
std::vector<std::string_view> cellsOf(std::string_view line) {
    std::vector<std::string_view> cells;
    const bool separated = line.find_first_of(",;") != std::string_view::npos;
    while (true) {
        const auto end = line.find_first_of(separated ? ",;" : kBlanks);
        cells.push_back(trimmed(line.substr(0, end)));
        if (end == std::string_view::npos) return cells;
        line.remove_prefix(end + 1);
        if (!separated) line = trimmed(line);
    }
}

}  // namespace

bool isCsv(const std::string& path) {
    constexpr std::string_view kEnd = ".csv";
    if (path.size() < kEnd.size()) return false;
    for (std::size_t i = 0; i < kEnd.size(); ++i) {
        const auto letter = static_cast<unsigned char>(path[path.size() - kEnd.size() + i]);
        if (std::tolower(letter) != kEnd[i]) return false;
    }
    return true;
}

Grid parseCsv(std::string_view text, const std::string& name, const ReadOptions& options) {
    const auto refuse = [&](std::size_t row, const std::string& what) {
        return Error(Error::Kind::unreadable, name + ": row " + std::to_string(row) + what);
    };
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // the mark that some programs begin UTF-8 with
    std::vector<float> values;
    std::size_t rows = 0, columns = 0;
    for (const std::string_view whole : split(text, '\n')) {
        const std::string_view line = trimmed(whole);
        if (line.empty()) continue;
        const auto cells = cellsOf(line);
        ++rows;
        if (line.find(',') != line.npos && line.find(';') != line.npos)
            throw refuse(rows, " has commas and semicolons: give decimal points, and one kind of separator");
        if (rows == 1) columns = cells.size();
        if (cells.size() != columns) {
            throw refuse(rows, " has " + std::to_string(cells.size()) + (cells.size() == 1 ? " number" : " numbers") +
                                   ", the first " + std::to_string(columns) + ": give every row the same number");
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto value = parseNumber<double>(cells[i].starts_with('+') ? cells[i].substr(1) : cells[i]);
            if (!value)
                throw refuse(rows, ", column " + std::to_string(i + 1) + ": " + inQuotes(cells[i]) +
                                       " is no number: give numbers with commas between them");
            if (std::isfinite(*value) && std::abs(*value) > std::numeric_limits<float>::max())
                throw refuse(rows, ", column " + std::to_string(i + 1) + ": " + inQuotes(cells[i]) +
                                       " is larger than any number of 32 bits: give it smaller");
            values.push_back(static_cast<float>(*value));
        }
    }
    if (values.empty()) throw Error(Error::Kind::unreadable, name + ": the table is empty: give rows of numbers");
    const Shape shape{static_cast<std::int64_t>(columns), static_cast<std::int64_t>(rows)};
    options.limits.check(shape, PixelType::f32, name);
    Grid grid(shape, PixelType::f32);
    std::memcpy(grid.data(), values.data(), grid.bytes());
    grid.metadata.format = "csv";
    return grid;
}

std::string toCsv(const Grid& grid, const std::string& where) {
    const Shape& shape = grid.shape();
    if (shape.depth > 1 || shape.channels > 1)
        throw Error(Error::Kind::unsupported, where + ": CSV holds one channel of one slice, and this has " +
                                                  (shape.depth > 1 ? std::to_string(shape.depth) + " slices"
                                                                   : std::to_string(shape.channels) + " channels") +
                                                  ": write .npy");
    std::string text;
    withType(grid.type(), [&](auto zero) {
        using T = decltype(zero);
        const T* value = grid.as<T>();
        std::array<char, 32> digits{};
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *value++).ptr;
                text.append(digits.data(), end);
                text += x + 1 < shape.width ? ',' : '\n';
            }
    });
    return text;
}

}  // namespace warplens::io
