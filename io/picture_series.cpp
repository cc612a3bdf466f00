// SPDX-License-Identifier: Apache-2.0
#include "io/picture_series.hpp"

#include "io/error.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

namespace warplens::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 1 << 20;

[[noreturn]] void refuse(const std::string& input, const std::string& what) {
    throw Error(Error::Kind::argument,
                input + ": " + what + ": put one run of # where the numbers are, as in series:folder/slice-###.png");
}

/// "slice-###.png" as what stands before and behind the number, and how many digits it has at least.
struct Pattern {
    std::string before, behind;
    std::size_t digits = 1;

    /// The number in a name that fits.
    std::optional<std::int64_t> numberIn(const std::string& name) const {
        if (name.size() < before.size() + digits + behind.size() || !name.starts_with(before) ||
            !name.ends_with(behind)) {
            return std::nullopt;
        }
        const auto text = std::string_view(name).substr(before.size(), name.size() - before.size() - behind.size());
        if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
        // More digits than asked for only where the number needs them, so that no number has two names.
        if (text.size() > digits && text.front() == '0') return std::nullopt;
        return parseNumber<std::int64_t>(text);
    }
    std::string nameOf(std::int64_t number) const {
        auto text = std::to_string(number);
        if (text.size() < digits) text.insert(0, digits - text.size(), '0');
        return before + text + behind;
    }
};

Pattern parsePattern(const std::string& input, const std::string& name) {
    Pattern pattern;
    auto begin = name.find('#');
    auto end = begin;
    if (begin != std::string::npos) {
        end = std::min(name.find_first_not_of('#', begin), name.size());
        pattern.digits = end - begin;
    } else {
        begin = name.find('%');
        if (begin == std::string::npos) refuse(input, "no place for the numbers");
        end = std::min(name.find_first_not_of("0123456789", begin + 1), name.size());
        if (end == name.size() || name[end] != 'd') refuse(input, "a % that is not followed by d");
        const auto width = std::string_view(name).substr(begin + 1, end - begin - 1);
        if (!width.empty() && width.front() != '0') refuse(input, "numbers padded with blanks");
        pattern.digits = std::max<std::size_t>(parseNumber<std::size_t>(width).value_or(1), 1);
        ++end;
    }
    pattern.before = name.substr(0, begin);
    pattern.behind = name.substr(end);
    if (pattern.behind.find_first_of("#%") != std::string::npos) refuse(input, "several places for numbers");
    if (pattern.digits > 18) refuse(input, "numbers that are too long");
    return pattern;
}

}  // namespace

bool isPictureSeries(const std::string& input) { return input.starts_with("series:"); }

std::vector<std::string> filesOfSeries(const std::string& input) {
    const fs::path path = input.substr(std::strlen("series:"));
    const auto folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const auto pattern = parsePattern(input, path.filename().string());
    std::set<std::int64_t> numbers;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator(); at.increment(failed)) {
        if (const auto number = pattern.numberIn(at->path().filename().string())) numbers.insert(*number);
        if (numbers.size() > kMostFiles) {
            throw Error(Error::Kind::limit, input + ": more than " + std::to_string(kMostFiles) + " files: take fewer");
        }
    }
    if (failed) {
        throw Error(Error::Kind::unreadable,
                    folder.string() + ": the folder cannot be listed (" + failed.message() + "): check the name");
    }
    if (numbers.empty()) {
        throw Error(Error::Kind::unreadable, input + ": no file in the folder has such a name: check the pattern");
    }
    std::vector<std::string> files;
    auto expected = *numbers.begin();
    for (const auto number : numbers) {
        if (number != expected) {
            throw Error(Error::Kind::unreadable, input + ": " + pattern.nameOf(expected) + " is missing before " +
                                                     pattern.nameOf(number) + ": add it, or number the files anew");
        }
        files.push_back((folder / pattern.nameOf(number)).string());
        ++expected;
    }
    return files;
}

Grid readPictureSeries(const std::string& input, const ReadOptions& options) {
    const auto files = filesOfSeries(input);
    ReadOptions each = options;
    each.progress = {};
    each.toFloat = false;  // the volume as a whole is converted, once
    auto first = read(files.front(), each);
    auto shape = first.shape();
    if (shape.depth != 1) {
        throw Error(Error::Kind::unsupported,
                    files.front() + ": a volume cannot be a slice of a series: open it alone");
    }
    shape.depth = static_cast<std::int64_t>(files.size());
    options.limits.check(shape, first.type(), input);
    Grid volume(shape, first.type());
    volume.metadata = first.metadata;
    volume.metadata.format = "series of " + first.metadata.format;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto slice = i == 0 ? std::move(first) : read(files[i], each);
        auto alike = slice.shape();
        alike.depth = shape.depth;
        if (!(alike == shape) || slice.shape().depth != 1 || slice.type() != volume.type() ||
            slice.metadata.sourceType != volume.metadata.sourceType) {
            throw Error(Error::Kind::unsupported, files[i] + ": another size or type than " + files.front() +
                                                      ": the slices of a volume have to agree");
        }
        std::memcpy(volume.data() + i * slice.bytes(), slice.data(), slice.bytes());
        if (options.progress) options.progress(static_cast<double>(i + 1) / static_cast<double>(files.size()));
    }
    return volume;
}

}  // namespace warplens::io
