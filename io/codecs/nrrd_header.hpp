// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/volume_header.hpp"

#include <array>
#include <string>

namespace warplens::io::codecs {

/// The key under which we keep spacing, origin and direction to the last bit, which the vectors of NRRD, being their
/// products, do not.
extern const char* const kNrrdGeometryKey;

/// Reads an NRRD header, attached or detached, and looks at the data files that a detached one names. Lengths become mm
/// by the units it names, positions left-posterior-superior where its space is known. Throws Error: unreadable,
/// unsupported (an encoding or type we lack, a name outside the folder), limit.
VolumeHeader parseNrrdHeader(const Source& source);

/// What the header says of a geometry: three vectors of spacing times direction, then the origin.
std::array<std::string, 4> nrrdVectors(const Geometry& geometry);

}  // namespace warplens::io::codecs
