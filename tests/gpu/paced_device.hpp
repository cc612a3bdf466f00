// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/gpu/stopping_device.hpp"

#include <functional>
#include <stop_token>
#include <string>

namespace warplens::gpu::testing {

/// The CPU under a name of its own, whose clock says that all work takes so many milliseconds: what is shared by speed
/// does not depend on how busy the machine is.
class PacedDevice final : public StoppingDevice {
public:
    PacedDevice(std::stop_source& never, double ms) : StoppingDevice(never, 0), m_ms(ms) {
        m_info = StoppingDevice::info();
        m_info.name += ", " + std::to_string(ms) + " ms";
    }
    const DeviceInfo& info() const override { return m_info; }
    double time(const std::function<void()>& work) override {
        StoppingDevice::time(work);
        return m_ms;
    }

private:
    DeviceInfo m_info;
    double m_ms;
};

}  // namespace warplens::gpu::testing
