// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/volume_header.hpp"

#include <string_view>

namespace warplens::io::codecs {

/// Reads a MetaImage header (.mha or .mhd) and looks at the data files it names. What its own library would misread is
/// refused. Throws Error: unreadable, unsupported, limit.
VolumeHeader parseMetaHeader(const Source& source);

/// MetaImage's name of a type of ours: "MET_SHORT" for "i16".
std::string_view metaNameOf(std::string_view type);

}  // namespace warplens::io::codecs
