// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"
#include "io/limits.hpp"
#include "io/read.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace warplens::io {

/// How values lie in a file without a header of its own.
enum class RawType : std::uint8_t { u8, u16, i16, u32, i32, f32 };

/// Bytes of one stored value: 1, 2 or 4.
constexpr std::size_t sizeOf(RawType type) {
    return type == RawType::u8 ? 1 : type == RawType::u16 || type == RawType::i16 ? 2 : 4;
}
/// "u8", "u16", "i16", "u32", "i32" or "f32".
const char* nameOf(RawType type);

/// A file of plain values: x fastest, then y, then z, channels together.
struct RawDescription {
    std::string file;
    bool wholeFile = false;  ///< every byte of the file as a u8, in one row; the rest is not looked at
    Shape shape;
    RawType type = RawType::u8;
    bool bigEndian = false;
    std::int64_t skip = 0;                   ///< bytes before the first value
    std::array<double, 3> spacing{1, 1, 1};  ///< mm

    bool operator==(const RawDescription&) const = default;
    /// Bytes that the file must have: skip and values. Throws Error(limit) when they do not fit 64 bits.
    std::int64_t bytesNeeded() const;
};

/// True for "raw:...".
bool isRaw(const std::string& input);

/// Takes apart `raw:FILE` (all bytes of the file in one row, as u8) or
/// `raw:FILE:WxH[xD]:TYPE[:c=1|3|4][:order=little|big][:skip=BYTES][:spacing=X,Y,Z]`, TYPE being u8, u16, i16 (computed
/// as f32), u32, i32 or f32; little endian unless said. FILE may contain colons. Throws Error(argument) naming the part
/// that is wrong.
RawDescription parseRaw(const std::string& input);
/// The text that parseRaw() takes for this description.
std::string formatRaw(const RawDescription& raw);

/// Reads the file. Throws Error: unreadable (missing, or of another size than described: the message says how many
/// bytes are missing or left over), limit, cancelled.
Grid readRaw(const RawDescription& raw, const ReadOptions& options);
/// One slice alone, as a picture: for a preview while the description is being typed. The file may be of another size
/// as long as it holds this slice. Throws as readRaw(), and Error(argument) for a slice outside the shape.
Grid readRawSlice(const RawDescription& raw, std::int64_t z, const ReadOptions& options);
/// readRaw() from memory; raw.file begins the messages.
Grid decodeRaw(std::span<const std::byte> file, const RawDescription& raw, const ReadOptions& options);

}  // namespace warplens::io
