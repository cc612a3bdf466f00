// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace warplens::codec {

/// What the process may use at most from now on. It can only be tightened, so a codec that is taken over stays inside.
struct Allowance {
    std::int64_t memoryBytes = 0;
    std::uint64_t cpuSeconds = 0;
    std::filesystem::path folder;  ///< may be read; empty: no file at all
};

/// Bounds memory, processor time, open files; forbids writing files, core dumps and new privileges; and, where the
/// kernel has Landlock, every file outside the folder. What a kernel does not offer is left out.
/// Builds with a sanitizer keep the memory and file bounds off, which the sanitizer itself could not live with.
void enterSandbox(const Allowance& allowance);

/// Within the allowance, what the request at hand takes: a library that is led to ask for more is refused it. May be
/// called again as more becomes known.
void holdTo(std::int64_t memoryBytes, std::uint64_t cpuSeconds);

/// What enterSandbox() would achieve here, one line a means.
std::string sandboxStatus();

}  // namespace warplens::codec
