// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device_info.hpp"
#include "gpu/device/opencl/queue.hpp"
#include "io/pixel_type.hpp"

#include <string>
#include <vector>

namespace warplens::gpu::opencl {

// What every OpenCL row of a ladder needs.

/// The tunable by which a row is asked for on one device of several.
Tunable deviceTunable();
int deviceOf(const TunableValues& tunables);

/// Why there is no such device, or empty; then `device` holds its limits, in the words of CUDA.
std::string refusalOf(const TunableValues& tunables, DeviceInfo& device);

/// "opencl:0, NVIDIA H200".
std::string placeOf(const Queue& queue);

/// Options that name a type for the compiler: "-D T=uchar".
std::string typeOption(const std::string& name, io::PixelType type);
/// The same, and STORE, which makes a float one: integers round half to even and saturate.
std::string storeOptions(const std::string& name, io::PixelType type);

/// The kernel of a row's file, which has the file's name; `before`: files that are put before it.
Kernel buildRow(Queue& queue, const Variant& variant, const std::vector<std::string>& before,
                const std::string& options);

}  // namespace warplens::gpu::opencl
