// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"
#include "gpu/device/launch_facts.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// What keeps a multiprocessor from taking another block.
enum class OccupancyLimit { threads, blocks, registers, sharedMemory };
inline constexpr std::array kOccupancyLimits{OccupancyLimit::threads, OccupancyLimit::blocks, OccupancyLimit::registers,
                                             OccupancyLimit::sharedMemory};
const char* nameOf(OccupancyLimit limit);  ///< "threads", "blocks", "registers", "shared memory"

/// What a kernel's block takes, as the compiler and the launch say.
struct BlockNeeds {
    int threads = 0;
    int registers = 0;                         ///< a thread
    std::int64_t sharedBytes = 0;              ///< a block, static and dynamic
    std::optional<std::int64_t> localBytes{};  ///< a thread's, as in LaunchFacts
};

/// The smallest change of one number that lets more blocks in.
struct OccupancyLift {
    OccupancyLimit limit = OccupancyLimit::registers;  ///< what is changed; blocks: the threads of a block
    std::int64_t now = 0, then = 0;                    ///< registers a thread, bytes a block, or threads a block
    int blocks = 0, warps = 0;                         ///< resident on a multiprocessor after it
};

/// Blocks and warps that one multiprocessor holds at once, modelled by the rules of allocation.
struct Occupancy {
    int blocks = 0;
    int warpsPerBlock = 0, warps = 0, mostWarps = 0;
    std::vector<OccupancyLimit> limits;  ///< those that admit no more blocks than are there
    std::optional<OccupancyLift> lift;   ///< absent: it is full, or no single number lifts it
    double share() const { return mostWarps > 0 ? static_cast<double>(warps) / mostWarps : 0; }
};

/// What a multiprocessor of a compute capability holds (CUDA C++ Programming Guide, technical specifications). Nothing
/// for one that is not known here: 7.0 to 12.1 are.
std::optional<MultiprocessorLimits> multiprocessorOf(int major, int minor);

/// Of a kernel on a device: by what the driver reports of it or, where nothing is, by its capability. Registers are
/// given to a warp in units of 256, a quarter of the file to each scheduler; shared memory to a block in units of 128
/// bytes (256 before 8.0), with what the driver reserves. Nothing without needs or for an unknown device.
std::optional<Occupancy> occupancyOf(const BlockNeeds& needs, const DeviceInfo& device);

/// The needs that a launch reports; nothing when no compiler or driver told the registers, as on the CPU device.
std::optional<BlockNeeds> needsOf(const LaunchFacts& facts);

/// "6 blocks of 8 warps; limited by registers: at 32 per thread instead of 40, 8 blocks would fit."
std::string occupancySentence(const Occupancy& occupancy);

}  // namespace warplens::gpu
