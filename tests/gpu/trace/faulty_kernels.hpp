// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

namespace warplens::gpu::testing {

/// Kernels that are right with `wrong` false, and each have one defect with it true. 2 blocks of 64 threads on 128
/// values.
struct FaultyKernel {
    const char* name;
    const char* check;  ///< what finds it
    const char* says;   ///< a part of the message
    void (*launch)(LaunchContext& c, const float* in, float* out, bool wrong);
};

extern const FaultyKernel kFaultyKernels[];
extern const int kFaultyKernelCount;

}  // namespace warplens::gpu::testing
