// SPDX-License-Identifier: Apache-2.0
#include "io/printable.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace warplens::io {
namespace {

struct Piece {
    std::size_t bytes = 1;
    bool valid = false, prints = false;
};

/// What a terminal or a reader would obey or not show: control characters, line separators, changes of direction.
bool prints(std::uint32_t code) {
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
    return code != 0x2028 && code != 0x2029 && !(code >= 0x202a && code <= 0x202e) &&
           !(code >= 0x2066 && code <= 0x2069);
}

/// The character at the beginning of a text that is not empty; a byte that begins none stands for itself.
Piece makePartition(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80) return {1, true, prints(first)};
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
    std::uint32_t code = first & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xc0U) != 0x80) return {};
        code = code << 6 | (next & 0x3fU);
    }
    constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < kLeast[bytes] || code > 0x10ffff || surrogate) return {};
    return {bytes, true, prints(code)};
}

bool needsEscapes(std::string_view text) {
    if (text.find("\\x") != std::string_view::npos) return true;
    while (!text.empty()) {
        const Piece piece = makePartition(text);
        if (!piece.prints) return true;
        text.remove_prefix(piece.bytes);
    }
    return false;
}

std::string escaped(std::string_view text, bool lines) {
    constexpr const char* kDigits = "0123456789ABCDEF";
    std::string shown;
    while (!text.empty()) {
        const Piece piece = makePartition(text);
        const auto bytes = text.substr(0, piece.bytes);
        if (piece.prints || (lines && bytes == "\n")) {
            shown += bytes;
            if (!lines && bytes == "\\") shown += '\\';
        } else {
            for (const char c : bytes) {
                const auto byte = static_cast<unsigned char>(c);
                shown += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15U]};
            }
        }
        text.remove_prefix(piece.bytes);
    }
    return shown;
}

}  // namespace

std::string printable(std::string_view text) { return needsEscapes(text) ? escaped(text, false) : std::string(text); }

std::string printableLines(std::string_view text) { return escaped(text, true); }

bool isUtf8(std::string_view text) {
    while (!text.empty()) {
        const Piece piece = makePartition(text);
        if (!piece.valid) return false;
        text.remove_prefix(piece.bytes);
    }
    return true;
}

}  // namespace warplens::io
