// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace warplens::gpu::cuda {

/// A file that a kernel compiled on the spot includes, by its path below the root. Without text where
/// run_time_environment.cuh stands in for it.
struct KernelSource {
    const char *path, *text;
};

/// All that the program brings with it; cmake/embed_sources.cmake writes it when the program is built.
std::span<const KernelSource> kernelSources();

}  // namespace warplens::gpu::cuda
