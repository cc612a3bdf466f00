// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warplens::io {

/// The type of one stored value. u8 spans 0..255, u16 spans 0..65535, f32 is IEEE single precision of any range.
enum class PixelType : std::uint8_t { u8, u16, f32 };

/// Bytes of one value: 1, 2 or 4.
constexpr std::size_t sizeOf(PixelType type) { return type == PixelType::u8 ? 1 : type == PixelType::u16 ? 2 : 4; }

/// "u8", "u16" or "f32".
constexpr const char* nameOf(PixelType type) {
    return type == PixelType::u8 ? "u8" : type == PixelType::u16 ? "u16" : "f32";
}

/// The type that T, one of std::uint8_t, std::uint16_t and float, is stored as.
template <class T>
constexpr PixelType typeOf() {
    static_assert(std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t> || std::is_same_v<T, float>);
    return std::is_same_v<T, std::uint8_t>    ? PixelType::u8
           : std::is_same_v<T, std::uint16_t> ? PixelType::u16
                                              : PixelType::f32;
}

}  // namespace warplens::io
