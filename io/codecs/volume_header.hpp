// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/source.hpp"
#include "io/convert_values.hpp"
#include "io/grid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the volume formats share: each reads its header strictly and says with it where the values lie, how they are
/// packed, and which axis is which; volume_values.hpp reads them.
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
    std::string type;                  ///< of the stored values: "u8", "i8", "u16" ... "i64", "f32", "f64"
    std::vector<std::int64_t> sizes;   ///< of every axis in the file, colour and time included, fastest first
    std::vector<std::size_t> space;    ///< which of them are x, y and z; at most three
    std::optional<std::size_t> pixel;  ///< along which the values of one pixel lie; every other axis is of frames

    Packing packing = Packing::plain;
    std::int64_t dataBytes = 0;          ///< present in the file, or in the files beside it, for the values
    std::vector<std::string> dataPaths;  ///< of the files that share the values evenly, in their order
    std::int64_t dataBegin = 0;          ///< of the values in each of them
    std::int64_t lineSkip = 0;           ///< lines after dataBegin, as they are stored, before the values
    std::int64_t byteSkip = 0;           ///< bytes after those, once decompressed
    bool atEnd = false;                  ///< the values are the last bytes of each file; plain ones only
    bool bigEndian = false;
    bool moreIsFine = false;  ///< a compressed stream may go on after the values

    double slope = 1;  ///< value = stored * slope + intercept
    double intercept = 0;
    Geometry geometry;  ///< as the file says; see tidyGeometry()
    std::vector<std::string> notes;

    bool scaled() const { return slope != 1 || intercept != 0; }
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

/// The paths of such files.
std::vector<std::string> pathsOf(const Source& source, const std::vector<std::string>& names);

/// Throws Error(unreadable) when a file of numbers as text ends within one, for who knows how many digits it had.
void checkTextEnds(const std::string& path, const char* title, const Source& source);

/// Blanks, tabs and a carriage return taken from both ends.
std::string_view trimmed(std::string_view text);
/// The words between blanks.
std::vector<std::string_view> words(std::string_view text);

/// Lower case, ASCII alone.
std::string lower(std::string_view text);

/// A unit of length as a multiple of a fraction of a mm, either exact: 700 um are 0.7 mm, not 0.7000000000000001.
struct LengthUnit {
    double times = 1;
    double per = 1;
    double mm(double length) const { return length * times / per; }
};

/// A unit by its name ("um", "micrometers", "inch" ...); none for what is no length.
std::optional<LengthUnit> lengthUnit(std::string_view name);

/// Unit vectors and lengths of up to three axes, given as their steps in mm: the columns of direction and the spacing.
/// Axes that are not given stand on those that are, 1 mm apart. A step of no length gives a spacing of 0.
void setSteps(Geometry& geometry, const std::vector<std::array<double, 3>>& steps);

}  // namespace warplens::io::codecs
