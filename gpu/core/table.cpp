// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/table.hpp"

#include "gpu/core/result.hpp"
#include "io/npy_header.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace warplens::gpu {

namespace {

const Column& columnOf(const Table& table, const std::string& id) {
    const Column* column = table.find(id);
    if (column == nullptr) throw std::out_of_range("table " + table.id + " has no column " + id);
    return *column;
}

/// Code points of UTF-8, NumPy's own way to hold text.
std::u32string codePoints(const std::string& text) {
    std::u32string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        char32_t point = length == 1 ? lead : lead & (0x7fU >> length);
        for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
            point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
        out += point;
        i += length;
    }
    return out;
}

/// A column as fields of equal length, little-endian, one a row.
struct Field {
    std::string dtype;
    std::size_t bytes = 8;
    std::vector<std::u32string> texts;
};

Field fieldOf(const Column& column) {
    if (std::holds_alternative<Column::Integers>(column.values)) return {.dtype = "<i8", .bytes = 8, .texts = {}};
    if (std::holds_alternative<Column::Reals>(column.values)) return {.dtype = "<f8", .bytes = 8, .texts = {}};
    Field field;
    std::size_t longest = 1;
    for (const auto& text : std::get<Column::Texts>(column.values)) {
        field.texts.push_back(codePoints(text));
        longest = std::max(longest, field.texts.back().size());
    }
    field.dtype = "<U" + std::to_string(longest);
    field.bytes = longest * sizeof(char32_t);
    return field;
}

}  // namespace

std::size_t Column::size() const {
    return std::visit([](const auto& held) { return held.size(); }, values);
}

std::string Column::text(std::size_t row) const {
    if (const auto* integers = std::get_if<Integers>(&values)) return std::to_string((*integers)[row]);
    if (const auto* texts = std::get_if<Texts>(&values)) return (*texts)[row];
    const double real = std::get<Reals>(values)[row];
    return std::isnan(real) ? "" : io::formatNumber(real);
}

double Column::number(std::size_t row) const {
    if (const auto* integers = std::get_if<Integers>(&values)) return static_cast<double>((*integers)[row]);
    const auto* reals = std::get_if<Reals>(&values);
    return reals != nullptr ? (*reals)[row] : std::numeric_limits<double>::quiet_NaN();
}

const Column* Table::find(const std::string& column) const {
    const auto found = std::ranges::find(columns, column, &Column::id);
    return found == columns.end() ? nullptr : &*found;
}

const Column::Integers& Table::integers(const std::string& column) const {
    return std::get<Column::Integers>(columnOf(*this, column).values);
}
const Column::Reals& Table::reals(const std::string& column) const {
    return std::get<Column::Reals>(columnOf(*this, column).values);
}
const Column::Texts& Table::texts(const std::string& column) const {
    return std::get<Column::Texts>(columnOf(*this, column).values);
}

const Table* findTable(const Tables& tables, const std::string& id) {
    const auto found = std::ranges::find_if(tables, [&](const auto& table) { return table->id == id; });
    return found == tables.end() ? nullptr : found->get();
}

std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

std::string toCsv(const Table& table) {
    std::string text;
    for (const Column& column : table.columns) text += (text.empty() ? "" : ",") + csvField(column.id);
    text += '\n';
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            if (c > 0) text += ',';
            text += csvField(table.columns[c].text(row));
        }
        text += '\n';
    }
    return text;
}

std::vector<std::byte> toNpy(const Table& table) {
    std::vector<Field> fields;
    std::string dtype;
    std::size_t rowBytes = 0;
    for (const Column& column : table.columns) {
        fields.push_back(fieldOf(column));
        dtype += (dtype.empty() ? "('" : ", ('") + column.id + "', '" + fields.back().dtype + "')";
        rowBytes += fields.back().bytes;
    }
    const std::string head =
        io::formatNpyHeader({.dtype = '[' + dtype + ']', .fortranOrder = false, .shape = {std::int64_t(table.rows())}});
    std::vector<std::byte> file(head.size() + rowBytes * table.rows());
    std::memcpy(file.data(), head.data(), head.size());
    std::byte* to = file.data() + head.size();
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t c = 0; c < fields.size(); ++c) {
            const auto& values = table.columns[c].values;
            if (const auto* integers = std::get_if<Column::Integers>(&values))
                std::memcpy(to, &(*integers)[row], sizeof(std::int64_t));
            else if (const auto* reals = std::get_if<Column::Reals>(&values))
                std::memcpy(to, &(*reals)[row], sizeof(double));
            else
                std::memcpy(to, fields[c].texts[row].data(), fields[c].texts[row].size() * sizeof(char32_t));
            to += fields[c].bytes;
        }
    }
    return file;
}

}  // namespace warplens::gpu
