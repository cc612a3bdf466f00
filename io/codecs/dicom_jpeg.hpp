// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/dicom_frames.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// A frame of JPEG (also lossless and of 12 bits), JPEG-LS or JPEG 2000. The colours stay those that are coded, but for
/// JPEG 2000, which turns its own back to RGB. Throws Error: unreadable for a frame that is damaged or of another size
/// than the header says, unsupported for one that the decoder does not read.
DicomSamples decodeDicomJpeg(std::vector<std::byte> frame, const DicomHeader& header, const std::string& where);

}  // namespace warplens::io::codecs
