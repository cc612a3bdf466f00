// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/dicom_dataset.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Our own strict look at a DICOM file, before its pixels are decoded: memory is taken only for what is there.
namespace warplens::io::codecs {

/// How a file's pixels are coded.
enum class DicomCoding {
    native,    ///< as they are
    pieces,    ///< as they are, in fragments
    rle,       ///< DICOM's run lengths
    jpeg,      ///< baseline, extended, progressive or lossless JPEG
    jpegLs,    ///< JPEG-LS
    jpeg2000,  ///< JPEG 2000, the high throughput coder included
    other      ///< any that is not read
};

/// What the file says of its pixels, and where they are.
struct DicomHeader {
    std::int64_t rows = 0, columns = 0, samples = 1, frames = 1;
    std::int64_t bits = 0;     ///< a sample takes
    std::int64_t stored = 0;   ///< of them are its value, 1 to bits
    std::int64_t highest = 0;  ///< the place of the value's highest bit, stored - 1 to bits - 1
    bool isSigned = false;
    bool isReal = false;     ///< floating point of 32 or 64 bits
    bool byPlane = false;    ///< all red values of a frame, then all green ones
    bool bigEndian = false;  ///< the pixels
    bool inWords = false;    ///< bytes come in words of two, which decides where they are in big endian
    std::string photometric;
    DicomCoding coding = DicomCoding::native;
    bool hasPixels = false;                       ///< a report or a directory of files has none
    std::vector<std::string> notes;               ///< about what the header says
    std::vector<std::vector<DicomPiece>> pieces;  ///< of each frame, unless it is native
    DicomDataset dataset;

    /// Two pixels at a time: their two brightnesses, then the colour that they share.
    bool isPaired() const {
        return (photometric == "YBR_FULL_422" || photometric == "YBR_PARTIAL_422") &&
               (coding == DicomCoding::native || coding == DicomCoding::pieces);
    }
    /// Values of a frame as they are stored.
    std::int64_t storedValues() const { return rows * columns * (isPaired() ? 2 : samples); }
    const DicomItem& root() const { return dataset.root; }
    /// Where a frame, from 0, or else all frames, say this: the item that holds the tag, within the functional group's
    /// sequence; the whole data set where neither does. Null when that has no such tag either.
    const DicomItem* of(std::int64_t frame, std::uint32_t group, std::uint32_t tag) const;
};

/// Reads all up to the pixels. `source` outlives the result. Throws Error: unreadable when a length leads out of the
/// file or the values or fragments are not all there; limit when they are over the policy; unsupported for a layout or
/// coding that is not read.
DicomHeader readDicomHeader(const std::string& path, const Source& source);

}  // namespace warplens::io::codecs
