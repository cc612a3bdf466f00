// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::io {

/// What the text header of an NPY file says.
struct NpyHeader {
    std::string dtype;          ///< as written: "<f4", or a list of fields "[('x', '<i8')]"
    bool fortranOrder = false;  ///< first axis fastest
    std::vector<std::int64_t> shape;
};

/// Parses the Python dictionary in an NPY file, without its binary preamble. Throws Error(unreadable), or
/// Error(unsupported) for a structured dtype. `where` begins the message.
NpyHeader parseNpyHeader(const std::string& text, const std::string& where);

/// The dictionary with the binary preamble before it, padded to a multiple of 64 bytes as NumPy does.
std::string formatNpyHeader(const NpyHeader& header);

}  // namespace warplens::io
