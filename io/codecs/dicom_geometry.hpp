// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/dicom_header.hpp"
#include "io/grid.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// Where one frame lies, as far as the file says.
struct DicomPlace {
    std::optional<std::array<double, 3>> position;  ///< of its first value, mm
    /// Unit vectors along rows and columns, then the one that stands on both.
    std::optional<std::array<std::array<double, 3>, 3>> axes;
};

DicomPlace placeOfFrame(const DicomHeader& header, std::int64_t frame);

/// Position of `place` along the third of these axes, in mm.
double alongNormal(const DicomPlace& place, const std::array<std::array<double, 3>, 3>& axes);

/// Distance between neighbouring slices as the file states it, and where it does; none when it does not.
std::optional<double> statedSliceSpacing(const DicomHeader& header, std::string& from);

/// Spacing, origin and direction of a file's frames, one slice each. What is assumed is said in the notes.
Geometry readDicomGeometry(const DicomHeader& header, std::vector<std::string>& notes);

/// The mean distance of places along a line. Says in a note when they are not even.
double evenSpacing(const std::vector<double>& places, std::vector<std::string>& notes);

}  // namespace warplens::io::codecs
