// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/io/support/files.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// DICOM pictures of every layout, byte by byte as the standard says.
namespace warplens::test {

enum class DicomCoding { explicitLittle, implicitLittle, explicitBig, deflated, rle };

struct DicomPicture {
    int width = 0, height = 0;
    int samples = 1;  ///< 3: RGB
    int bits = 16;    ///< a sample: 8, 16 or 32
    int frames = 1;
    bool byPlane = false;  ///< the planar configuration
    bool isSigned = false;
    DicomCoding coding = DicomCoding::explicitLittle;
    bool sequence = false;      ///< a sequence without a stated length, with an icon in it, stands before the pixels
    std::string photometric{};  ///< RGB or MONOCHROME2 unless said
};

/// The values in the order in which a Grid holds them.
Bytes dicomFile(const DicomPicture& picture, const std::vector<std::uint32_t>& values);

}  // namespace warplens::test
