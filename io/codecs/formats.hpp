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

/// The functions behind the rows of formats.inc: each as Codec in codec.hpp says, each in the file of its format.
namespace warplens::io::codecs {

using Bytes = std::span<const std::byte>;

bool isPng(Bytes head);
Grid decodePng(Bytes file, const Limits& limits, const std::string& where);
std::vector<std::byte> encodePng(const Grid& grid, const std::string& where, const EncodeOptions& options);

bool isJpeg(Bytes head);
Grid decodeJpeg(Bytes file, const Limits& limits, const std::string& where);
std::vector<std::byte> encodeJpeg(const Grid& grid, const std::string& where, const EncodeOptions& options);

bool isWebp(Bytes head);
Grid decodeWebp(const Source& source);
std::vector<std::byte> encodeWebp(const Grid& grid, const std::string& where, const EncodeOptions& options);

bool isTiff(Bytes head);
Grid decodeTiff(const Source& source);
std::vector<std::byte> encodeTiff(const Grid& grid, const std::string& where, const EncodeOptions& options);

bool isExr(Bytes head);
Grid decodeExr(Bytes file, const Limits& limits, const std::string& where);
std::vector<std::byte> encodeExr(const Grid& grid, const std::string& where, const EncodeOptions& options);

bool isHdr(Bytes head);
Grid decodeHdr(Bytes file, const Limits& limits, const std::string& where);

bool isBmp(Bytes head);
Grid decodeBmp(Bytes file, const Limits& limits, const std::string& where);

bool isTga(Bytes head);
Grid decodeTga(Bytes file, const Limits& limits, const std::string& where);

bool isPnm(Bytes head);
Grid decodePnm(Bytes file, const Limits& limits, const std::string& where);

bool isNrrd(Bytes head);
Grid decodeNrrd(const Source& source);
std::vector<std::byte> encodeNrrd(const Grid& grid, const std::string& where, const EncodeOptions& options);

bool isMeta(Bytes head);
Grid decodeMeta(const Source& source);
std::vector<std::byte> encodeMeta(const Grid& grid, const std::string& where, const EncodeOptions& options);

bool isNifti(Bytes file);
Grid decodeNifti(const Source& source);
std::vector<std::byte> encodeNifti(const Grid& grid, const std::string& where, const EncodeOptions& options);

bool isDicom(Bytes head);
Grid decodeDicom(const Source& source);
/// One series of the DICOM files in a folder, as source.series says.
Grid decodeDicomFolder(const Source& source);

}  // namespace warplens::io::codecs
