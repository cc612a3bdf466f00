// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/volume_header.hpp"

#include "io/codecs/common.hpp"
#include "io/file.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
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

}  // namespace

std::int64_t bytesOfType(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 10> kTypes{{{"u8", 1},
                                                                                {"i8", 1},
                                                                                {"u16", 2},
                                                                                {"i16", 2},
                                                                                {"u32", 4},
                                                                                {"i32", 4},
                                                                                {"f32", 4},
                                                                                {"u64", 8},
                                                                                {"i64", 8},
                                                                                {"f64", 8}}};
    for (const auto& [name, bytes] : kTypes) {
        if (name == type) return bytes;
    }
    return 0;
}

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

std::int64_t neighbourBytes(const Source& source, const std::string& name) {
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

}  // namespace warplens::io::codecs
