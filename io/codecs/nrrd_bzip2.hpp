// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/nrrd_header.hpp"

#include <cstddef>
#include <vector>

namespace warplens::io::codecs {

/// The values of an NRRD whose encoding is bzip2, in the host's byte order and with those of a pixel side by side. The
/// caller has seen checkBytes() pass. Memory is taken as bytes arrive, and no more is decompressed than the header asks
/// for. Throws Error: unreadable (a stream that is corrupt, or too short or too long for the header), limit.
std::vector<std::byte> readBzip2Values(const NrrdHeader& header, const Source& source);

}  // namespace warplens::io::codecs
