// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/device/special.hpp"
#include "gpu/families/convolution/arguments.hpp"

namespace warplens::gpu::testing {

/// The SIMT build of an instance that NVRTC would compile, with this filter in the device's constants; null where the
/// test holds none. An instance is a function whose type its launcher knows.
void (*specialKernel(LaunchContext& context, const Special& special, const convolution::Arguments& arguments))();

/// The expressions of those that it holds.
std::vector<std::string> specialKernels();

}  // namespace warplens::gpu::testing
