// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace warplens::io {

/// The type of one stored value. u8 spans 0..255, u16 spans 0..65535, f32 is IEEE single precision of any range. u32
/// and i32 span all of 32 bits: results such as sums, steps and labels, and masks.
enum class PixelType : std::uint8_t { u8, u16, f32, u32, i32 };

/// Whether values are integers of 32 bits, which no float holds exactly.
constexpr bool isWideInteger(PixelType type) { return type == PixelType::u32 || type == PixelType::i32; }

/// Bytes of one value: 1, 2 or 4.
constexpr std::size_t sizeOf(PixelType type) { return type == PixelType::u8 ? 1 : type == PixelType::u16 ? 2 : 4; }

/// "u8", "u16", "f32", "u32" or "i32".
constexpr const char* nameOf(PixelType type) {
    switch (type) {
        case PixelType::u8: return "u8";
        case PixelType::u16: return "u16";
        case PixelType::f32: return "f32";
        case PixelType::u32: return "u32";
        case PixelType::i32: return "i32";
    }
    return "";
}

/// The type that T, one of std::uint8_t, std::uint16_t, float, std::uint32_t and std::int32_t, is stored as.
template <class T>
constexpr PixelType typeOf() {
    if constexpr (std::is_same_v<T, std::uint8_t>) {
        return PixelType::u8;
    } else if constexpr (std::is_same_v<T, std::uint16_t>) {
        return PixelType::u16;
    } else if constexpr (std::is_same_v<T, std::uint32_t>) {
        return PixelType::u32;
    } else if constexpr (std::is_same_v<T, std::int32_t>) {
        return PixelType::i32;
    } else {
        static_assert(std::is_same_v<T, float>);
        return PixelType::f32;
    }
}

/// Calls f(T{}) with the type that values of a picture are stored as: std::uint8_t, std::uint16_t or float. Integers of
/// 32 bits are results and labels, which nobody may bring here: throws std::logic_error.
template <class F>
constexpr decltype(auto) withSampleType(PixelType type, F&& f) {
    switch (type) {
        case PixelType::u8: return f(std::uint8_t{});
        case PixelType::u16: return f(std::uint16_t{});
        case PixelType::f32: return f(float{});
        case PixelType::u32:
        case PixelType::i32: break;
    }
    throw std::logic_error("integers of 32 bits are no samples of a picture");
}

/// The same for all types, std::uint32_t and std::int32_t included.
template <class F>
constexpr decltype(auto) withType(PixelType type, F&& f) {
    if (type == PixelType::u32) return f(std::uint32_t{});
    if (type == PixelType::i32) return f(std::int32_t{});
    return withSampleType(type, std::forward<F>(f));
}

}  // namespace warplens::io
