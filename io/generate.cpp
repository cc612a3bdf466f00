// SPDX-License-Identifier: Apache-2.0
#include "io/generate.hpp"

#include "io/error.hpp"
#include "io/generate_description.hpp"

#include <algorithm>
#include <iterator>

namespace warplens::io {
namespace generated {

void refuse(const std::string& what, const std::string& remedy) {
    throw Error(
        Error::Kind::argument,
        what + ": " +
            (remedy.empty() ? "expected gen:KIND:WxH[xD]:TYPE[:key=value]..., for example gen:noise:512x512:u8:seed=1"
                            : remedy));
}

}  // namespace generated

namespace {

using generated::Description;
using generated::number;
using generated::refuse;

Description parse(const std::string& text) {
    auto parts = split(text, ':');
    if (parts.size() < 4) refuse(inQuotes(text) + " is incomplete");
    Description d;
    d.kind = parts[1];
    const auto extents = split(parts[2], 'x');
    if (extents.size() != 2 && extents.size() != 3) refuse("gen: size " + inQuotes(parts[2]) + " is not WxH or WxHxD");
    d.shape.width = number<std::int64_t>(extents[0], "gen: width");
    d.shape.height = number<std::int64_t>(extents[1], "gen: height");
    if (extents.size() == 3) d.shape.depth = number<std::int64_t>(extents[2], "gen: depth");
    if (d.shape.width < 1 || d.shape.height < 1 || d.shape.depth < 1) {
        refuse("gen: size " + inQuotes(parts[2]) + " is empty", "choose extents of at least 1");
    }
    if (parts[3] == "u8") {
        d.type = PixelType::u8;
    } else if (parts[3] == "u16") {
        d.type = PixelType::u16;
    } else if (parts[3] == "f32") {
        d.type = PixelType::f32;
    } else {
        refuse("gen: type " + inQuotes(parts[3]) + " is unknown", "choose u8, u16 or f32");
    }
    for (std::size_t i = 4; i < parts.size(); ++i) {
        const auto equals = parts[i].find('=');
        if (equals == std::string_view::npos || equals == 0) refuse("gen: " + inQuotes(parts[i]) + " is not key=value");
        const auto [place, fresh] = d.keys.emplace(parts[i].substr(0, equals), parts[i].substr(equals + 1));
        if (!fresh) refuse("gen: " + inQuotes(place->first) + " is given twice", "give it once");
    }
    d.shape.channels = d.take<int>("c", 1);
    if (d.shape.channels != 1 && d.shape.channels != 3 && d.shape.channels != 4) {
        refuse("gen: c=" + std::to_string(d.shape.channels), "choose 1, 3 or 4 channels");
    }
    return d;
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

/// Eight bytes added up: close to normal, mean 1,020, standard deviation sqrt(8 (256^2 - 1) / 12).
double bellShare(std::uint64_t bits, double mean, double deviation) {
    int sum = 0;
    for (int byte = 0; byte < 8; ++byte) sum += static_cast<int>(bits >> (8 * byte) & 0xff);
    constexpr double kMean = 1020, kDeviation = 209.0215;
    return std::clamp(mean + deviation * (sum - kMean) / kDeviation, 0.0, 1.0);
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

/// The code of a small letter; each comes as often as in English prose.
int letterOf(std::uint64_t bits) {
    constexpr int kPerTenThousand[26] = {817, 149, 278, 425, 1270, 223, 202, 609, 697, 15,  77, 403, 241,
                                         675, 751, 193, 10,  599,  633, 906, 276, 98,  236, 15, 197, 7};
    auto left = static_cast<int>((bits >> 32) * 10000 >> 32);
    for (int letter = 0; letter < 26; ++letter)
        if ((left -= kPerTenThousand[letter]) < 0) return 'a' + letter;
    return 'e';
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
            refuse("gen:" + d.kind + " knows no key " + inQuotes(d.keys.begin()->first), "leave it out");
        }
    };
    if (d.kind == "text") {
        const auto seed = d.take<std::uint64_t>("seed", 0);
        checkKeys();
        paint([&](auto x, auto y, auto z) {
            const int letter = letterOf(randomBits(seed, static_cast<std::uint64_t>((z * s.height + y) * s.width + x)));
            return std::is_same_v<T, float> ? static_cast<T>(letter / 255.0) : static_cast<T>(letter);
        });
    } else if (d.kind == "noise") {
        const auto seed = d.take<std::uint64_t>("seed", 0);
        checkKeys();
        const auto count = static_cast<std::uint64_t>(s.width) * static_cast<std::uint64_t>(s.channels);
        eachRow<T>(grid, stop, [&](std::int64_t y, std::int64_t z, T* out) {
            const std::uint64_t first = grid.index(0, y, z);
            for (std::uint64_t i = 0; i < count; ++i) out[i] = noiseValue<T>(seed, first + i);
        });
    } else if (d.kind == "normal") {
        const auto seed = d.take<std::uint64_t>("seed", 0);
        const auto mean = d.take<double>("mean", 0.4), deviation = d.take<double>("deviation", 0.12);
        checkKeys();
        const auto count = static_cast<std::uint64_t>(s.width) * static_cast<std::uint64_t>(s.channels);
        eachRow<T>(grid, stop, [&](std::int64_t y, std::int64_t z, T* out) {
            const std::uint64_t first = grid.index(0, y, z);
            for (std::uint64_t i = 0; i < count; ++i)
                out[i] = toType<T>(bellShare(randomBits(seed, first + i), mean, deviation), d.fullScale());
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
        const auto brightness = generated::brightnessOf(d, stop);
        checkKeys();
        paint([&](auto x, auto y, auto z) { return toType<T>(brightness(x, y, z), d.fullScale()); });
    }
}

}  // namespace

bool isGenerated(const std::string& input) { return input.starts_with("gen:"); }

Grid generate(const std::string& description, const Limits& limits, const std::stop_token& stop) {
    auto d = parse(description);
    constexpr std::string_view kKinds[] = {"noise",    "normal",   "gradient", "checkerboard",   "zoneplate", "impulse",
                                           "constant", "gaussian", "sphere",   "marschner_lobb", "hotspots",  "maze",
                                           "spiral",   "comb",     "blobs",    "coins",          "text"};
    if (std::find(std::begin(kKinds), std::end(kKinds), d.kind) == std::end(kKinds)) {
        refuse("gen: kind " + inQuotes(d.kind) + " is unknown",
               "choose noise, normal, gradient, checkerboard, zoneplate, impulse, constant, gaussian, sphere, "
               "marschner_lobb, hotspots, maze, spiral, comb, blobs, coins or text");
    }
    limits.check(d.shape, d.type, "gen:" + d.kind);
    Grid grid(d.shape, d.type);
    withSampleType(d.type, [&]<class T>(T) { fill<T>(grid, d, stop); });
    grid.metadata.format = "generated";
    return grid;
}

}  // namespace warplens::io
