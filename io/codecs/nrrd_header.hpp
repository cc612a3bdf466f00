// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/volume_header.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace warplens::io::codecs {

/// The key under which we keep spacing, origin and direction to the last bit, which the vectors of NRRD, being their
/// products, do not.
extern const char* const kNrrdGeometryKey;

/// With what it takes to read the values without ITK.
struct NrrdHeader : VolumeHeader {
    std::string dataPath;        ///< the file that holds the values; empty: several do
    std::int64_t dataBegin = 0;  ///< of the values in it, before lines are skipped
    std::int64_t lineSkip = 0;   ///< lines before the values, as they are stored
    std::int64_t byteSkip = 0;   ///< bytes before the values, decompressed
    bool bigEndian = false;
    std::size_t pixelAxis = 0;  ///< along which the values of one pixel lie; 0 also when there is none
};

/// Reads an NRRD header, attached or detached, and looks at the data files that a detached one names. Throws Error:
/// unreadable, unsupported (an encoding or type we lack, a name outside the folder), limit.
NrrdHeader parseNrrdHeader(const Source& source);

/// What the header says of a geometry: three vectors of spacing times direction, then the origin.
std::array<std::string, 4> nrrdVectors(const Geometry& geometry);

}  // namespace warplens::io::codecs
