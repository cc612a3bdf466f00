// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// The unit in which people read the lengths of a picture.
struct LengthUnit {
    const char* name = "px";
    double mm = 1;  ///< of one; of pixels as the geometry has them
};
/// µm where pixels are finer than 0.1 mm, else mm; px where the file said no pixel size.
LengthUnit lengthUnitOf(const io::Grid& picture);

/// Whether it is a length in pixels of the picture, by its unit px, so that it can be given in mm as well. A family
/// that works along z has a parameter of the role dimensions; its lengths are then one number for all three axes.
bool isLength(const Parameter& parameter);

/// Of "1.5um": 0.0015. A number with nm, um, µm, mm or cm behind it, and a space between them or none; nothing of other
/// text.
std::optional<double> millimetresOf(const std::string& text);

/// How long a pixel is along each axis that a family works along.
struct PixelLength {
    double mm = 0;
    std::string why{};  ///< in words without a subject where there is no such number: "the file has no pixel size"
};
PixelLength pixelLength(const std::vector<Parameter>& parameters, const ParameterValues& values,
                        const io::Grid& picture);

/// So many mm as the parameter has them: in pixels, an integer as the nearest one. Not checked against its range.
Parameter::Value inPixels(const Parameter& parameter, double mm, double pixelMm);

}  // namespace warplens::gpu
