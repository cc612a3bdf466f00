// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/length_unit.hpp"

#include <array>
#include <utility>

namespace warplens::io::codecs {
namespace {

using Unit = std::pair<std::string_view, double>;

std::string replaced(const std::string& text, std::string_view from, std::string_view to) {
    std::string out;
    std::size_t begin = 0;
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
        out.append(text, begin, at - begin).append(to);
        begin = at + from.size();
    }
    return out.append(text, begin);
}

/// Micro and Angstrom signs in ASCII, without blanks around.
std::string plain(std::string_view unit) {
    const auto begin = unit.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    std::string text(unit.substr(begin, unit.find_last_not_of(" \t\r") - begin + 1));
    // Micro sign and Greek mu, in UTF-8 and as Java escapes them, then the micro sign of Latin-1.
    for (const char* micro : {"\xc2\xb5", "\xce\xbc", "\\u00B5", "\\u00b5", "\\u03BC", "\\u03bc", "\xb5"}) {
        text = replaced(text, micro, "u");
    }
    for (const char* sign : {"\xc3\x85", "\xe2\x84\xab", "\\u00C5", "\\u00c5", "\xc5"})
        text = replaced(text, sign, "A");
    return text;
}

/// "Micrometres" becomes "micrometer", "inches" and "feet" the one of them.
std::string word(std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (text == "inches") return "inch";
    if (text == "feet") return "foot";
    if (text.size() > 3 && text.ends_with('s')) text.pop_back();
    if (text.ends_with("metre")) std::swap(text[text.size() - 2], text.back());
    return text;
}

}  // namespace

std::optional<double> millimetresIn(std::string_view unit) {
    // Upper and lower case mean different ones: Mm and mm.
    constexpr std::array<Unit, 22> kSigns{
        {{"mm", 1},   {"um", 1e-3},      {"nm", 1e-6},     {"pm", 1e-9},     {"fm", 1e-12}, {"am", 1e-15},
         {"cm", 10},  {"dm", 100},       {"m", 1e3},       {"dam", 1e4},     {"hm", 1e5},   {"km", 1e6},
         {"Mm", 1e9}, {"Gm", 1e12},      {"in", 25.4},     {"ft", 304.8},    {"yd", 914.4}, {"mi", 1609344},
         {"A", 1e-7}, {"pt", 25.4 / 72}, {"thou", 0.0254}, {"li", 25.4 / 12}}};
    constexpr std::array<Unit, 17> kWords{{{"millimeter", 1},
                                           {"micrometer", 1e-3},
                                           {"micron", 1e-3},
                                           {"nanometer", 1e-6},
                                           {"picometer", 1e-9},
                                           {"centimeter", 10},
                                           {"decimeter", 100},
                                           {"meter", 1e3},
                                           {"kilometer", 1e6},
                                           {"inch", 25.4},
                                           {"\"", 25.4},
                                           {"foot", 304.8},
                                           {"yard", 914.4},
                                           {"mil", 0.0254},
                                           {"angstrom", 1e-7},
                                           {"um", 1e-3},
                                           {"mm", 1}}};
    const auto text = plain(unit);
    for (const auto& [sign, mm] : kSigns) {
        if (text == sign) return mm;
    }
    for (const auto& [name, mm] : kWords) {
        if (word(text) == name) return mm;
    }
    return std::nullopt;
}

}  // namespace warplens::io::codecs
