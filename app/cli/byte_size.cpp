// SPDX-License-Identifier: Apache-2.0
#include "app/cli/byte_size.hpp"

#include "app/cli/exit_status.hpp"

#include <cctype>
#include <charconv>
#include <map>

namespace warplens::cli {

std::int64_t parseByteSize(const std::string& option, const std::string& text) {
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
    // The comparison is false for NaN.
    if (failure == std::errc() && known != units.end() && value * known->second >= 1 && value * known->second < 9e18) {
        return static_cast<std::int64_t>(value * known->second);
    }
    throw ArgumentError(option + " " + text + ": give a size, as in 800MB, 1GB or 512MiB");
}

}  // namespace warplens::cli
