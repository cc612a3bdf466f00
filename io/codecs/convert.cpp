// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/convert.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace warplens::io::codecs {
namespace {

template <class Stored, class T>
std::int64_t convert(const std::byte* stored, const Pick& pick, T* out, std::int64_t count, const std::string& where) {
    std::int64_t changed = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        Stored value;
        std::memcpy(&value, stored + static_cast<std::size_t>(pick.first + i * pick.step) * sizeof(Stored),
                    sizeof(Stored));
        if constexpr (std::is_same_v<Stored, T>) {
            out[i] = value;
        } else if constexpr (std::is_same_v<Stored, double>) {
            if (std::isfinite(value) && std::abs(value) > static_cast<double>(std::numeric_limits<float>::max())) {
                unsupported(where, "a value beyond the range of f32", "scale the values first");
            }
            out[i] = static_cast<T>(value);
            changed += !std::isnan(value) && static_cast<double>(out[i]) != value;
        } else {
            out[i] = static_cast<T>(value);
            // A long double holds every 64-bit integer.
            changed += static_cast<long double>(out[i]) != static_cast<long double>(value);
        }
    }
    return changed;
}

/// Integers that a grid holds as they are.
template <class T>
constexpr bool kHeld = std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t> ||
                       std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int32_t>;

/// Calls function with a value of the stored type.
template <class Function>
void withType(std::string_view type, Function function) {
    if (type == "u8") function(std::uint8_t{});
    if (type == "i8") function(std::int8_t{});
    if (type == "u16") function(std::uint16_t{});
    if (type == "i16") function(std::int16_t{});
    if (type == "u32") function(std::uint32_t{});
    if (type == "i32") function(std::int32_t{});
    if (type == "u64") function(std::uint64_t{});
    if (type == "i64") function(std::int64_t{});
    if (type == "f32") function(float{});
    if (type == "f64") function(double{});
}

bool finite(const double* first, std::size_t count) {
    return std::all_of(first, first + count, [](double v) { return std::isfinite(v); });
}

double determinant(const std::array<double, 9>& d) {
    return d[0] * (d[4] * d[8] - d[5] * d[7]) - d[1] * (d[3] * d[8] - d[5] * d[6]) + d[2] * (d[3] * d[7] - d[4] * d[6]);
}

}  // namespace

PixelType convertedType(std::string_view stored) {
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::u32, PixelType::i32}) {
        if (stored == nameOf(type)) return type;
    }
    return PixelType::f32;
}

void convertValues(std::span<const std::byte> stored, std::string_view type, const Pick& pick, Grid& grid,
                   const std::string& where) {
    const auto count = grid.shape().values();
    std::int64_t changed = 0;
    withType(type, [&]<class Stored>(Stored) {
        if constexpr (kHeld<Stored>) {
            if (grid.type() == typeOf<Stored>()) {
                changed = convert<Stored>(stored.data(), pick, grid.as<Stored>(), count, where);
                return;
            }
        }
        changed = convert<Stored>(stored.data(), pick, grid.as<float>(), count, where);
    });
    if (changed > 0) {
        grid.metadata.notes.push_back(std::to_string(changed) + " of " + std::to_string(count) + " " +
                                      std::string(type) + " values were rounded to f32");
    }
}

void scaleValues(std::span<const std::byte> stored, std::string_view type, double slope, double intercept, Grid& grid) {
    auto* out = grid.as<float>();
    const auto count = static_cast<std::size_t>(grid.shape().values());
    withType(type, [&]<class Stored>(Stored value) {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(&value, stored.data() + i * sizeof(Stored), sizeof(Stored));
            out[i] = static_cast<float>(static_cast<double>(value) * slope + intercept);
        }
    });
}

void swapBytes(std::span<std::byte> values, std::size_t size) {
    for (std::size_t i = 0; i + size <= values.size(); i += size) std::reverse(&values[i], &values[i] + size);
}

void tidyGeometry(Grid& grid) {
    auto& g = grid.geometry;
    const Geometry usual;
    auto& notes = grid.metadata.notes;
    if (!finite(g.spacing.data(), 3) ||
        std::any_of(g.spacing.begin(), g.spacing.end(), [](double v) { return v <= 0; })) {
        g.spacing = usual.spacing;
        notes.emplace_back("the spacing in the file is none; 1 mm is assumed");
    }
    if (!finite(g.origin.data(), 3)) {
        g.origin = usual.origin;
        notes.emplace_back("the origin in the file is none; 0 is assumed");
    }
    if (!finite(g.direction.data(), 9) || std::abs(determinant(g.direction)) < 1e-6) {
        g.direction = usual.direction;
        notes.emplace_back("the direction in the file is none; the axes are taken as they are");
    }
}

}  // namespace warplens::io::codecs
