// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/source.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Our own strict look at a DICOM file, before its library sees it: that library believes the lengths it reads, takes
/// the memory they ask for, and fills what is missing with zeros.
namespace warplens::io::codecs {

/// What the file says of its pixels, and where they are.
struct DicomHeader {
    std::int64_t rows = 0, columns = 0, samples = 1, bits = 0, frames = 1;
    bool byPlane = false;
    bool bigEndian = false;
    std::string photometric;
    std::string syntax;      ///< the UID of the transfer syntax
    std::string kind;        ///< the UID of the class, as "CT image"
    bool hasPixels = false;  ///< a report or a directory of files has none

    struct Piece {
        std::int64_t begin = 0, bytes = 0;
    };
    std::vector<Piece> fragments;  ///< of encapsulated pixels, without the table of offsets before them; else none

    bool isRle() const { return syntax == "1.2.840.10008.1.2.5"; }
    std::int64_t valueCount() const {
        return rows * columns * samples * frames;  // checked when it was read
    }
};

/// Walks through all elements up to the pixels. Throws Error: unreadable when a length leads out of the file or the
/// values or fragments are not all there; limit when they are over the policy.
DicomHeader parseDicomHeader(const std::string& path, const Source& source);

}  // namespace warplens::io::codecs
