// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/volume_header.hpp"

#include <string_view>

namespace warplens::io::codecs {

/// Bytes of a NIfTI-1 header.
constexpr std::size_t kNiftiHeaderBytes = 348;
/// Bytes of a NIfTI-2 header.
constexpr std::size_t kNifti2HeaderBytes = 540;

/// Which version the file begins like, 1 or 2; 0: it is no NIfTI.
int niftiVersion(std::span<const std::byte> file);

/// Reads the header of a .nii or .nii.gz, or of a .hdr with its .img, of either version. The sform places the volume
/// where there is one, else the qform, as the standard's own tools and nibabel have it; lengths become mm. Throws
/// Error: unreadable, unsupported, limit.
VolumeHeader parseNiftiHeader(const Source& source);

/// NIfTI's number for pixels of so many values of a type of ours; 0 when it has none.
int niftiCodeOf(std::string_view type, int values);

}  // namespace warplens::io::codecs
