// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/source.hpp"
#include "io/codecs/volume_header.hpp"
#include "io/grid.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// Of a NIfTI only the geometry is taken from ITK, see nifti_values.hpp.
enum class ItkFormat { nrrd, meta, nifti };

/// What else a caller knows of the file that ITK is to read.
struct ItkRequest {
    ItkFormat format = ItkFormat::nrrd;
    const char* title = "";   ///< as in messages
    std::int64_t values = 0;  ///< stored values that the header promises; 0: not known
    /// Gives the stored values, for an encoding that ITK lacks: in the host's byte order, those of a pixel side by
    /// side. Called when ITK has accepted the header. Empty: ITK reads them.
    std::function<std::vector<std::byte>()> load = {};
};

/// Reads a file by its name, one frame of several: the one `source` asks for, else the first. Types other than u8, u16,
/// u32, i32 and f32 become f32, with a note when that loses something. A pixel of other than 1, 3 or 4 values is taken
/// for so many frames. Throws Error: unreadable, unsupported, limit, argument (a frame that is not there).
Grid readWithItk(const ItkRequest& request, const Source& source);

/// Spacing, origin and direction alone. Throws Error(unreadable).
Geometry readItkGeometry(const ItkRequest& request, const Source& source);

}  // namespace warplens::io::codecs
