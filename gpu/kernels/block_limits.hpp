// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device_info.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace warplens::gpu {

/// Blocks of a grid along its second and its third axis.
constexpr std::int64_t kMostBlocksAcross = 65535;

/// Why the device runs no block of these threads with so much dynamic shared memory, or empty.
inline std::string refusalOfBlock(const Footprint& block, std::size_t sharedBytes, const DeviceInfo& device) {
    const std::string width = std::to_string(block.blockWidth), height = std::to_string(block.blockHeight);
    const auto threads = std::int64_t{block.blockWidth} * block.blockHeight;
    if (threads > device.maxThreadsPerBlock)
        return (block.blockHeight > 1 ? width + " x " + height + " = " : "") + std::to_string(threads) +
               " threads per block; the device allows " + std::to_string(device.maxThreadsPerBlock);
    if (static_cast<std::int64_t>(sharedBytes) > device.sharedBytesPerBlock)
        return "a block needs " + std::to_string(sharedBytes) + " bytes of shared memory; the device allows " +
               std::to_string(device.sharedBytesPerBlock);
    return {};
}

/// Why a grid of such tiles does not reach down so many rows, or empty.
inline std::string refusalOfRows(std::int64_t height, int tileHeight) {
    if (tileHeight < 1 || (height + tileHeight - 1) / tileHeight <= kMostBlocksAcross) return {};
    return "a picture " + std::to_string(height) + " rows high needs more than 65,535 blocks of " +
           std::to_string(tileHeight) + " rows";
}

}  // namespace warplens::gpu
