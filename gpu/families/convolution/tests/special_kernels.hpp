// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/device/special.hpp"
#include "gpu/families/convolution/arguments.hpp"

namespace warplens::gpu::testing {

/// The SIMT build of an instance that NVRTC would compile, with this filter in the device's constants; null where the
/// test holds none. An instance is a function whose type its launcher knows.
void (*specialKernel(LaunchContext& context, const Special& special, const convolution::Arguments& arguments))();

/// The same of an instance for the very weights that `special` names: a cross of 13 x 13.
void (*constantKernel(LaunchContext& context, const Special& special, const convolution::Arguments& arguments))();
constexpr const char* kCross =
    "0 0 0 0 0 0 1 0 0 0 0 0 0;0 0 0 0 0 0 -0.0 0 0 0 0 0 0;0 0 0 0 0 0 3 0 0 0 0 0 0;0 0 0 0 0 0 1 0 0 0 0 0 0;"
    "0 0 0 0 0 0 -2 0 0 0 0 0 0;0 0 0 0 0 0 3 0 0 0 0 0 0;1 2 3 1 -2 3 9 1 2 3 1 -2 3;0 0 0 0 0 0 1 0 0 0 0 0 0;"
    "0 0 0 0 0 0 2 0 0 0 0 0 0;0 0 0 0 0 0 3 0 0 0 0 0 0;0 0 0 0 0 0 1 0 0 0 0 0 0;0 0 0 0 0 0 -2 0 0 0 0 0 0;"
    "0 0 0 0 0 0 3 0 0 0 0 0 0";

/// The expressions of those that it holds.
std::vector<std::string> specialKernels();

}  // namespace warplens::gpu::testing
