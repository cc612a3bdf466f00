// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/stb.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <stb/stb_image.h>

namespace warplens::io::codecs {
namespace {

struct Cursor {
    std::span<const std::byte> file;
    std::size_t position = 0;
    bool overrun = false;  ///< a byte beyond the end was wanted
};

// stb_image fills its buffer in steps of this many bytes, which may be cut short by the end of the file; any other
// request is for bytes it needs.
constexpr int kBufferStep = 128;

int onRead(void* user, char* out, int size) {
    auto& source = *static_cast<Cursor*>(user);
    const auto count = std::min(static_cast<std::size_t>(size), source.file.size() - source.position);
    if (count == 0 || (size != kBufferStep && count < static_cast<std::size_t>(size))) source.overrun = true;
    std::memcpy(out, source.file.data() + source.position, count);
    source.position += count;
    return static_cast<int>(count);
}

void onSkip(void* user, int count) {
    auto& source = *static_cast<Cursor*>(user);
    const auto left = source.file.size() - source.position;
    if (count < 0 || static_cast<std::size_t>(count) > left) {
        source.overrun = true;
        source.position = source.file.size();
    } else {
        source.position += static_cast<std::size_t>(count);
    }
}

int onEnd(void* user) {
    const auto& source = *static_cast<Cursor*>(user);
    return source.position == source.file.size();
}

constexpr stbi_io_callbacks kCallbacks{onRead, onSkip, onEnd};

struct Free {
    void operator()(void* p) const { stbi_image_free(p); }
};

}  // namespace

Grid decodeWithStb(std::span<const std::byte> file, const Limits& limits, const std::string& where,
                   const StbFormat& format) {
    const auto* title = format.title;
    const bool floats = format.floats;
    int width = 0;
    int height = 0;
    int channels = 0;
    Cursor header{file};
    if (stbi_info_from_callbacks(&kCallbacks, &header, &width, &height, &channels) == 0) {
        damaged(where, title, stbi_failure_reason());
    }
    height = std::abs(height);  // a BMP from the top down
    const bool greyAlpha = channels == 2;
    const int wanted = greyAlpha ? 4 : channels;
    const Shape shape{width, height, 1, wanted};
    const auto type = floats ? PixelType::f32 : PixelType::u8;
    limits.check(shape, type, where);
    if (shape.pixels() / format.pixelsAByte > static_cast<std::int64_t>(file.size())) {
        damaged(where, title, "the file is too short for its picture");
    }
    // stb_image counts bytes in an int.
    if (shape.values() * static_cast<std::int64_t>(sizeOf(type)) > std::numeric_limits<int>::max()) {
        throw Error(Error::Kind::limit, where + ": " + title + " pictures over 2 GiB are not read: use TIFF or EXR");
    }
    if (format.check) format.check(shape);

    Cursor source{file};
    const std::unique_ptr<void, Free> values(
        floats ? static_cast<void*>(stbi_loadf_from_callbacks(&kCallbacks, &source, &width, &height, &channels, wanted))
               : stbi_load_from_callbacks(&kCallbacks, &source, &width, &height, &channels, wanted));
    if (!values) damaged(where, title, stbi_failure_reason());
    if (source.overrun) damaged(where, title, "the file ends too early");
    if (width != shape.width || height != shape.height) damaged(where, title, "its size changed while it was read");
    Grid grid(shape, type);
    std::memcpy(grid.data(), values.get(), grid.bytes());
    if (greyAlpha) grid.metadata.notes.emplace_back(kGreyAlphaNote);
    return grid;
}

}  // namespace warplens::io::codecs
