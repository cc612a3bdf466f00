// SPDX-License-Identifier: Apache-2.0
#include "io/convert_values.hpp"

#include "io/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace warplens::io {
namespace {

/// IEEE half precision.
struct Half {
    std::uint16_t bits = 0;
    operator float() const {
        const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
        const std::uint32_t exponent = bits >> 10 & 0x1fU;
        const std::uint32_t fraction = bits & 0x3ffU;
        if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000U | fraction << 13);
        if (exponent > 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
        const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
        return sign != 0 ? -magnitude : magnitude;
    }
};

/// One byte, true unless it is 0.
struct Truth {
    std::uint8_t byte = 0;
    operator std::uint8_t() const { return byte != 0 ? 1 : 0; }
};

template <class Stored, class T>
std::int64_t convert(const std::byte* stored, std::int64_t step, std::byte* out, std::int64_t outStep,
                     std::int64_t count, const std::string& where) {
    const auto from = static_cast<std::ptrdiff_t>(step * static_cast<std::int64_t>(sizeof(Stored)));
    auto* to = reinterpret_cast<T*>(out);
    std::int64_t changed = 0;
    for (std::int64_t i = 0; i < count; ++i, stored += from, to += outStep) {
        Stored value;
        std::memcpy(&value, stored, sizeof(Stored));
        if constexpr (std::is_same_v<Stored, T>) {
            *to = value;
        } else if constexpr (std::is_same_v<Stored, double>) {
            if (std::isfinite(value) && std::abs(value) > static_cast<double>(std::numeric_limits<float>::max())) {
                throw Error(Error::Kind::unsupported,
                            where + ": a value beyond the range of f32: scale the values first");
            }
            *to = static_cast<T>(value);
            changed += !std::isnan(value) && static_cast<double>(*to) != value;
        } else if constexpr (std::is_integral_v<Stored> && sizeof(Stored) >= 4) {
            *to = static_cast<T>(value);
            // A long double holds every 64-bit integer.
            changed += static_cast<long double>(*to) != static_cast<long double>(value);
        } else {
            *to = static_cast<T>(value);
        }
    }
    return changed;
}

/// Calls function with a value of the stored type.
template <class Function>
void withStored(std::string_view type, Function function) {
    if (type == "u8") function(std::uint8_t{});
    if (type == "bool") function(Truth{});
    if (type == "i8") function(std::int8_t{});
    if (type == "u16") function(std::uint16_t{});
    if (type == "i16") function(std::int16_t{});
    if (type == "u32") function(std::uint32_t{});
    if (type == "i32") function(std::int32_t{});
    if (type == "u64") function(std::uint64_t{});
    if (type == "i64") function(std::int64_t{});
    if (type == "f16") function(Half{});
    if (type == "f32") function(float{});
    if (type == "f64") function(double{});
}

}  // namespace

PixelType convertedType(std::string_view stored) {
    if (stored == "bool") return PixelType::u8;
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::u32, PixelType::i32}) {
        if (stored == nameOf(type)) return type;
    }
    return PixelType::f32;
}

std::int64_t bytesOfType(std::string_view type) {
    std::int64_t bytes = 0;
    withStored(type, [&]<class Stored>(Stored) { bytes = sizeof(Stored); });
    return bytes;
}

Conversion::Conversion(std::string_view stored, std::string where)
    : Conversion(stored, convertedType(stored), std::move(where)) {}

Conversion::Conversion(std::string_view stored, PixelType held, std::string where)
    : m_stored(stored), m_where(std::move(where)), m_held(held), m_plain(stored == nameOf(held)) {
    withStored(stored, [&]<class Stored>(Stored) {
        m_run = convert<Stored, float>;
        if (held == PixelType::f32) return;
        if constexpr (std::is_same_v<Stored, Truth>) {
            m_run = convert<Stored, std::uint8_t>;
        } else if constexpr (std::is_integral_v<Stored>) {
            m_run = convert<Stored, Stored>;
        }
    });
}

void Conversion::run(const std::byte* stored, std::int64_t step, std::byte* out, std::int64_t outStep,
                     std::int64_t count) {
    m_count += count;
    if (m_plain && step == 1 && outStep == 1) {
        std::memcpy(out, stored, static_cast<std::size_t>(count) * sizeOf(m_held));
        return;
    }
    m_changed += m_run(stored, step, out, outStep, count, m_where);
}

void Conversion::tell(Metadata& metadata) const {
    if (!m_plain) metadata.sourceType = m_stored;
    if (m_changed > 0) {
        metadata.notes.push_back(std::to_string(m_changed) + " of " + std::to_string(m_count) + " " + m_stored +
                                 " values were rounded to f32");
    } else if (m_stored == "bool") {
        metadata.notes.emplace_back("true was read as 1, false as 0");
    }
}

void convertValues(std::span<const std::byte> stored, std::string_view type, const Pick& pick, Grid& grid,
                   const std::string& where) {
    Conversion conversion(type, grid.type(), where);
    conversion.run(stored.data() + pick.first * bytesOfType(type), pick.step, grid.data(), 1, grid.shape().values());
    conversion.tell(grid.metadata);
}

void scaleValues(std::span<const std::byte> stored, std::string_view type, double slope, double intercept, Grid& grid) {
    auto* out = grid.as<float>();
    const auto count = static_cast<std::size_t>(grid.shape().values());
    withStored(type, [&]<class Stored>(Stored value) {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(&value, stored.data() + i * sizeof(Stored), sizeof(Stored));
            out[i] = static_cast<float>(static_cast<double>(value) * slope + intercept);
        }
    });
}

void swapBytes(std::span<std::byte> values, std::size_t size) {
    for (std::size_t i = 0; i + size <= values.size(); i += size) std::reverse(&values[i], &values[i] + size);
}

}  // namespace warplens::io
