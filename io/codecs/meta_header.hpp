// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/volume_header.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace warplens::io::codecs {

/// With what it takes to read packed values without the format's library.
struct MetaHeader : VolumeHeader {
    std::string dataPath;        ///< the file that holds the values; empty: several do
    std::int64_t dataBegin = 0;  ///< of the values in it
    bool bigEndian = false;
};

/// Reads a MetaImage header (.mha or .mhd) and looks at the data files it names. Stricter than the format's own
/// library, which writes beyond its buffers for headers of odd counts and lengths: what it would misread is refused
/// here. Throws Error: unreadable, unsupported, limit.
MetaHeader parseMetaHeader(const Source& source);

/// MetaImage's name of a type of ours: "MET_SHORT" for "i16".
std::string_view metaNameOf(std::string_view type);

}  // namespace warplens::io::codecs
