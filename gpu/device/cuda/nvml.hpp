// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"

#include <memory>
#include <string>

namespace warplens::gpu {

/// Clocks and throttling as the driver's management library reports them. Loaded at run time, so that the program
/// starts without a driver; without the library every question has the answer "unknown".
class Nvml {
public:
    Nvml();
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    /// Present SM clock in MHz, or 0.
    int smClockMhz(const std::string& uuid);
    /// Adds to `state` whether and why the clocks are held back now.
    void addThrottling(const std::string& uuid, ClockState& state);

private:
    struct Library;
    void* deviceOf(const std::string& uuid);
    std::unique_ptr<Library> m_library;
    std::string m_uuid;
    void* m_device = nullptr;
};

}  // namespace warplens::gpu
