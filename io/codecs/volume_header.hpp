// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/source.hpp"
#include "io/convert_values.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the volume formats share: our own strict reading of their headers comes first. ITK sees a file only when the
/// bytes that its header asks for are there.
namespace warplens::io::codecs {

/// How the values lie in the file.
enum class Packing {
    plain,    ///< as they are
    deflate,  ///< zlib or gzip
    bzip2,    ///< one bzip2 stream, or several one after the other
    text,     ///< decimal numbers with blanks between
    hex,      ///< two digits a byte
    unknown   ///< in a way that bounds nothing
};

/// What a header promises.
struct VolumeHeader {
    std::string type;                 ///< of the stored values: "u8", "i8", "u16" ... "i64", "f32", "f64"
    std::vector<std::int64_t> sizes;  ///< of every axis in the file, colour and time included, fastest first
    Packing packing = Packing::plain;
    std::int64_t dataBytes = 0;        ///< present in the file, or in the files beside it, for the values
    std::optional<Geometry> geometry;  ///< exact, where the file tells better than ITK can
    std::vector<std::string> notes;
};

/// Number of values. Throws Error(unreadable) when an axis is empty or the product does not fit 64 bits.
std::int64_t valuesOf(const VolumeHeader& header, const char* title, const std::string& where);

/// Throws Error(unreadable) when the promised values cannot be in so many bytes, saying how many are missing;
/// Error(limit) when they are over the policy.
void checkBytes(const VolumeHeader& header, const char* title, const Source& source);

/// The size of a plain file in the source's own folder. Throws Error(unsupported) for a name with a folder in it, and
/// Error(unreadable) for a file that is missing, a link, or no plain file.
std::int64_t neighbourBytes(const Source& source, const std::string& name);

/// `pattern` ("slice%03d.raw") filled with first, first + step, ... last. Throws Error(unreadable) for a pattern that
/// is none, or more than 65,535 files.
std::vector<std::string> namesOfPattern(const Source& source, const std::string& pattern, std::int64_t first,
                                        std::int64_t last, std::int64_t step);

/// Bytes that such files hold of values which they share evenly, each without its first `skipped` ones. Throws as
/// neighbourBytes().
std::int64_t sharedBytes(const Source& source, const std::vector<std::string>& names, std::int64_t skipped);

/// Throws Error(unreadable) when a file of numbers as text ends within one, for who knows how many digits it had.
void checkTextEnds(const std::string& path, const char* title, const Source& source);

/// Blanks, tabs and a carriage return taken from both ends.
std::string_view trimmed(std::string_view text);
/// The words between blanks.
std::vector<std::string_view> words(std::string_view text);

}  // namespace warplens::io::codecs
