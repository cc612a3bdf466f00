// SPDX-License-Identifier: Apache-2.0
#include "io/format.hpp"

#include <algorithm>

namespace warplens::io {

namespace {

using enum PixelType;

bool among(const std::vector<const char*>& names, std::string_view name) {
    return std::ranges::any_of(names, [name](const char* one) { return one == name; });
}

}  // namespace

const std::vector<Format>& formats() {
    static const std::vector<PixelType> kEveryType{u8, u16, f32, u32, i32};
#define WARPLENS_FORMAT(identify, decode, encode, ...) Format{__VA_ARGS__},
    static const std::vector<Format> kFormats = {
#include "io/codecs/formats.inc"
        {.id = "npy",
         .title = "NPY",
         .extensions = {"npy"},
         .writes = kEveryType,
         .volumes = true,
         .exact = true,
         .inProcess = true,
         .note = "NumPy's, any type"},
        {.id = "csv",
         .title = "CSV",
         .extensions = {"csv"},
         .writes = kEveryType,
         .table = true,
         .inProcess = true,
         .note = "a table of numbers, one line per row, read as f32"},
    };
#undef WARPLENS_FORMAT
    return kFormats;
}

const Format* formatNamed(std::string_view name) {
    const auto found = std::ranges::find_if(formats(), [name](const Format& format) {
        return format.id == name || among(format.extensions, name) || among(format.readAs, name);
    });
    return found == formats().end() ? nullptr : &*found;
}

const StorageWay* wayOf(const Format& format, const std::string& id) {
    if (format.ways.empty()) return nullptr;
    const auto found = std::ranges::find(format.ways, id, &StorageWay::id);
    return found == format.ways.end() ? &format.ways.front() : &*found;
}

bool writesAs(const Format& format, std::string_view extension) {
    return !format.writes.empty() && among(format.extensions, extension);
}

bool holds(const Format& format, const Grid& grid) {
    if (grid.shape().depth > 1 && !format.volumes) return false;
    if (format.coloursInBytes && grid.shape().channels > 1 && grid.type() != u8) return false;
    if (!format.alpha && grid.shape().channels > 3) return false;
    return std::ranges::find(format.writes, grid.type()) != format.writes.end();
}

std::string writtenExtensions() {
    std::vector<std::string> all;
    for (const Format& format : formats())
        if (!format.writes.empty()) all.push_back(std::string(".") + format.extensions.front());
    std::string list = all.front();
    for (std::size_t i = 1; i < all.size(); ++i) list += (i + 1 < all.size() ? ", " : " or ") + all[i];
    return list;
}

}  // namespace warplens::io
