// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/volume_header.hpp"

#include "io/codecs/common.hpp"
#include "io/file.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>
#include <sys/stat.h>

namespace warplens::io::codecs {
namespace {

// Deflate cannot do better, by its format.
constexpr std::int64_t kMostDeflateRatio = 1032;
// A bzip2 block is 900,000 bytes of runs, each at most 259 bytes in 5; it takes its magic number and checksum, and
// a stream its own beginning and end.
constexpr std::int64_t kMostBzip2BlockBytes = 46'620'000;
constexpr std::int64_t kLeastBzip2Block = 10;
constexpr std::int64_t kLeastBzip2Stream = 14;
constexpr std::int64_t kMostFiles = 65535;

using Vector = std::array<double, 3>;

double lengthOf(const Vector& v) { return std::hypot(v[0], v[1], v[2]); }

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

std::int64_t valuesOf(const VolumeHeader& header, const char* title, const std::string& where) {
    std::int64_t values = 1;
    for (const auto size : header.sizes) {
        if (size < 1) damaged(where, title, "an axis of " + std::to_string(size) + " values");
        if (__builtin_mul_overflow(values, size, &values)) damaged(where, title, "sizes beyond 64 bits");
    }
    return values;
}

void checkBytes(const VolumeHeader& header, const char* title, const Source& source) {
    const auto values = valuesOf(header, title, source.where);
    std::int64_t needed = 0;
    if (__builtin_mul_overflow(values, bytesOfType(header.type), &needed)) {
        damaged(source.where, title, "sizes beyond 64 bits");
    }
    if (values > source.limits.pixels || needed > source.limits.bytes) {
        throw Error(Error::Kind::limit, source.where + ": " + std::to_string(values) + " values of " + header.type +
                                            " are over the limit of " + std::to_string(source.limits.pixels) +
                                            " values or " + std::to_string(source.limits.bytes) +
                                            " bytes: crop the volume first");
    }
    // The least that so many values take in the file.
    const auto least = header.packing == Packing::plain     ? needed
                       : header.packing == Packing::hex     ? 2 * needed
                       : header.packing == Packing::text    ? 2 * values - 1
                       : header.packing == Packing::unknown ? 0
                       : header.packing == Packing::bzip2
                           ? kLeastBzip2Stream + ((needed - 1) / kMostBzip2BlockBytes + 1) * kLeastBzip2Block
                           : (needed + kMostDeflateRatio - 1) / kMostDeflateRatio;
    if (header.dataBytes < least) {
        const std::string atLeast = header.packing == Packing::plain ? "" : "at least ";
        throw Error(Error::Kind::unreadable, source.where + ": the header asks for " + atLeast + std::to_string(least) +
                                                 " bytes of values, " + std::to_string(least - header.dataBytes) +
                                                 " are missing: the file is truncated, copy it again");
    }
    if (source.limits.allowed) source.limits.allowed(needed);
}

std::int64_t neighbourBytes(const Source& source, const std::string& given) {
    const auto name = given.starts_with("./") ? given.substr(2) : given;
    if (name.empty() || name.size() > 255 || name == "." || name == ".." || name.find('/') != std::string::npos ||
        name.find('\0') != std::string::npos) {
        unsupported(source.where, "its values are in " + inQuotes(name) + ", which names no file in the same folder",
                    "put that file beside the header and name it alone");
    }
    if (source.named) source.named(name);
    const auto path = std::filesystem::path(source.path).parent_path() / name;
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
        throw Error(Error::Kind::unreadable, source.where + ": the file with its values, " + inQuotes(name) +
                                                 ", is not beside it: copy it there");
    }
    if (!S_ISREG(status.st_mode)) {
        throw Error(Error::Kind::unreadable, source.where + ": " + inQuotes(name) +
                                                 ", which should hold its values, is no plain file: copy it there");
    }
    if (status.st_size > source.limits.fileBytes) {
        throw Error(Error::Kind::limit, source.where + ": " + inQuotes(name) + " is over the limit of " +
                                            std::to_string(source.limits.fileBytes) + " bytes: crop it first");
    }
    return status.st_size;
}

std::vector<std::string> namesOfPattern(const Source& source, const std::string& pattern, std::int64_t first,
                                        std::int64_t last, std::int64_t step) {
    const auto refuse = [&](const char* why) { damaged(source.where, "header", why); };
    const auto percent = pattern.find('%');
    auto end = percent + 1;
    while (end < pattern.size() && pattern[end] >= '0' && pattern[end] <= '9') ++end;
    const auto width = end > percent + 1 ? parseNumber<int>(pattern.substr(percent + 1, end - percent - 1)) : 0;
    if (end >= pattern.size() || pattern[end] != 'd' || !width || *width > 20 ||
        pattern.find('%', end) != std::string::npos) {
        refuse("a pattern of file names with other than one %d");
    }
    const bool zeros = end > percent + 1 && pattern[percent + 1] == '0';
    if (first < 0 || last < first || step < 1 || (last - first) / step >= kMostFiles) {
        refuse("a range of file names that makes no sense");
    }
    std::vector<std::string> names;
    for (auto number = first; number <= last; number += step) {
        auto digits = std::to_string(number);
        const auto length = static_cast<std::size_t>(*width);
        if (digits.size() < length) digits.insert(0, length - digits.size(), zeros ? '0' : ' ');
        names.push_back(pattern.substr(0, percent) + digits + pattern.substr(end + 1));
    }
    return names;
}

std::int64_t sharedBytes(const Source& source, const std::vector<std::string>& names, std::int64_t skipped) {
    if (names.empty()) return 0;
    auto least = std::numeric_limits<std::int64_t>::max();
    for (const auto& name : names) least = std::min(least, neighbourBytes(source, name) - skipped);
    return std::max<std::int64_t>(least, 0) * static_cast<std::int64_t>(names.size());
}

std::vector<std::string> pathsOf(const Source& source, const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const auto& name : names) paths.push_back((std::filesystem::path(source.path).parent_path() / name).string());
    return paths;
}

