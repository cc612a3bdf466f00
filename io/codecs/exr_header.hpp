// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/limits.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace warplens::io::codecs {

/// Walks the headers of an EXR, of every part, before OpenEXR sees them: extents and tiles decide how large its tables
/// are, and it reads attributes of known types without regard to the size they state, to arrive anywhere. Throws Error:
/// unreadable (damaged, out of proportion), limit.
void checkExrHeaders(std::span<const std::byte> file, const Limits& limits, const std::string& where);

}  // namespace warplens::io::codecs
