// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::gpu::trace {

/// A place in the source.
struct SourceLine {
    std::string file;  ///< below the repository root
    int line = 0;

    std::string text() const { return file + ":" + std::to_string(line); }
};

/// What a call that returns to `pc` was compiled from, from the innermost inlined function outwards to the kernel.
/// Empty without debug information.
std::vector<SourceLine> symbolise(std::uint32_t pc);

/// A file as symbolise() names it.
std::string belowRoot(std::string file);

/// Whether what several kernels are made of lies there: it says nothing of the kernel that asks.
bool isSupport(const std::string& file);

/// Of such places the one to show: the innermost outside gpu/kernels, the SIMT device and the trace, where the
/// kernel's own code asks for the access.
const SourceLine* tellingPlace(const std::vector<SourceLine>& places);

}  // namespace warplens::gpu::trace
