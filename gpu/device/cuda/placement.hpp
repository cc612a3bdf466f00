// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/lane.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace warplens::gpu::cuda {

/// Takes and gives back the memory of a device's buffers, wherever they are to lie.
class Memory {
public:
    /// Buffers of `least` bytes and more lie there from now on. Throws Error(unsupported) where the device cannot.
    void place(Placement placement, std::size_t least, int device);
    /// Throws Error(outOfMemory).
    void* take(std::size_t bytes);
    void release(void* memory) noexcept;
    /// Whether the host may touch it.
    bool onHost(std::uint64_t handle) const { return m_placed.contains(handle); }

private:
    Placement m_placement = Placement::device;
    std::size_t m_least = 0;
    std::unordered_map<std::uint64_t, Placement> m_placed;  ///< what does not lie on the device
};

}  // namespace warplens::gpu::cuda
