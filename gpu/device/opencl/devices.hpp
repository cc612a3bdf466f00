// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::gpu::opencl {

/// What a driver says of one of its devices.
struct DeviceFacts {
    std::string id;        ///< "opencl:0"
    std::string name;      ///< "NVIDIA H200"
    std::string platform;  ///< whose driver: "NVIDIA CUDA", "Portable Computing Language"
    std::string driver;    ///< its version
    std::string kind;      ///< "gpu", "cpu", "accelerator"
    std::int64_t memoryBytes = 0, cacheBytes = 0;
    int computeUnits = 0, clockMhz = 0;
    int maxWorkItemsPerGroup = 0;
    std::int64_t localBytesPerGroup = 0;
};

struct DeviceList {
    std::vector<DeviceFacts> devices;  ///< GPUs first, else in the order of the drivers
    std::string whyNone;               ///< one plain sentence with what to install; empty when there is a device
};

/// Of every driver that the loader of that file name finds.
DeviceList listDevices(const char* loader);
/// The same of libOpenCL.so.1. Drivers are asked once, when it is first called.
const DeviceList& deviceList();

}  // namespace warplens::gpu::opencl
