// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/nifti_header.hpp"
#include "io/grid.hpp"

namespace warplens::io::codecs {

/// The values of one frame. Read here rather than by the NIfTI library, which makes 0 of what is not a number, reads
/// v.nii in the place of v.nii.gz where both exist, and scales where there is no slope. The header has passed
/// checkBytes(). Throws Error: unreadable, unsupported, limit, argument (a frame that is not there).
Grid readNiftiValues(const NiftiHeader& header, const Source& source);

}  // namespace warplens::io::codecs
