// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/volume_header.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace warplens::io::codecs {

/// Bytes of a NIfTI-1 header.
constexpr std::size_t kNiftiHeaderBytes = 348;
/// Bytes of a NIfTI-2 header, which is known and refused.
constexpr std::size_t kNifti2HeaderBytes = 540;

/// A NIfTI header with what else matters of it.
struct NiftiHeader : VolumeHeader {
    bool scaled = false;  ///< a slope and an intercept turn the stored values into those meant
    double slope = 1;
    double intercept = 0;
    bool bigEndian = false;
    std::string dataPath;     ///< the file of the values: the .img beside a .hdr, else the file itself
    std::int64_t offset = 0;  ///< of the first value there, once inflated
    std::array<double, 3> spacing{1, 1, 1};
    std::optional<Geometry> affine;  ///< as the sform places the volume, where there is one
    bool hasQform = false;
};

/// The beginning of the file, inflated if it is gzip; at most `count` bytes.
std::vector<std::byte> niftiHead(std::span<const std::byte> file, std::size_t count);

/// Reads the header of a .nii or .nii.gz, or of a .hdr with its .img. Throws Error: unreadable, unsupported, limit.
NiftiHeader parseNiftiHeader(const Source& source);

/// NIfTI's number for pixels of so many values of a type of ours; 0 when it has none.
int niftiCodeOf(std::string_view type, int values);

}  // namespace warplens::io::codecs
