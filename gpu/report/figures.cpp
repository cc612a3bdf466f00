// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace warplens::gpu {

namespace {

/// A true minus, and an exponent without the zeros that say no more: "e-06" is "e-6".
std::string dressed(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool padding = text[i] == '0' && i > 1 && text[i - 2] == 'e' && i + 1 < text.size();
        if (!padding) out += text[i] == '-' ? std::string("\u2212") : std::string(1, text[i]);
    }
    return out;
}

}  // namespace

std::string compact(double value, int digits) { return dressed(fmt::format("{:.{}g}", value, digits)); }

std::string scientific(double value, int digits) { return dressed(fmt::format("{:.{}e}", value, digits - 1)); }

std::string withCommas(std::int64_t value) {
    std::string digits = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return value < 0 ? "\u2212" + digits.substr(1) : digits;
}

std::string threeDigits(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "infinite" : "\u2212infinite";
    if (value < 0) return "\u2212" + threeDigits(-value);
    if (value == 0) return "0";
    if (value < 1e-6 || value >= 1e15) return fmt::format("{:.2e}", value);
    if (value >= 999.5) return withCommas(std::llround(value));
    // Rounding may carry into the next decade: 9.996 is "10.0".
    const double rounded = std::stod(fmt::format("{:.2e}", value));
    const int decimals = 2 - static_cast<int>(std::floor(std::log10(rounded)));
    return fmt::format("{:.{}f}", value, std::max(decimals, 0));
}

std::string byteSize(std::int64_t bytes) {
    static constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    const bool whole = value == std::floor(value) || value >= 100;
    return fmt::format("{:.{}f} {}", value, whole ? 0 : 1, kUnits[unit]);
}

std::string percent(double share) {
    const double value = share * 100;
    if (share < 1 && value >= 99.5) return "99.9 %";
    return value > 0 && value < 10 ? fmt::format("{:.1f} %", std::round(10 * value) / 10)
                                   : fmt::format("{:.0f} %", value);
}

}  // namespace warplens::gpu
