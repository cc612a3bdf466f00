// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::io::codecs {

/// What the text in a TIFF's first ImageDescription says of the planes in the file and of their geometry: that of
/// ImageJ, OME-XML, or the JSON of tifffile. Nothing in it is believed before it agrees with the file.
struct TiffDescription {
    enum class Kind { none, imageJ, ome, shaped };
    Kind kind = Kind::none;
    std::int64_t images = 0;  ///< planes of which it speaks, 0: of none
    std::int64_t channels = 1, slices = 1, times = 1;
    /// The place in the file of each plane, from 0, -1 where the file lacks it; channels vary fastest, then slices,
    /// then times. Empty: in that order.
    std::vector<std::int64_t> places;
    /// ImageJ: pixels are 1 / XResolution of these long; without it what the tags say holds.
    std::optional<double> millimetres;
    /// Size of a pixel in mm along each axis, where said here.
    std::array<std::optional<double>, 3> pixelSize;
    std::array<double, 3> originPixels{};  ///< ImageJ: the pixel that lies at 0
    /// ImageJ: values mean intercept + slope * stored.
    std::optional<std::array<double, 2>> calibration;
    std::vector<std::string> notes;  ///< what is not obeyed
};

/// Never fails: a text that is none of the three, or makes no sense, describes nothing. `planes`: how many there can be
/// at most.
TiffDescription describeTiff(std::string_view text, std::int64_t planes);

}  // namespace warplens::io::codecs
