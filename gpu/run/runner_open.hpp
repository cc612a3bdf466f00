// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/device/device.hpp"
#include "gpu/run/live.hpp"
#include "gpu/run/loaded_code.hpp"
#include "gpu/run/runner.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace warplens::gpu {

/// A device that stays open, and what lies on it.
struct Runner::Open {
    std::unique_ptr<Device> device;
    Resident resident;
    Live live{*device};
    std::vector<std::unique_ptr<Device>> beside{};  ///< the devices of the last request that worked with it
    std::optional<LoadedCode> loaded{};             ///< by the last row that ran on it alone
};

/// Whether the request names several devices. Throws Error(unsupported) for what several cannot work on.
bool worksOnSeveral(const Request& request, const Problem& problem);
/// Such a problem on several devices: as it goes over them by itself (MultiDeviceProblem), else in pieces.
std::unique_ptr<Session> openOver(const Problem& problem, const std::vector<Device*>& devices, Resident& resident,
                                  HaloExchangeMode way);
/// A row of several devices names them, and one on the host is not theirs.
void tellDevices(const std::vector<Device*>& devices, const Variant& variant, RunRecord& record);

/// While a picture moves or guesses race nobody waits for a compiler: what is on disk is taken, what is not comes to a
/// later frame or race. For the weights of a moment nothing is compiled.
class ScopedInteractiveMode {
public:
    explicit ScopedInteractiveMode(Device& device, bool moving) : m_device(device) {
        m_device.setCompileTimeout(0.01);
        m_device.setInteractive(moving);
    }
    ~ScopedInteractiveMode() {
        m_device.setCompileTimeout(Device::kPatience);
        m_device.setInteractive(false);
    }
    ScopedInteractiveMode(const ScopedInteractiveMode&) = delete;
    ScopedInteractiveMode& operator=(const ScopedInteractiveMode&) = delete;

private:
    Device& m_device;
};

}  // namespace warplens::gpu
