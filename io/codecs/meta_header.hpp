// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/volume_header.hpp"

namespace warplens::io::codecs {

/// Reads a MetaImage header (.mha or .mhd) and looks at the data files it names. Stricter than the format's own
/// library, which writes beyond its buffers for headers of odd counts and lengths: what it would misread is refused
/// here. Throws Error: unreadable, unsupported, limit.
VolumeHeader parseMetaHeader(const Source& source);

}  // namespace warplens::io::codecs
