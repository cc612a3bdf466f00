// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/kernels/border.hpp"
#include "io/pixel_type.hpp"

#include <string>

namespace warplens::gpu {

// Parts of kernels in the short form (gpu/user/source.hpp), as texts that a learner reads.

/// "__device__ TYPE valueAt(const pixel_t* in, int width, int height, int x, int y)": what a border says lies there.
std::string valueAtText(Border border, const char* type);
/// The beginning of a kernel of a thread a value: x, y, and the end of threads outside.
std::string placeText();
/// A float as a value of the output: rounded and held to its range where that holds integers.
std::string storedText(io::PixelType output, const std::string& value);

}  // namespace warplens::gpu