void checkTextEnds(const std::string& path, const char* title, const Source& source) {
    InputFile file(path);
    std::array<char, 1> last{};
    if (file.size() > 0) {
        file.seek(file.size() - 1);
        file.readExactly(std::as_writable_bytes(std::span(last)));
    }
    if (last[0] == ' ' || (last[0] >= '\t' && last[0] <= '\r')) return;
    damaged(source.where, title, "its last number may be cut off, as no line break follows it");
}

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    while (true) {
        const auto begin = text.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos) return found;
        const auto end = std::min(text.find_first_of(" \t\r", begin), text.size());
        found.push_back(text.substr(begin, end - begin));
        text.remove_prefix(end);
    }
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

std::optional<LengthUnit> lengthUnit(std::string_view name) {
    struct Known {
        std::string_view name;  ///< of a metre and its parts without its ending
        LengthUnit unit;
    };
    constexpr std::array<Known, 25> kUnits{
        {{"mm", {1, 1}},         {"millimet", {1, 1}},   {"um", {1, 1e3}},        {"\u00b5m", {1, 1e3}},
         {"\u03bcm", {1, 1e3}},  {"\xb5m", {1, 1e3}},    {"micron", {1, 1e3}},    {"microns", {1, 1e3}},
         {"micromet", {1, 1e3}}, {"nm", {1, 1e6}},       {"nanomet", {1, 1e6}},   {"pm", {1, 1e9}},
         {"picomet", {1, 1e9}},  {"angstrom", {1, 1e7}}, {"angstroms", {1, 1e7}}, {"\u00c5", {1, 1e7}},
         {"cm", {10, 1}},        {"centimet", {10, 1}},  {"dm", {100, 1}},        {"decimet", {100, 1}},
         {"m", {1000, 1}},       {"met", {1000, 1}},     {"in", {25.4, 1}},       {"inch", {25.4, 1}},
         {"inches", {25.4, 1}}}};
    auto text = lower(trimmed(name));
    for (const std::string_view ending : {"ers", "res", "er", "re"}) {
        // Both spellings of metre, both numbers.
        if (text.size() > ending.size() + 2 && text.ends_with(ending)) {
            text.resize(text.size() - ending.size());
            break;
        }
    }
    const auto* known = std::find_if(kUnits.begin(), kUnits.end(), [&](const Known& one) { return one.name == text; });
    if (known == kUnits.end()) return std::nullopt;
    return known->unit;
}

void setSteps(Geometry& geometry, const std::vector<std::array<double, 3>>& steps) {
    std::array<Vector, 3> units{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const auto given = std::min<std::size_t>(steps.size(), 3);
    for (std::size_t axis = 0; axis < given; ++axis) {
        const auto length = lengthOf(steps[axis]);
        geometry.spacing[axis] = length;
        for (std::size_t row = 0; row < 3; ++row) units[axis][row] = length > 0 ? steps[axis][row] / length : 0;
    }
    if (given == 1) {
        // Of the axes of space the one that stands best on it.
        Vector other{};
        other[static_cast<std::size_t>(std::min_element(units[0].begin(), units[0].end(),
                                                        [](double a, double b) { return std::abs(a) < std::abs(b); }) -
                                       units[0].begin())] = 1;
        const auto third = cross(units[0], other);
        for (std::size_t row = 0; row < 3; ++row) units[2][row] = third[row] / std::max(lengthOf(third), 1e-300);
        units[1] = cross(units[2], units[0]);
    }
    if (given == 2) {
        const auto third = cross(units[0], units[1]);
        for (std::size_t row = 0; row < 3; ++row) units[2][row] = third[row] / std::max(lengthOf(third), 1e-300);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t row = 0; row < 3; ++row) geometry.direction[3 * row + axis] = units[axis][row];
    }
}

}  // namespace warplens::io::codecs
