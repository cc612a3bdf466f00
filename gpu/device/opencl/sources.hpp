// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplens::gpu::opencl {

/// The text of a .cl file, by its path below the repository root: every program carries them. Throws Error(internal)
/// for one that is not there.
const std::string& sourceOf(const std::string& path);

}  // namespace warplens::gpu::opencl
