// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/formats.hpp"
#include "io/error.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string_view>

namespace warplens::io::codecs {
namespace {

using enum PixelType;

const Codec* find(const std::string& name) {
    const Format* format = formatNamed(name);
    if (format == nullptr) return nullptr;
    const auto found =
        std::ranges::find_if(all(), [&](const Codec& codec) { return std::string_view(codec.id) == format->id; });
    return found == all().end() ? nullptr : &*found;
}

/// ".png, .tif or .npy": what could be written instead.
std::string alternatives(const Grid& grid) {
    std::string list;
    for (const auto& codec : all()) {
        if (holds(codec, grid)) list += std::string(".") + codec.extensions[0] + ", ";
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
        throw Error(Error::Kind::limit, where + ": " + outOfMemory());
    } catch (const std::logic_error& error) {
        // Ours or a library's, but no file's: what a file may hold is refused otherwise.
        throw Error(kind, where + ": Warplens failed at it (" + error.what() +
                              "), which is a fault of Warplens: " + "please report it");
    } catch (const std::exception& error) {
        throw Error(kind, where + ": " + error.what() + ": the file may be damaged");
    }
}

/// A format of one picture a file, read from memory.
template <Grid (*Decode)(Bytes, const Limits&, const std::string&)>
Grid onePicture(const Source& source) {
    if (source.frame > 1) {
        throw Error(Error::Kind::argument, source.where + ": there is no frame " + std::to_string(source.frame) +
                                               ", the format holds one picture: leave --frame out");
    }
    return Decode(source.file, source.limits, source.where);
}

Grid decodeWith(const Codec* codec, const Source& source) {
    if (codec == nullptr) {
        std::string known;
        for (const auto& one : all()) known += std::string(one.title) + ", ";
        const bool half = source.path.ends_with(".img");
        unsupported(
            source.where, "not a picture in a format Warplens knows",
            half ? "if it is half of a NIfTI pair, open the .hdr beside it" : "convert it to one of " + known + "NPY");
    }
    if (source.identified) source.identified(codec->title);
    return translated(source.where, Error::Kind::unreadable, [&] {
        auto grid = codec->decode(source);
        grid.metadata.format = codec->id;
        return grid;
    });
}

}  // namespace

const std::vector<Codec>& all() {
    static const std::vector<PixelType> kEveryType{u8, u16, f32, u32, i32};
#define WARPLENS_FORMAT(identify, decode, encode, ...) Codec{{__VA_ARGS__}, identify, decode, encode},
    static const std::vector<Codec> kCodecs = {
#include "io/codecs/formats.inc"
    };
#undef WARPLENS_FORMAT
    return kCodecs;
}

const Codec* identify(std::span<const std::byte> file) {
    const auto found =
        std::find_if(all().begin(), all().end(), [&](const Codec& codec) { return codec.identify(file); });
    return found == all().end() ? nullptr : &*found;
}

Grid decode(std::span<const std::byte> file, const Limits& limits, const std::string& where) {
    Source source;
    source.file = file;
    source.fileBytes = static_cast<std::int64_t>(file.size());
    source.where = where;
    source.limits = limits;
    return decodeWith(identify(file), source);
}

Grid decodeFile(Source source) {
    std::error_code ignored;
    if (std::filesystem::is_directory(source.path, ignored)) {
        if (source.identified) source.identified("DICOM");
        return translated(source.where, Error::Kind::unreadable, [&] {
            auto grid = decodeDicomFolder(source);
            grid.metadata.format = "dicom";
            return grid;
        });
    }
    return translated(source.where, Error::Kind::unreadable, [&] {
        InputFile file(source.path);
        if (file.size() > source.limits.fileBytes) {
            throw Error(Error::Kind::limit, source.where + ": the file is over the limit of " +
                                                std::to_string(source.limits.fileBytes) + " bytes: crop it first");
        }
        source.fileBytes = file.size();
        auto bytes = file.head(static_cast<std::size_t>(std::min(file.size(), kHeadBytes)));
        const auto* codec = identify(bytes);
        if (codec == nullptr || !codec->byName) {
            bytes.resize(static_cast<std::size_t>(file.size()));
            file.readExactly(bytes);
            codec = identify(bytes);
        }
        source.file = bytes;
        auto grid = decodeWith(codec, source);
        file.checkUnchanged();
        return grid;
    });
}

std::vector<std::byte> encode(const Grid& grid, const std::string& format, const std::string& where,
                              const EncodeOptions& options) {
    const auto* codec = find(format);
    if (codec == nullptr) unsupported(where, "'" + format + "' is no format Warplens writes", alternatives(grid));
    const std::string title = codec->title;
    if (codec->writes.empty()) unsupported(where, title + " is read, not written", alternatives(grid));
    if (grid.shape().depth > 1 && !codec->volumes)
        unsupported(where, title + " does not hold a volume", alternatives(grid));
    if (!holds(*codec, grid)) {
        if (!codec->alpha && grid.shape().channels > 3)
            unsupported(where, title + " does not hold transparency", alternatives(grid));
        const std::string colours = codec->coloursInBytes && grid.shape().channels > 1 ? " in colour" : "";
        unsupported(where, title + " does not hold " + nameOf(grid.type()) + " values" + colours, alternatives(grid));
    }
    return translated(where, Error::Kind::unwritable, [&] { return codec->encode(grid, where, options); });
}

}  // namespace warplens::io::codecs
