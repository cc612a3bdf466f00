// SPDX-License-Identifier: Apache-2.0
#include "io/byte_size.hpp"

#include <cctype>
#include <charconv>
#include <map>
#include <string>

namespace warplens::io {

std::optional<std::int64_t> byteSizeOf(std::string_view text) {
    static const std::map<std::string, double> units{
        {"", 1},      {"b", 1},      {"kb", 1e3},      {"mb", 1e6},           {"gb", 1e9},
        {"tb", 1e12}, {"kib", 1024}, {"mib", 1048576}, {"gib", 1073741824.0}, {"tib", 1099511627776.0}};
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, failure] = std::from_chars(text.data(), end, value);
    std::string unit;
    for (const char* c = stopped; c != end; ++c) {
        if (*c != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
    }
    const auto known = units.find(unit);
    if (failure != std::errc() || known == units.end()) return std::nullopt;
    const double bytes = value * known->second;
    // Neither comparison is true of NaN.
    return bytes >= 1 && bytes < 9e18 ? std::optional(static_cast<std::int64_t>(bytes)) : std::nullopt;
}

}  // namespace warplens::io
