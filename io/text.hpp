// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Taking apart the texts that describe inputs.
namespace warplens::io {

/// The words of a description, quoted in messages without control characters, cut at 40.
inline std::string inQuotes(std::string_view text) {
    std::string shown(text.substr(0, 40));
    std::replace_if(
        shown.begin(), shown.end(), [](unsigned char c) { return c < 32 || c == 127; }, '?');
    return "'" + shown + "'";
}

/// The parts between the separators; one part, perhaps empty, where there is none.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

/// The whole text as a number of this type; none when it is anything else.
template <class T>
std::optional<T> parseNumber(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

/// The shortest decimal text that reads back as the same number.
inline std::string formatNumber(double value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

}  // namespace warplens::io
