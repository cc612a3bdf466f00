// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplens::io {

/// SHA-256 (FIPS 180-4) of a text's bytes, as 64 hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace warplens::io
