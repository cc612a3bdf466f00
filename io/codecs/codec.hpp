// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/source.hpp"
#include "io/format.hpp"
#include "io/grid.hpp"
#include "io/limits.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// A file format with the functions around its library. A new one is a source file with them, a row in formats.inc, its
/// library in CMakeLists.txt, and a test.
struct Codec : Format {
    bool (*identify)(std::span<const std::byte> head);
    Grid (*decode)(const Source& source);  ///< where byName says so, Source::file is the beginning only
    /// Null where the format is read only.
    std::vector<std::byte> (*encode)(const Grid& grid, const std::string& where, const EncodeOptions& options);
};

/// Every format of formats.inc, in the order in which they are tried.
const std::vector<Codec>& all();

/// The codec whose signature the file begins with; null when none knows it.
const Codec* identify(std::span<const std::byte> file);

/// Decodes a whole file in memory. Throws Error, whatever the file holds; sizes are checked before allocation. Formats
/// whose library opens files itself are refused here.
Grid decode(std::span<const std::byte> file, const Limits& limits, const std::string& where);

/// Decodes the file, or the folder of DICOM files, at source.path; source.file is filled in here. Throws as above.
Grid decodeFile(Source source);

/// Whether the file may be a header that names the files with its values: NRRD, MetaImage or half of a NIfTI pair.
/// Nothing in the file is interpreted beyond that.
bool mayNameFiles(const std::string& path);

/// The names of the plain files beside source.path that its header names, as far as it can be read. Throws Error for a
/// file that cannot be opened, nothing for what is in it.
std::vector<std::string> filesNamedBy(Source source);

/// Encodes; `format` is an id or extension. Throws Error(unsupported) naming a format that can hold the picture, or
/// Error(unwritable).
std::vector<std::byte> encode(const Grid& grid, const std::string& format, const std::string& where,
                              const EncodeOptions& options = {});

}  // namespace warplens::io::codecs
