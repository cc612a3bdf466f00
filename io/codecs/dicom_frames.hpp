// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/dicom_header.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// The samples of one frame, as numbers in some layout.
struct DicomSamples {
    std::vector<std::byte> bytes;
    std::int64_t bits = 0;    ///< from one sample to the next, 1 to 64
    std::int64_t first = 0;   ///< bit at which the first one begins
    std::int64_t width = 0;   ///< bits that are its value
    std::int64_t lowest = 0;  ///< the place of the lowest of them
    bool isSigned = false;
    bool bigEndian = false;
    bool byPlane = false;
    std::string photometric;  ///< which may be another than the header says, as the decoder knows better
};

/// Reads and decodes one frame, from 0. Throws Error: unreadable when it is not what the header says, unsupported for a
/// kind of picture that no decoder of ours reads.
DicomSamples readDicomFrame(const DicomHeader& header, std::int64_t frame, const Source& source);

/// Gives `count` samples from the number `begin` on: sample `channel` of each pixel. Integers of 64 bits without a sign
/// come as their two's complement.
void unpackSamples(const DicomSamples& samples, const DicomHeader& header, std::int64_t begin, std::int64_t channel,
                   std::span<std::int64_t> out);

}  // namespace warplens::io::codecs
