// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/dicom_header.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// One frame of DICOM's run lengths: rows x columns x samples values of 1, 2 or 4 bytes, in the host's byte order and
/// with those of a pixel side by side. Throws Error(unreadable) when a segment holds anything but its plane.
std::vector<std::byte> decodeRleFrame(std::span<const std::byte> frame, const DicomHeader& header,
                                      const std::string& where);

/// Looks at every frame and returns their values when `keep`.
std::vector<std::byte> readRle(const DicomHeader& header, const std::string& path, const Source& source, bool keep);

}  // namespace warplens::io::codecs
