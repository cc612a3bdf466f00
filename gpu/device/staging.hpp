// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace warplens::gpu {

/// Host memory through which pictures come down from one device: pinned where that makes the transfer faster. A block
/// is used again once nobody holds it, so that one is looked at while the next is filled: two do for a stream of
/// pictures. Blocks may outlive the staging and the device.
class Staging {
public:
    explicit Staging(const Device& device) : m_pinned(device.info().discreteMemory()) {}

    /// At least `bytes` that nobody else holds. Throws Error(outOfMemory).
    std::shared_ptr<std::byte> take(std::size_t bytes);
    /// Blocks that there are now.
    std::size_t blocks() const { return m_blocks.size(); }

private:
    struct Block {
        std::shared_ptr<std::byte> memory;
        std::shared_ptr<std::atomic<bool>> held;
        std::size_t bytes = 0;
    };
    bool m_pinned = false;
    std::vector<Block> m_blocks;
};

}  // namespace warplens::gpu
