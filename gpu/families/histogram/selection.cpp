// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/selection.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace warplens::gpu::histogram {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(Error::Kind::argument, what); }

std::string extentsOf(const io::Shape& s) {
    return std::to_string(s.width) + " x " + std::to_string(s.height) +
           (s.depth > 1 ? " x " + std::to_string(s.depth) : "");
}

Box parseRegion(const std::string& text, const io::Shape& s) {
    if (text.empty()) return {0, 0, 0, s.width, s.height, s.depth};
    std::array<std::int64_t, 6> n{};
    std::size_t count = 0;
    const char* at = text.data();
    const char* end = at + text.size();
    const auto malformed = [&] {
        refuse("region: '" + text.substr(0, 60) + "' is not X,Y,W,H or X,Y,Z,W,H,D: give whole numbers");
    };
    for (;;) {
        while (at < end && *at == ' ') ++at;
        if (count == n.size()) malformed();
        const auto [next, error] = std::from_chars(at, end, n[count++]);
        if (error != std::errc()) malformed();
        at = next;
        while (at < end && *at == ' ') ++at;
        if (at == end) break;
        if (*at++ != ',') malformed();
    }
    Box box;
    if (count == 4)
        box = {n[0], n[1], 0, n[2], n[3], s.depth};
    else if (count == 6)
        box = {n[0], n[1], n[2], n[3], n[4], n[5]};
    else
        malformed();
    if (box.width < 1 || box.height < 1 || box.depth < 1)
        refuse("region: '" + text.substr(0, 60) + "' is empty: give a width and height of at least 1");
    const auto inside = [](std::int64_t first, std::int64_t length, std::int64_t extent) {
        return first >= 0 && length <= extent && first <= extent - length;
    };
    if (!inside(box.x, box.width, s.width) || !inside(box.y, box.height, s.height) ||
        !inside(box.z, box.depth, s.depth)) {
        refuse("region: '" + text.substr(0, 60) + "' leaves the picture of " + extentsOf(s) + ": choose one inside");
    }
    return box;
}

float luminanceOf(double red, double green, double blue) {
    return static_cast<float>(0.2126 * red + 0.7152 * green + 0.0722 * blue);
}

template <class F>
void forSelected(const io::Shape& s, const Selection& selection, F f) {
    const Box& b = selection.box;
    for (auto z = b.z; z < b.z + b.depth; ++z) {
        for (auto y = b.y; y < b.y + b.height; ++y) {
            for (auto x = b.x; x < b.x + b.width; ++x) {
                if (selection.mask == nullptr || selection.contains(x, y, z)) f((z * s.height + y) * s.width + x);
            }
        }
    }
}

}  // namespace

bool Selection::whole(const io::Shape& s) const {
    return mask == nullptr && box.width == s.width && box.height == s.height && box.depth == s.depth;
}

bool Selection::contains(std::int64_t x, std::int64_t y, std::int64_t z) const {
    if (x < box.x || y < box.y || z < box.z || x >= box.x + box.width || y >= box.y + box.height ||
        z >= box.z + box.depth)
        return false;
    if (mask == nullptr) return true;
    const int colours = std::min(mask->shape().channels, 3);
    for (int c = 0; c < colours; ++c) {
        if (mask->value(x, y, z, c) != 0) return true;
    }
    return false;
}

Selection selectionOf(const io::Grid& picture, const Chosen& chosen) {
    const auto& s = picture.shape();
    Selection selection;
    selection.box = parseRegion(chosen.region, s);
    selection.luminance = s.channels > 1 && chosen.channels == Chosen::Channels::luminance;
    if (const NamedGrid* const named = chosen.mask.get()) {
        if (named->grid == nullptr) refuse("mask: '" + named->name + "' was not read: open it first");
        const auto& m = named->grid->shape();
        if (m.width != s.width || m.height != s.height || m.depth != s.depth) {
            refuse("mask: '" + named->name + "' is " + extentsOf(m) + ", the picture " + extentsOf(s) +
                   ": give a mask of the same extents");
        }
        selection.mask = named->grid;
    }
    return selection;
}

std::shared_ptr<const io::Grid> selectedValues(const std::shared_ptr<const io::Grid>& picture,
                                               const Selection& selection) {
    const auto& s = picture->shape();
    if (selection.whole(s) && !selection.luminance) return picture;
    std::int64_t count = 0;
    if (selection.mask == nullptr)
        count = selection.box.width * selection.box.height * selection.box.depth;
    else
        forSelected(s, selection, [&](std::int64_t) { ++count; });

    const auto type = selection.luminance ? io::PixelType::f32 : picture->type();
    auto values = std::make_shared<io::Grid>(io::Shape{count, 1, 1, selection.luminance ? 1 : s.channels}, type);
    if (selection.luminance) {
        float* to = values->as<float>();
        const auto convert = [&](const auto* from) {
            forSelected(s, selection, [&](std::int64_t pixel) {
                const auto* p = from + pixel * s.channels;
                *to++ = luminanceOf(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
            });
        };
        io::withSampleType(picture->type(), [&]<class T>(T) { convert(picture->as<T>()); });
        return values;
    }
    const std::size_t pixelBytes = io::sizeOf(type) * static_cast<std::size_t>(s.channels);
    std::byte* to = values->data();
    forSelected(s, selection, [&](std::int64_t pixel) {
        std::memcpy(to, picture->data() + static_cast<std::size_t>(pixel) * pixelBytes, pixelBytes);
        to += pixelBytes;
    });
    return values;
}

std::vector<std::string> channelNames(const io::Shape& shape, const Selection& selection) {
    if (selection.luminance) return {"luminance"};
    if (shape.channels == 1) return {"value"};
    std::vector<std::string> names{"red", "green", "blue", "alpha"};
    names.resize(static_cast<std::size_t>(shape.channels));
    return names;
}

Range defaultRange(const io::Grid& picture, const io::Grid& selected) {
    if (picture.type() == io::PixelType::u8) return {0, 256};
    if (picture.type() == io::PixelType::u16) return {0, 65536};
    if (picture.sourceType() == "i16") return {-32768, 32768};
    float least = std::numeric_limits<float>::infinity(), most = -least;
    const float* values = selected.as<float>();
    const auto count = static_cast<std::size_t>(selected.shape().values());
    for (std::size_t i = 0; i < count; ++i) {
        if (!std::isfinite(values[i])) continue;
        least = std::min(least, values[i]);
        most = std::max(most, values[i]);
    }
    if (least > most) return {0, 1};
    const float next = std::nextafter(most, std::numeric_limits<float>::infinity());
    // Past the largest float comes 2^128.
    const double hi = std::isfinite(next) ? static_cast<double>(next) : 0x1p128;
    const double value = least;
    if (least == most && value - 0.5 < value && value < value + 0.5) return {value - 0.5, value + 0.5};
    return {value, hi};
}

}  // namespace warplens::gpu::histogram
