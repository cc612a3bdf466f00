// SPDX-License-Identifier: Apache-2.0
#include "io/error.hpp"
#include "io/raw.hpp"
#include "io/text.hpp"

#include <cmath>
#include <filesystem>
#include <set>

namespace warplens::io {
namespace {

constexpr const char* kForm =
    "expected raw:FILE or "
    "raw:FILE:WxH[xD]:u8|u16|i16|u32|i32|f32[:c=N][:order=little|big][:skip=BYTES][:spacing=X,Y,Z]";

[[noreturn]] void refuse(const std::string& what, const std::string& remedy = kForm) {
    throw Error(Error::Kind::argument, "raw: " + what + ": " + remedy);
}

/// True for "12x34" and "12x34x56", whatever the numbers.
bool looksLikeExtents(std::string_view text) {
    const auto extents = split(text, 'x');
    return (extents.size() == 2 || extents.size() == 3) && std::all_of(extents.begin(), extents.end(), [](auto part) {
               return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
           });
}

std::int64_t extent(std::string_view text) {
    const auto value = parseNumber<std::int64_t>(text);
    if (!value || *value < 1) refuse("extent " + inQuotes(text) + " is out of range", "choose 1 or more");
    return *value;
}

Shape parseExtents(std::string_view text) {
    const auto extents = split(text, 'x');
    Shape shape{extent(extents[0]), extent(extents[1])};
    if (extents.size() == 3) shape.depth = extent(extents[2]);
    return shape;
}

RawType parseType(std::string_view text) {
    for (const auto type : {RawType::u8, RawType::u16, RawType::i16, RawType::u32, RawType::i32, RawType::f32}) {
        if (text == nameOf(type)) return type;
    }
    refuse("type " + inQuotes(text) + " is unknown", "choose u8, u16, i16, u32, i32 or f32");
}

std::array<double, 3> parseSpacing(std::string_view text) {
    const auto parts = split(text, ',');
    if (parts.size() != 3) refuse("spacing " + inQuotes(text), "give three lengths in mm, as in spacing=0.5,0.5,2");
    std::array<double, 3> spacing{};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto value = parseNumber<double>(parts[i]);
        if (!value || !std::isfinite(*value) || *value <= 0) {
            refuse("spacing " + inQuotes(parts[i]), "give lengths above 0, in mm");
        }
        spacing[i] = *value;
    }
    return spacing;
}

void parseKey(std::string_view key, std::string_view value, RawDescription& raw) {
    if (key == "c") {
        raw.shape.channels = parseNumber<int>(value).value_or(0);
        if (raw.shape.channels != 1 && raw.shape.channels != 3 && raw.shape.channels != 4) {
            refuse("c=" + std::string(value.substr(0, 20)), "choose 1, 3 or 4 channels");
        }
    } else if (key == "order") {
        if (value != "little" && value != "big") refuse("order " + inQuotes(value), "choose little or big");
        raw.bigEndian = value == "big";
    } else if (key == "skip") {
        raw.skip = parseNumber<std::int64_t>(value).value_or(-1);
        if (raw.skip < 0) refuse("skip " + inQuotes(value), "give the bytes before the first value, 0 or more");
    } else if (key == "spacing") {
        raw.spacing = parseSpacing(value);
    } else {
        refuse("the key " + inQuotes(key) + " is unknown", "choose c, order, skip or spacing");
    }
}

}  // namespace

bool isRaw(const std::string& input) { return input.starts_with("raw:"); }

RawDescription parseRaw(const std::string& input) {
    const std::string rest = input.substr(4);
    const auto parts = split(rest, ':');
    // A file's name may hold colons, and even what looks like extents: the last such part counts.
    std::size_t at = parts.size();
    while (at > 1 && !looksLikeExtents(parts[at - 1])) --at;
    RawDescription raw;
    if (at <= 1) {
        raw.file = rest;
        raw.wholeFile = true;
        if (raw.file.empty()) refuse("no file is named");
        return raw;
    }
    --at;
    raw.file = rest.substr(0, static_cast<std::size_t>(parts[at].data() - rest.data()) - 1);
    if (raw.file.empty()) refuse("no file is named");
    if (at + 1 == parts.size()) refuse("the type is missing after " + inQuotes(parts[at]));
    raw.shape = parseExtents(parts[at]);
    raw.type = parseType(parts[at + 1]);
    std::set<std::string_view> seen;
    for (std::size_t i = at + 2; i < parts.size(); ++i) {
        const auto equals = parts[i].find('=');
        if (equals == std::string_view::npos || equals == 0) refuse(inQuotes(parts[i]) + " is not key=value");
        const auto key = parts[i].substr(0, equals);
        if (!seen.insert(key).second) refuse("the key " + inQuotes(key) + " is given twice", "give it once");
        parseKey(key, parts[i].substr(equals + 1), raw);
    }
    return raw;
}

std::string formatRaw(const RawDescription& raw) {
    if (raw.wholeFile) return "raw:" + raw.file;
    const auto& s = raw.shape;
    auto text = "raw:" + raw.file + ":" + std::to_string(s.width) + "x" + std::to_string(s.height);
    if (s.depth > 1) text += "x" + std::to_string(s.depth);
    text += std::string(":") + nameOf(raw.type);
    if (s.channels != 1) text += ":c=" + std::to_string(s.channels);
    if (raw.bigEndian) text += ":order=big";
    if (raw.skip != 0) text += ":skip=" + std::to_string(raw.skip);
    if (raw.spacing != std::array<double, 3>{1, 1, 1}) {
        text += ":spacing=" + formatNumber(raw.spacing[0]) + "," + formatNumber(raw.spacing[1]) + "," +
                formatNumber(raw.spacing[2]);
    }
    return text;
}

}  // namespace warplens::io
