// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/scan/arguments.hpp"

#include <memory>
#include <string>

namespace warplens::gpu::library {

/// Why CUB has no call that does the same, or empty.
std::string cubScanRefusal(const scan::Asked& asked);

/// cub::DeviceScan along all values of a channel, or cub::DeviceSelect of marked places.
class CubScan {
public:
    /// `picks` are null for sums.
    CubScan(Device& device, const scan::Step& step, const scan::Picks* picks);
    ~CubScan();

    /// Channel after channel, on the device's stream.
    void launch();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warplens::gpu::library
