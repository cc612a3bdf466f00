// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/families/reduction/arguments.hpp"
#include "io/grid.hpp"

#include <memory>
#include <string>

namespace warplens::gpu::library {

/// Why CUB cannot reduce this, or empty.
std::string cubReductionRefusal(const io::Grid& picture);

/// cub::DeviceReduce over the same cells as our kernels: each value becomes one, and CUB merges them.
class CubReduction {
public:
    CubReduction(Device& device, const reduction::Arguments& arguments);
    ~CubReduction();

    /// One channel, on the device's stream, into the arguments' result.
    void launch(const reduction::Arguments& arguments);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warplens::gpu::library
