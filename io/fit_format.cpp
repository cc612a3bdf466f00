// SPDX-License-Identifier: Apache-2.0
#include "io/fit_format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <type_traits>

namespace warplens::io {

namespace {

using Range = FitOptions::Range;

/// The largest value of an integer type; 0: it has none that is white.
double whiteOf(PixelType type) { return type == PixelType::u8 ? UINT8_MAX : type == PixelType::u16 ? UINT16_MAX : 0; }

/// The least and the largest value that is finite.
Range extremesOf(const Grid& picture) {
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    withType(picture.type(), [&](auto sample) {
        using T = decltype(sample);
        const auto* values = picture.as<T>();
        for (std::int64_t i = 0; i < picture.shape().values(); ++i) {
            const auto value = static_cast<double>(values[i]);
            if (!std::isfinite(value)) continue;
            range = {std::min(range.low, value), std::max(range.high, value)};
        }
    });
    return range.low <= range.high ? range : Range{0, 1};
}

bool writes(const Format& format, PixelType type) {
    return std::ranges::find(format.writes, type) != format.writes.end();
}

PixelType typeFor(const Format& format, const Grid& picture, const FitOptions& options) {
    if (format.coloursInBytes && picture.shape().channels > 1) return PixelType::u8;
    if (options.type && writes(format, *options.type)) return *options.type;
    if (writes(format, picture.type())) return picture.type();
    for (const PixelType type : {PixelType::f32, PixelType::u16})
        if (writes(format, type)) return type;
    return PixelType::u8;
}

bool sameRange(PixelType from, PixelType to, const Range& range) {
    return from == to && (whiteOf(to) == 0 || (range.low == 0 && range.high == whiteOf(to)));
}

template <class To>
To converted(double value, const Range& range) {
    if constexpr (std::is_same_v<To, float>) {
        return static_cast<float>(value);
    } else {
        constexpr double kMost = std::numeric_limits<To>::max(), kLeast = std::numeric_limits<To>::min();
        const double width = range.high - range.low;
        // Sums and labels are counts, which no range scales.
        const double scaled = sizeof(To) == 4 ? value : width > 0 ? (value - range.low) / width * kMost : 0;
        return std::isnan(scaled) ? To{} : static_cast<To>(std::clamp(std::round(scaled), kLeast, kMost));
    }
}

std::string share(std::int64_t part, std::int64_t whole) {
    std::array<char, 32> text{};
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    std::snprintf(text.data(), text.size(), percent < 0.1 ? "%.1g %%" : "%.1f %%", percent);
    return text.data();
}

/// Of two tests of values of 16-bit floats: whether one is so large, and whether it has so many digits.
bool tooLargeForHalf(float value) { return std::isfinite(value) && std::abs(value) >= 65520; }

bool roundedByHalf(float value) {
    if (!std::isfinite(value) || value == 0 || tooLargeForHalf(value)) return false;
    int exponent = 0;
    std::frexp(value, &exponent);
    // 11 significant bits, and none below 2^-24.
    const double scaled = std::ldexp(static_cast<double>(value), std::min(24, 11 - exponent));
    return scaled != std::trunc(scaled);
}

/// What 16-bit floats lose.
void addLostByHalf(const Grid& picture, std::vector<std::string>& lost) {
    const std::int64_t all = picture.shape().values();
    std::int64_t large = 0, rounded = 0;
    withType(picture.type(), [&](auto sample) {
        const auto* values = picture.as<decltype(sample)>();
        for (std::int64_t i = 0; i < all; ++i) {
            large += tooLargeForHalf(static_cast<float>(values[i])) ? 1 : 0;
            rounded += roundedByHalf(static_cast<float>(values[i])) ? 1 : 0;
        }
    });
    if (rounded > 0) lost.push_back(share(rounded, all) + " of the values are rounded to 16-bit floats");
    if (large > 0) lost.push_back(share(large, all) + " of the values become infinite");
}

std::string levels(PixelType type) { return type == PixelType::u8 ? "8 bits" : "16 bits"; }

}  // namespace

Range usualRange(const Grid& picture, const Grid& original) {
    if (isWideInteger(picture.type())) {
        const double most = extremesOf(picture).high;
        return {0, most <= UINT8_MAX ? UINT8_MAX : most <= UINT16_MAX ? UINT16_MAX : most};
    }
    if (const double white = whiteOf(picture.type()); white > 0) return {0, white};
    if (const double white = whiteOf(original.type()); white > 0) return {0, white};
    const Range found = extremesOf(picture);
    return found.low >= 0 && found.high <= 1 ? Range{0, 1} : found;
}

std::optional<FormatFit> fitFor(const Format& format, const Grid& picture, const FitOptions& options) {
    if (format.writes.empty() || picture.empty() || (picture.shape().depth > 1 && !format.volumes)) return {};
    FormatFit fit{typeFor(format, picture, options), !format.alpha && picture.shape().channels > 3, options.range};
    // Integers stay what they are where the type does, unless a range is asked for that is not the type's.
    fit.changes = fit.dropsAlpha || !sameRange(picture.type(), fit.type, fit.range);
    return fit;
}

Grid fitted(const Grid& picture, const FormatFit& fit) {
    Shape shape = picture.shape();
    if (fit.dropsAlpha) shape.channels = 3;
    Grid made(shape, fit.type);
    made.geometry = picture.geometry;
    made.metadata = picture.metadata;
    made.metadata.sourceType.clear();
    const int from = picture.shape().channels, to = shape.channels;
    withType(picture.type(), [&](auto source) {
        withType(fit.type, [&](auto target) {
            const auto* in = picture.as<decltype(source)>();
            auto* out = made.as<decltype(target)>();
            for (std::int64_t i = 0; i < shape.pixels(); ++i, in += from, out += to)
                for (int channel = 0; channel < to; ++channel)
                    out[channel] = converted<decltype(target)>(static_cast<double>(in[channel]), fit.range);
        });
    });
    return made;
}

std::vector<std::string> lostBy(const Format& format, const Grid& picture, const FormatFit& fit,
                                const EncodeOptions& options) {
    std::vector<std::string> lost;
    if (fit.changes && whiteOf(fit.type) > 0) {
        const bool wide = whiteOf(picture.type()) == 0;
        if (picture.type() == PixelType::f32) lost.push_back("fractions are rounded to " + levels(fit.type));
        if (picture.type() == PixelType::u16 && fit.type == PixelType::u8) lost.emplace_back("16 bits become 8");
        std::int64_t cut = 0;
        if (wide)
            withType(picture.type(), [&](auto sample) {
                const auto* values = picture.as<decltype(sample)>();
                for (std::int64_t i = 0; i < picture.shape().values(); ++i) {
                    const auto value = static_cast<double>(values[i]);
                    cut += !(value >= fit.range.low && value <= fit.range.high) ? 1 : 0;
                }
            });
        if (cut > 0) lost.push_back(share(cut, picture.shape().values()) + " of the values are cut");
    }
    if (fit.dropsAlpha) lost.emplace_back("transparency");
    if (!format.grey && picture.shape().channels == 1) lost.emplace_back("grey becomes three channels that are alike");
    const StorageWay* way = wayOf(format, options.way);
    if (way != nullptr && way->halfPrecision) addLostByHalf(picture, lost);
    const bool detail = format.quality && (format.losslessFrom == 0 || options.quality < format.losslessFrom);
    if (detail) lost.push_back("detail, at quality " + std::to_string(options.quality));
    if (picture.shape().depth > 1 && !format.geometry) lost.emplace_back("where the volume lies in space");
    return lost;
}

}  // namespace warplens::io
