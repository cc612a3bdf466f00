// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/volume_header.hpp"
#include "io/grid.hpp"

namespace warplens::io::codecs {

/// The volume that a header promises, one frame of several: the one `source` asks for, else the first. A compressed
/// stream is read to its end, so that its checksum counts. Types other than u8, u16, u32, i32 and f32, and values that
/// are scaled, become f32, with a note when that loses something. A pixel of other than 1, 3 or 4 values is taken for
/// so many frames. Throws Error: unreadable (fewer bytes than the header asks for, or other ones), unsupported, limit,
/// argument (a frame that is not there).
///
/// No format's library reads the values: ITK's stop before the checksum, make zeros of what is missing and of NaN, know
/// no bzip2, and call aloud or abort where a header is odd.
Grid readVolume(const VolumeHeader& header, const char* title, const Source& source);

}  // namespace warplens::io::codecs
