// SPDX-License-Identifier: Apache-2.0
#include "io/generate.hpp"

#include "io/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string_view>
#include <vector>

namespace warplens::io {
namespace {

constexpr const char* kForm = "expected gen:KIND:WxH[xD]:TYPE[:key=value]..., for example gen:noise:512x512:u8:seed=1";

[[noreturn]] void refuse(const std::string& what, const std::string& remedy = kForm) {
    throw Error(Error::Kind::argument, what + ": " + remedy);
}

/// The words of a description, quoted in messages without control characters.
std::string quoted(std::string_view text) {
    std::string shown(text.substr(0, 40));
    std::replace_if(
        shown.begin(), shown.end(), [](unsigned char c) { return c < 32 || c == 127; }, '?');
    return "'" + shown + "'";
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

template <class T>
T number(std::string_view text, const std::string& what) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
        refuse(what + " " + quoted(text) + " is no number in range");
    }
    return value;
}

struct Description {
    std::string kind;
    Shape shape;
    PixelType type = PixelType::u8;
    std::map<std::string, std::string, std::less<>> keys;  ///< what is left for the kind

    double fullScale() const {
        return type == PixelType::u8 ? 255 : type == PixelType::u16 ? 65535 : 1;
    }

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

Description parse(const std::string& text) {
    auto parts = split(text, ':');
    if (parts.size() < 4) refuse(quoted(text) + " is incomplete");
    Description d;
    d.kind = parts[1];
    const auto extents = split(parts[2], 'x');
    if (extents.size() != 2 && extents.size() != 3) refuse("gen: size " + quoted(parts[2]) + " is not WxH or WxHxD");
    d.shape.width = number<std::int64_t>(extents[0], "gen: width");
    d.shape.height = number<std::int64_t>(extents[1], "gen: height");
    if (extents.size() == 3) d.shape.depth = number<std::int64_t>(extents[2], "gen: depth");
    if (d.shape.width < 1 || d.shape.height < 1 || d.shape.depth < 1) {
        refuse("gen: size " + quoted(parts[2]) + " is empty", "choose extents of at least 1");
    }
    if (parts[3] == "u8") {
        d.type = PixelType::u8;
    } else if (parts[3] == "u16") {
        d.type = PixelType::u16;
    } else if (parts[3] == "f32") {
        d.type = PixelType::f32;
    } else {
        refuse("gen: type " + quoted(parts[3]) + " is unknown", "choose u8, u16 or f32");
    }
    for (std::size_t i = 4; i < parts.size(); ++i) {
        const auto equals = parts[i].find('=');
        if (equals == std::string_view::npos || equals == 0) refuse("gen: " + quoted(parts[i]) + " is not key=value");
        const auto [place, fresh] = d.keys.emplace(parts[i].substr(0, equals), parts[i].substr(equals + 1));
        if (!fresh) refuse("gen: " + quoted(place->first) + " is given twice", "give it once");
    }
    d.shape.channels = d.take<int>("c", 1);
    if (d.shape.channels != 1 && d.shape.channels != 3 && d.shape.channels != 4) {
        refuse("gen: c=" + std::to_string(d.shape.channels), "choose 1, 3 or 4 channels");
    }
    return d;
}

/// The grey value at a position, from 0 to 1 of full scale.
using Brightness = std::function<double(std::int64_t x, std::int64_t y, std::int64_t z)>;

double squaredDistance(const Shape& s, std::int64_t x, std::int64_t y, std::int64_t z) {
    // From the value that gen:impulse sets, so that a bump and an impulse share their centre.
    const auto dx = static_cast<double>(x - s.width / 2);
    const auto dy = static_cast<double>(y - s.height / 2);
    const auto dz = static_cast<double>(z - s.depth / 2);
    return dx * dx + dy * dy + dz * dz;
}

Brightness gradient(Description& d) {
    const auto axis = d.takeWord("axis", "x");
    const auto share = [](std::int64_t i, std::int64_t n) {
        return n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 0.0;
    };
    const auto s = d.shape;
    if (axis == "x") return [=](auto x, auto, auto) { return share(x, s.width); };
    if (axis == "y") return [=](auto, auto y, auto) { return share(y, s.height); };
    if (axis == "z") return [=](auto, auto, auto z) { return share(z, s.depth); };
    if (axis == "xy") return [=](auto x, auto y, auto) { return share(x + y, s.width + s.height - 1); };
    refuse("gen: axis " + quoted(axis), "choose x, y, z or xy");
}

Brightness checkerboard(Description& d) {
    const auto cell = d.take<std::int64_t>("cell", 8);
    if (cell < 1) refuse("gen: cell=" + std::to_string(cell), "choose at least 1");
    return [=](auto x, auto y, auto z) { return static_cast<double>((x / cell + y / cell + z / cell) % 2); };
}

Brightness zoneplate(const Description& d) {
    const auto s = d.shape;
    // The phase grows as r^2: its slope reaches pi a value, the Nyquist rate, at half the longest side.
    const auto rate = std::numbers::pi / static_cast<double>(std::max({s.width, s.height, s.depth}));
    return [=](auto x, auto y, auto z) { return 0.5 + 0.5 * std::cos(rate * squaredDistance(s, x, y, z)); };
}

Brightness gaussian(Description& d) {
    const auto s = d.shape;
    auto shortest = std::min(s.width, s.height);
    if (s.depth > 1) shortest = std::min(shortest, s.depth);
    const auto sigma = d.take<double>("sigma", std::max(1.0, static_cast<double>(shortest) / 6));
    if (!(sigma > 0) || !std::isfinite(sigma)) refuse("gen: sigma must be above 0", "choose a width in values");
    return [=](auto x, auto y, auto z) { return std::exp(-squaredDistance(s, x, y, z) / (2 * sigma * sigma)); };
}

template <class T>
T toType(double share, double fullScale) {
    if constexpr (std::is_same_v<T, float>) return static_cast<float>(share);
    return static_cast<T>(std::nearbyint(share * fullScale));
}

template <class T>
T noiseValue(std::uint64_t seed, std::uint64_t counter) {
    const auto bits = randomBits(seed, counter);
    if constexpr (std::is_same_v<T, float>) return static_cast<float>(bits >> 40) * 0x1p-24F;
    return static_cast<T>(bits >> (64 - 8 * sizeof(T)));
}

/// Calls row(y, z, pointer to its first value) for each row, watching for a stop.
template <class T, class Row>
void eachRow(Grid& grid, const std::stop_token& stop, Row row) {
    const auto& s = grid.shape();
    for (std::int64_t z = 0; z < s.depth; ++z) {
        for (std::int64_t y = 0; y < s.height; ++y) {
            if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "gen: cancelled");
            row(y, z, grid.as<T>() + grid.index(0, y, z));
        }
    }
}

template <class T>
void fill(Grid& grid, Description& d, const std::stop_token& stop) {
    const auto s = grid.shape();
    const auto noAlpha = std::min(s.channels, 3);
    const auto paint = [&](const auto& valueAt) {
        eachRow<T>(grid, stop, [&](std::int64_t y, std::int64_t z, T* out) {
            for (std::int64_t x = 0; x < s.width; ++x, out += s.channels) {
                std::fill(out, out + noAlpha, valueAt(x, y, z));
                if (s.channels == 4) out[3] = static_cast<T>(d.fullScale());
            }
        });
    };
    const auto checkKeys = [&] {
        if (!d.keys.empty()) {
            refuse("gen:" + d.kind + " knows no key " + quoted(d.keys.begin()->first), "leave it out");
        }
    };
    if (d.kind == "noise") {
        const auto seed = d.take<std::uint64_t>("seed", 0);
        checkKeys();
        const auto count = static_cast<std::uint64_t>(s.width) * static_cast<std::uint64_t>(s.channels);
        eachRow<T>(grid, stop, [&](std::int64_t y, std::int64_t z, T* out) {
            const std::uint64_t first = grid.index(0, y, z);
            for (std::uint64_t i = 0; i < count; ++i) out[i] = noiseValue<T>(seed, first + i);
        });
    } else if (d.kind == "constant") {
        const auto half = d.type == PixelType::f32 ? 0.5 : std::ceil(d.fullScale() / 2);
        const auto value = static_cast<T>(d.takeValue(half));
        checkKeys();
        paint([&](auto, auto, auto) { return value; });
    } else if (d.kind == "impulse") {
        const auto px = d.takePosition("x", s.width);
        const auto py = d.takePosition("y", s.height);
        const auto pz = d.takePosition("z", s.depth);
        const auto value = static_cast<T>(d.takeValue(d.fullScale()));
        checkKeys();
        paint([&](auto x, auto y, auto z) { return x == px && y == py && z == pz ? value : T{0}; });
    } else {
        const auto brightness = d.kind == "gradient"       ? gradient(d)
                                : d.kind == "checkerboard" ? checkerboard(d)
                                : d.kind == "zoneplate"    ? zoneplate(d)
                                                           : gaussian(d);
        checkKeys();
        paint([&](auto x, auto y, auto z) { return toType<T>(brightness(x, y, z), d.fullScale()); });
    }
}

}  // namespace

bool isGenerated(const std::string& input) {
    return input.starts_with("gen:");
}

Grid generate(const std::string& description, const Limits& limits, const std::stop_token& stop) {
    auto d = parse(description);
    constexpr std::string_view kKinds[] = {"noise",   "gradient", "checkerboard", "zoneplate",
                                           "impulse", "constant", "gaussian"};
    if (std::find(std::begin(kKinds), std::end(kKinds), d.kind) == std::end(kKinds)) {
        refuse("gen: kind " + quoted(d.kind) + " is unknown",
               "choose noise, gradient, checkerboard, zoneplate, impulse, constant or gaussian");
    }
    limits.check(d.shape, d.type, "gen:" + d.kind);
    Grid grid(d.shape, d.type);
    switch (d.type) {
        case PixelType::u8: fill<std::uint8_t>(grid, d, stop); break;
        case PixelType::u16: fill<std::uint16_t>(grid, d, stop); break;
        case PixelType::f32: fill<float>(grid, d, stop); break;
    }
    grid.metadata.format = "generated";
    return grid;
}

}  // namespace warplens::io
