// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace warplens::cli {

/// Bytes from "800000", "1GB", "1.5 GB" or "512MiB": kB, MB, GB, TB count in thousands, KiB, MiB, GiB, TiB in 1,024s;
/// the case does not matter. At least 1. Throws ArgumentError that begins with the option's name.
std::int64_t parseByteSize(const std::string& option, const std::string& text);

}  // namespace warplens::cli
