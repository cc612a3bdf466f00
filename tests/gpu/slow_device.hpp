// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/gpu/stopping_device.hpp"

#include <functional>
#include <stop_token>

namespace warplens::gpu::testing {

/// The CPU under another name, whose clock says that it is so many times as slow as it is.
class SlowDevice final : public StoppingDevice {
public:
    SlowDevice(std::stop_source& never, double times) : StoppingDevice(never, 0), m_times(times) {
        m_info = StoppingDevice::info();
        m_info.name += ", slow";
    }
    const DeviceInfo& info() const override { return m_info; }
    double time(const std::function<void()>& work) override { return m_times * StoppingDevice::time(work); }

private:
    DeviceInfo m_info;
    double m_times;
};

}  // namespace warplens::gpu::testing
