// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"

#include <optional>
#include <string>

namespace warplens::gpu {

/// What a kernel's instructions ask of a GPU. Where code is compiled for less, it lacks them.
struct CodeNeeds {
    int capability = 0;                 ///< compute capability, 10 x major + minor; 0: any
    const void* (*kernel)() = nullptr;  ///< an instance, as the driver knows it
};

/// The compute capability that a kernel's code for a GPU was compiled for, 10 x major + minor: what __CUDA_ARCH__ was.
/// It is below the GPU's own where older PTX is compiled at run time. Nothing where the driver has no answer: then a
/// launch fails and says why.
std::optional<int> compiledCapability(const void* kernel, const DeviceInfo& device);

/// Why this GPU, or the code that the program holds for it, does not serve, or empty. The CPU device serves always.
std::string refusalOf(const CodeNeeds& needs, const DeviceInfo& device,
                      std::optional<int> (*compiled)(const void*, const DeviceInfo&) = &compiledCapability);

}  // namespace warplens::gpu
