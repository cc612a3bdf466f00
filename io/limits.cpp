// SPDX-License-Identifier: Apache-2.0
#include "io/limits.hpp"

#include "io/error.hpp"

namespace warplens::io {

void Limits::check(const Shape& s, PixelType type, const std::string& where) const {
    const auto extents = std::to_string(s.width) + " x " + std::to_string(s.height) +
                         (s.depth != 1 ? " x " + std::to_string(s.depth) : "");
    if (s.width < 1 || s.height < 1 || s.depth < 1) {
        throw Error(Error::Kind::unreadable, where + ": the picture is empty (" + extents + "): check the file");
    }
    if (s.channels != 1 && s.channels != 3 && s.channels != 4) {
        throw Error(Error::Kind::unsupported, where + ": " + std::to_string(s.channels) +
                                                  " channels; Warplens works on 1, 3 or 4: convert the file first");
    }
    const auto refuse = [&](const char* what, std::int64_t limit) {
        throw Error(Error::Kind::limit, where + ": " + extents + " is over the limit of " + std::to_string(limit) +
                                            " " + what + ": crop or shrink the picture first");
    };
    if (s.width > side || s.height > side || s.depth > side) refuse("values per side", side);
    // Each side is now small enough that products of two cannot overflow.
    if (s.width * s.height > plane) refuse("pixels a plane", plane);
    if (checkedMultiply(s.width * s.height, s.depth, "width x height x depth") > pixels) refuse("pixels", pixels);
    const auto size = checkedMultiply(s.values(), static_cast<std::int64_t>(sizeOf(type)), "the size in bytes");
    if (size > bytes) refuse("bytes", bytes);
    if (allowed) allowed(size);
}

}  // namespace warplens::io
