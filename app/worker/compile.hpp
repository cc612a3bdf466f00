// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/protocol.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warplens::worker {

/// At most so many lines of a compiler's complaints are told.
inline constexpr std::size_t kMostErrors = 20;

/// Compiles the kernel of a job for the device it names, into `scratch` (run.hpp), in a process in a jail: it reads the
/// toolchain and our own headers, writes to `scratch`, and has bounds on time, memory and files. Returns the compiler's
/// errors, "my.cuh:12: ..." each; none where it compiled. Throws gpu::Error(unsupported) where there is no compiler.
std::vector<std::string> compile(const Job& job, const std::filesystem::path& scratch);

/// What a compiler said, as such errors.
std::vector<std::string> errorsIn(const std::string& said, const Job& job, const char* compiler);

/// What nvdisasm says of a kernel that was compiled for a GPU, in such a jail as well.
struct Disassembly {
    std::string sass{};       ///< with lines
    std::string registers{};  ///< with the number of those alive; empty where it tells none
    std::string program{};    ///< "nvdisasm 13.0"
    std::string why{};        ///< there is none: one sentence
};
Disassembly disassemble(const std::filesystem::path& scratch);

/// The source lines of places in the compiled kernel, "my.cuh:12" each, by addr2line; empty where they are not known.
std::vector<std::string> linesOf(const Job& job, const std::vector<std::uint64_t>& places,
                                 const std::filesystem::path& scratch);

}  // namespace warplens::worker
