// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens::io {

/// Bytes from "800000", "1GB", "1.5 GB" or "512MiB": kB, MB, GB, TB count in thousands, KiB, MiB, GiB, TiB in 1,024s;
/// the case does not matter. At least 1; nothing of any other text.
std::optional<std::int64_t> byteSizeOf(std::string_view text);

}  // namespace warplens::io
