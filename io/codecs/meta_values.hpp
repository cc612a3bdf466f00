// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/meta_header.hpp"

#include <cstddef>
#include <vector>

namespace warplens::io::codecs {

/// The values of a MetaImage that are compressed or text, in the host's byte order. Read here, for the format's library
/// makes zeros of what is missing. The caller has seen checkBytes() pass. Throws Error(unreadable).
std::vector<std::byte> readMetaValues(const MetaHeader& header, const Source& source);

}  // namespace warplens::io::codecs
