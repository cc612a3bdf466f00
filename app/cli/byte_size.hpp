// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace warplens::cli {

/// io::byteSizeOf(), or ArgumentError that begins with the option's name.
std::int64_t parseByteSize(const std::string& option, const std::string& text);

}  // namespace warplens::cli
