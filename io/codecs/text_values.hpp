// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/source.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warplens::io::codecs {

/// Fills `out` with values of a type ("u8" ... "f64"), in the host's byte order, which a file holds as decimal numbers
/// with blanks or commas between: those after the first `skipped` of them. Throws Error(unreadable) when there are too
/// few, or one is no number of the type.
void readDecimals(const std::string& path, std::int64_t begin, std::string_view type, std::int64_t skipped,
                  std::span<std::byte> out, const char* title, const Source& source);

/// Fills `out` with the bytes that a file holds as two hexadecimal digits each, after the first `skipped` of them;
/// blanks mean nothing. Throws Error(unreadable).
void readHex(const std::string& path, std::int64_t begin, std::int64_t skipped, std::span<std::byte> out,
             const char* title, const Source& source);

}  // namespace warplens::io::codecs
