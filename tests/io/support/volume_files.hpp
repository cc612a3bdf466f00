// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/io/support/files.hpp"

#include <array>
#include <cstdint>
#include <string>

/// Volumes of kinds that Warplens reads but does not write, byte by byte as their standards say.
namespace warplens::test {

struct NiftiOptions {
    std::vector<int> sizes;  ///< dim[1], dim[2] ...
    int code = 2;            ///< datatype
    int bits = 8;            ///< a pixel
    float slope = 0, intercept = 0;
    std::array<float, 12> affine{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};  ///< rows of the matrix to RAS, in mm
    bool bigEndian = false;
    const char* magic = "n+1";
};
/// A NIfTI-1 file with its values, which are in the byte order of the file already.
Bytes makeNifti(const NiftiOptions& options, const Bytes& values);

struct DicomOptions {
    int width = 0, height = 0;
    std::string series = "1.2.3";
    std::string description = "test";
    int instance = 1;
    std::array<double, 3> position{};
    std::string orientation = "1\\0\\0\\0\\1\\0";
    std::string slope = "1", intercept = "0";
    bool isSigned = true;
    bool positioned = true;
};
/// A CT slice of 16-bit values in explicit little endian.
Bytes makeDicom(const DicomOptions& options, const std::vector<std::int16_t>& values);

/// Decodes a file, or a folder of DICOM files, in this process.
io::Grid decodeFile(const std::string& path, int frame = 0, const std::string& series = "");

/// The same bytes as a gzip file.
Bytes gzipped(const Bytes& bytes);
/// And as a bzip2 file.
Bytes bzipped(const Bytes& bytes);

}  // namespace warplens::test
