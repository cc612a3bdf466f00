// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/formats.hpp"
#include "io/error.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <string_view>

namespace warplens::io::codecs {
namespace {

using enum PixelType;

const Codec* find(const std::string& format) {
    const auto named = [&](const Codec& codec) {
        return codec.id == format || std::any_of(codec.extensions.begin(), codec.extensions.end(),
                                                 [&](const char* extension) { return extension == format; });
    };
    const auto found = std::find_if(all().begin(), all().end(), named);
    return found == all().end() ? nullptr : &*found;
}

bool holds(const Codec& codec, PixelType type) {
    return std::find(codec.writes.begin(), codec.writes.end(), type) != codec.writes.end();
}

/// ".png, .tif or .npy": what could be written instead.
std::string alternatives(const Grid& grid) {
    std::string list;
    for (const auto& codec : all()) {
        if (grid.shape().depth == 1 && holds(codec, grid.type())) list += std::string(".") + codec.extensions[0] + ", ";
    }
    return list.empty() ? "write .npy" : "write " + list.substr(0, list.size() - 2) + " or .npy";
}

/// Any exception that is not an Error yet becomes one: nothing else leaves this library.
template <class Function>
auto translated(const std::string& where, Error::Kind kind, Function function) {
    try {
        return function();
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw Error(Error::Kind::limit, where + ": not enough memory: close other programs, or use a smaller picture");
    } catch (const std::exception& error) {
        throw Error(kind, where + ": " + error.what() + ": the file may be damaged");
    }
}

}  // namespace

const std::vector<Codec>& all() {
    static const std::vector<Codec> kCodecs = {
        {"png", "PNG", {"png"}, {u8, u16}, isPng, decodePng, encodePng},
        {"jpeg", "JPEG", {"jpg", "jpeg"}, {}, isJpeg, decodeJpeg, nullptr},
        {"tiff", "TIFF", {"tif", "tiff"}, {u8, u16, f32}, isTiff, decodeTiff, encodeTiff},
        {"exr", "EXR", {"exr"}, {f32}, isExr, decodeExr, encodeExr},
        {"hdr", "Radiance HDR", {"hdr", "pic"}, {}, isHdr, decodeHdr, nullptr},
        {"bmp", "BMP", {"bmp"}, {}, isBmp, decodeBmp, nullptr},
        {"pnm", "PNM", {"pgm", "ppm", "pbm", "pnm"}, {}, isPnm, decodePnm, nullptr},
        // TGA has no signature, only a header that makes sense, so it comes last.
        {"tga", "TGA", {"tga"}, {}, isTga, decodeTga, nullptr},
    };
    return kCodecs;
}

const Codec* identify(std::span<const std::byte> file) {
    const auto found =
        std::find_if(all().begin(), all().end(), [&](const Codec& codec) { return codec.identify(file); });
    return found == all().end() ? nullptr : &*found;
}

Grid decode(std::span<const std::byte> file, const Limits& limits, const std::string& where) {
    const auto* codec = identify(file);
    if (codec == nullptr) {
        std::string known;
        for (const auto& one : all()) known += std::string(one.title) + ", ";
        unsupported(where, "not a picture in a format Warplens knows", "convert it to one of " + known + "NPY");
    }
    return translated(where, Error::Kind::unreadable, [&] {
        auto grid = codec->decode(file, limits, where);
        grid.metadata.format = codec->id;
        return grid;
    });
}

std::vector<std::byte> encode(const Grid& grid, const std::string& format, const std::string& where) {
    const auto* codec = find(format);
    if (codec == nullptr) unsupported(where, "'" + format + "' is no format Warplens writes", alternatives(grid));
    const std::string title = codec->title;
    if (codec->writes.empty()) unsupported(where, title + " is read, not written", alternatives(grid));
    if (grid.shape().depth > 1) unsupported(where, title + " does not hold a volume", alternatives(grid));
    if (!holds(*codec, grid.type())) {
        unsupported(where, title + " does not hold " + nameOf(grid.type()) + " values", alternatives(grid));
    }
    return translated(where, Error::Kind::unwritable, [&] { return codec->encode(grid, where); });
}

}  // namespace warplens::io::codecs
