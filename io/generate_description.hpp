// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/error.hpp"
#include "io/grid.hpp"
#include "io/text.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>

/// What is shared by the files behind generate.hpp.
namespace warplens::io::generated {

/// Throws Error(argument): "WHAT: REMEDY", the form of a description unless said otherwise.
[[noreturn]] void refuse(const std::string& what, const std::string& remedy = "");

template <class T>
T number(std::string_view text, const std::string& what) {
    const auto value = parseNumber<T>(text);
    if (!value) refuse(what + " " + inQuotes(text) + " is no number in range");
    return *value;
}

/// A description taken apart.
struct Description {
    std::string kind;
    Shape shape;
    PixelType type = PixelType::u8;
    std::map<std::string, std::string, std::less<>> keys;  ///< what is left for the kind

    double fullScale() const { return type == PixelType::u8 ? 255 : type == PixelType::u16 ? 65535 : 1; }

    /// Takes a key out, so that what remains at the end is unknown.
    template <class T>
    T take(const char* key, T otherwise) {
        const auto node = keys.extract(key);
        return node.empty() ? otherwise : number<T>(node.mapped(), std::string("gen: ") + key);
    }
    std::string takeWord(const char* key, const char* otherwise) {
        const auto node = keys.extract(key);
        return node.empty() ? otherwise : node.mapped();
    }
    /// A value of this type, as an integer type would hold it exactly.
    double takeValue(double otherwise) {
        const auto value = take<double>("value", otherwise);
        if (type == PixelType::f32) {
            if (std::isfinite(value) && std::abs(value) > 3.4e38)
                refuse("gen: value does not fit f32", "choose a smaller one");
        } else if (!(value >= 0 && value <= fullScale() && std::trunc(value) == value)) {
            refuse("gen: value does not fit " + std::string(nameOf(type)),
                   "choose an integer from 0 to full scale, or f32");
        }
        return value;
    }
    std::int64_t takePosition(const char* key, std::int64_t extent) {
        const auto position = take<std::int64_t>(key, extent / 2);
        if (position < 0 || position >= extent) {
            refuse(std::string("gen: ") + key + "=" + std::to_string(position) + " lies outside",
                   "choose 0 to " + std::to_string(extent - 1));
        }
        return position;
    }
};

/// The grey value at a position, from 0 to 1 of full scale.
using Brightness = std::function<double(std::int64_t x, std::int64_t y, std::int64_t z)>;

/// The kinds that are a function of the position, by name; empty for a kind that is none of them. Takes the keys that
/// the kind knows out of the description.
Brightness brightnessOf(Description& description, const std::stop_token& stop);

/// Corridors without a loop between all even places, by Kruskal's algorithm over edges in a random order.
Brightness maze(Description& description, const std::stop_token& stop);

/// Kinds whose regions matter.
Brightness spiral(Description& description);
Brightness comb(Description& description);
Brightness blobs(Description& description);
Brightness coins(Description& description);

}  // namespace warplens::io::generated
