// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/dicom_frames.hpp"
#include "io/codecs/dicom_tables.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// What a stored value is multiplied by, and what is added then.
struct DicomScale {
    double slope = 1, intercept = 0;

    bool operator==(const DicomScale&) const = default;
    bool changes() const { return !(*this == DicomScale{}); }
};

/// What the stored values of a file mean.
struct DicomMeaning {
    PixelType type = PixelType::u8;  ///< that holds them exactly, or f32
    std::string storedType;          ///< "u8", "i16", "u1" ...
    int channels = 1;
    /// Of the first frames, the last one of the others as well; empty: the stored values are the values.
    std::vector<DicomScale> scales;
    std::string unit;                    ///< of the scaled values; may be empty
    std::optional<DicomTable> modality;  ///< stands in the place of a scale
    std::vector<DicomTable> palette;     ///< red, green and blue; or none
    std::vector<std::string> notes;      ///< what is not applied, or was assumed

    DicomScale scaleOf(std::int64_t frame) const;
};

/// Throws Error: unreadable for tables that are damaged, unsupported for colours that are not read.
DicomMeaning readDicomMeaning(const DicomHeader& header, const std::string& where);

/// What filling a grid changed.
struct DicomTally {
    std::int64_t rounded = 0;  ///< values that the grid's type does not hold exactly
    std::string turnedFrom;    ///< the colour space that was turned to RGB; or empty
};

/// Puts the values of a frame into the slice z of a grid of the meaning's type, or f32. Throws Error(unsupported) for a
/// value beyond f32.
void writeDicomFrame(const DicomSamples& samples, const DicomHeader& header, const DicomMeaning& meaning,
                     std::int64_t frame, std::int64_t z, Grid& grid, DicomTally& tally, const std::string& where);

/// Turns integers of 32 bits into f32, which every filter takes, when that changes none of them.
void floatWhereExact(Grid& grid);

/// What was done to values, for a note; `scales` are those of all slices. Empty when nothing was.
std::string scaleNote(const std::vector<DicomScale>& scales, const std::string& unit, bool rounded);

}  // namespace warplens::io::codecs
