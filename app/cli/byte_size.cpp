// SPDX-License-Identifier: Apache-2.0
#include "app/cli/byte_size.hpp"

#include "app/cli/exit_status.hpp"
#include "io/byte_size.hpp"

namespace warplens::cli {

std::int64_t parseByteSize(const std::string& option, const std::string& text) {
    if (const auto bytes = io::byteSizeOf(text)) return *bytes;
    throw ArgumentError(option + " " + text + ": give a size, as in 800MB, 1GB or 512MiB");
}

}  // namespace warplens::cli
