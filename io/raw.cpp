// SPDX-License-Identifier: Apache-2.0
#include "io/raw.hpp"

#include "io/error.hpp"
#include "io/file.hpp"
#include "io/source_type.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

namespace warplens::io {
namespace {

constexpr std::size_t kChunkBytes = 4 << 20;

/// Fills its argument with the next bytes of the file.
using Fill = std::function<void(std::span<std::byte>)>;

PixelType computedType(RawType type) {
    switch (type) {
        case RawType::u8: return PixelType::u8;
        case RawType::u16: return PixelType::u16;
        case RawType::u32: return PixelType::u32;
        case RawType::i32: return PixelType::i32;
        case RawType::i16:
        case RawType::f32: break;
    }
    return PixelType::f32;
}

std::string bytesText(std::int64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

void checkSize(const RawDescription& raw, std::int64_t present) {
    const auto needed = raw.bytesNeeded();
    if (present == needed) return;
    const auto& s = raw.shape;
    auto described = std::to_string(s.width) + "x" + std::to_string(s.height);
    if (s.depth > 1) described += "x" + std::to_string(s.depth);
    described += std::string(" ") + nameOf(raw.type);
    if (s.channels > 1) described += ", " + std::to_string(s.channels) + " channels";
    if (raw.skip > 0) described += ", after " + bytesText(raw.skip) + " of header";
    throw Error(Error::Kind::unreadable, raw.file + ": " + described + " is " + bytesText(needed) + ", the file has " +
                                             (present < needed ? bytesText(needed - present) + " too few"
                                                               : bytesText(present - needed) + " too many") +
                                             ": correct the size, the type or skip=");
}

void swapPairs(std::span<std::byte> bytes, std::size_t size) {
    for (std::size_t i = 0; i < bytes.size(); i += size) std::reverse(&bytes[i], &bytes[i] + size);
}

/// Reads the values of `grid` in pieces, so that a stop is heard and progress seen.
void fillValues(Grid& grid, const RawDescription& raw, const Fill& fill, const ReadOptions& options) {
    const auto size = sizeOf(raw.type);
    const bool swap = raw.bigEndian && size > 1;
    const auto values = grid.bytes() / sizeOf(grid.type());
    const auto atOnce = std::min(values, kChunkBytes / size);
    std::vector<std::int16_t> narrow(raw.type == RawType::i16 ? atOnce : 0);
    for (std::size_t done = 0; done < values;) {
        const auto count = std::min(atOnce, values - done);
        const auto bytes = raw.type == RawType::i16 ? std::as_writable_bytes(std::span(narrow.data(), count))
                                                    : std::span(grid.data() + done * size, count * size);
        fill(bytes);
        if (swap) swapPairs(bytes, size);
        if (raw.type == RawType::i16) widenFromI16(narrow.data(), grid.as<float>() + done, count);
        done += count;
        if (options.progress) options.progress(static_cast<double>(done) / static_cast<double>(values));
    }
}

/// The description with what only the file tells, checked against the limits and the bytes that are there.
RawDescription checked(RawDescription raw, std::int64_t present, const ReadOptions& options) {
    auto limits = options.limits;
    if (raw.wholeFile) {
        if (present == 0) throw Error(Error::Kind::unreadable, raw.file + ": the file is empty: copy it again");
        raw = {.file = raw.file, .wholeFile = true, .shape = {present, 1, 1, 1}};
        limits.side = limits.plane;  // a row of bytes may be as long as a plane is large
    }
    limits.check(raw.shape, computedType(raw.type), raw.file);
    return raw;
}

Grid emptyGrid(const RawDescription& raw, const Shape& shape) {
    Grid grid(shape, computedType(raw.type));
    grid.geometry.spacing = raw.spacing;
    grid.metadata.format = "raw";
    if (raw.type == RawType::i16) grid.metadata.sourceType = "i16";
    return grid;
}

}  // namespace

const char* nameOf(RawType type) { return type == RawType::i16 ? "i16" : nameOf(computedType(type)); }

std::int64_t RawDescription::bytesNeeded() const {
    const auto values = checkedMultiply(shape.values(), static_cast<std::int64_t>(sizeOf(type)), "the size in bytes");
    std::int64_t needed = 0;
    if (__builtin_add_overflow(values, skip, &needed)) {
        throw Error(Error::Kind::limit, file + ": the size in bytes does not fit 64 bits: choose a smaller skip=");
    }
    return needed;
}

Grid readRaw(const RawDescription& given, const ReadOptions& options) {
    InputFile file(given.file);
    const auto raw = checked(given, file.size(), options);
    checkSize(raw, file.size());
    auto grid = emptyGrid(raw, raw.shape);
    file.seek(raw.skip);
    fillValues(
        grid, raw, [&](std::span<std::byte> out) { file.readExactly(out, options.stop); }, options);
    file.checkUnchanged();
    return grid;
}

Grid readRawSlice(const RawDescription& given, std::int64_t z, const ReadOptions& options) {
    InputFile file(given.file);
    const auto raw = checked(given, file.size(), options);
    if (z < 0 || z >= raw.shape.depth) {
        throw Error(Error::Kind::argument, raw.file + ": there is no slice " + std::to_string(z) + ": choose 0 to " +
                                               std::to_string(raw.shape.depth - 1));
    }
    auto upToHere = raw;
    upToHere.shape.depth = z + 1;
    const auto end = upToHere.bytesNeeded();
    if (end > file.size()) {
        throw Error(Error::Kind::unreadable, raw.file + ": slice " + std::to_string(z) + " lies " +
                                                 bytesText(end - file.size()) +
                                                 " beyond the end of the file: correct the size, the type or skip=");
    }
    auto grid = emptyGrid(raw, {raw.shape.width, raw.shape.height, 1, raw.shape.channels});
    file.seek(end - grid.shape().values() * static_cast<std::int64_t>(sizeOf(raw.type)));
    fillValues(
        grid, raw, [&](std::span<std::byte> out) { file.readExactly(out, options.stop); }, options);
    return grid;
}

Grid decodeRaw(std::span<const std::byte> file, const RawDescription& given, const ReadOptions& options) {
    const auto raw = checked(given, static_cast<std::int64_t>(file.size()), options);
    checkSize(raw, static_cast<std::int64_t>(file.size()));
    auto grid = emptyGrid(raw, raw.shape);
    auto position = static_cast<std::size_t>(raw.skip);
    const auto fill = [&](std::span<std::byte> out) {
        std::memcpy(out.data(), file.data() + position, out.size());  // the sizes were checked
        position += out.size();
    };
    fillValues(grid, raw, fill, options);
    return grid;
}

}  // namespace warplens::io
