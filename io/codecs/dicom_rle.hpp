// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/dicom_header.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// One frame of DICOM's run lengths: rows x columns x samples values of whole bytes, in the host's byte order and with
/// those of a pixel side by side. Throws Error: unreadable when a segment holds anything but its plane, unsupported for
/// values that are not whole bytes.
std::vector<std::byte> decodeRleFrame(std::span<const std::byte> frame, const DicomHeader& header,
                                      const std::string& where);

}  // namespace warplens::io::codecs
