// SPDX-License-Identifier: Apache-2.0
#include "gpu/model/occupancy.hpp"

#include <algorithm>
#include <climits>

namespace warplens::gpu {

namespace {

constexpr int kLanes = 32, kSchedulers = 4, kRegisterUnit = 256, kMostRegisters = 255;
constexpr std::int64_t kKiB = 1024;

std::int64_t roundedUp(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

struct Known {
    int major, minor;
    MultiprocessorLimits limits;
};
constexpr Known kKnown[] = {
    {7, 0, {2048, 32, 65536, 96 * kKiB, 0}},      {7, 2, {2048, 32, 65536, 96 * kKiB, 0}},
    {7, 5, {1024, 16, 65536, 64 * kKiB, 0}},      {8, 0, {2048, 32, 65536, 164 * kKiB, kKiB}},
    {8, 6, {1536, 16, 65536, 100 * kKiB, kKiB}},  {8, 7, {1536, 16, 65536, 164 * kKiB, kKiB}},
    {8, 9, {1536, 24, 65536, 100 * kKiB, kKiB}},  {9, 0, {2048, 32, 65536, 228 * kKiB, kKiB}},
    {10, 0, {2048, 32, 65536, 228 * kKiB, kKiB}}, {10, 3, {2048, 32, 65536, 228 * kKiB, kKiB}},
    {11, 0, {1536, 24, 65536, 228 * kKiB, kKiB}}, {12, 0, {1536, 24, 65536, 100 * kKiB, kKiB}},
    {12, 1, {1536, 24, 65536, 100 * kKiB, kKiB}},
};

/// A multiprocessor, as the rules see it.
struct Machine {
    MultiprocessorLimits limits;
    std::int64_t sharedUnit;
};

/// The blocks that each resource admits, in the order of kOccupancyLimits.
std::array<int, 4> admitted(const BlockNeeds& needs, const Machine& machine) {
    const int warps = static_cast<int>(roundedUp(needs.threads, kLanes)) / kLanes;
    const MultiprocessorLimits& most = machine.limits;
    const auto perWarp = static_cast<int>(roundedUp(std::int64_t{needs.registers} * kLanes, kRegisterUnit));
    int byRegisters = INT_MAX;
    if (perWarp > 0) {
        // A launch is refused when its warps, spread evenly over the schedulers, need more than the whole file.
        const bool fits =
            roundedUp(warps, kSchedulers) * perWarp <= most.registers && needs.registers <= kMostRegisters;
        byRegisters = fits ? most.registers / kSchedulers / perWarp * kSchedulers / warps : 0;
    }
    const std::int64_t shared = roundedUp(needs.sharedBytes + most.reservedSharedBytes, machine.sharedUnit);
    const int byShared = shared > 0 ? static_cast<int>(most.sharedBytes / shared) : INT_MAX;
    return {most.threads / kLanes / warps, most.blocks, byRegisters, byShared};
}

int blocksOf(const BlockNeeds& needs, const Machine& machine) { return std::ranges::min(admitted(needs, machine)); }

int warpsOf(const BlockNeeds& needs, const Machine& machine) {
    return blocksOf(needs, machine) * (static_cast<int>(roundedUp(needs.threads, kLanes)) / kLanes);
}

std::optional<OccupancyLift> liftOf(const BlockNeeds& needs, const Machine& machine, OccupancyLimit limit) {
    const int blocks = blocksOf(needs, machine), warps = warpsOf(needs, machine);
    BlockNeeds other = needs;
    const auto better = [&](std::int64_t now, std::int64_t then) {
        return OccupancyLift{limit, now, then, blocksOf(other, machine), warpsOf(other, machine)};
    };
    switch (limit) {
        case OccupancyLimit::registers:
            while (--other.registers > 0)
                if (blocksOf(other, machine) > blocks) return better(needs.registers, other.registers);
            break;
        case OccupancyLimit::sharedMemory:
            while (other.sharedBytes > 0) {
                // The most that rounds to one unit less.
                const std::int64_t taken = other.sharedBytes + machine.limits.reservedSharedBytes;
                other.sharedBytes = std::max<std::int64_t>(
                    0, roundedUp(taken, machine.sharedUnit) - machine.sharedUnit - machine.limits.reservedSharedBytes);
                if (blocksOf(other, machine) > blocks) return better(needs.sharedBytes, other.sharedBytes);
            }
            break;
        case OccupancyLimit::threads:
            for (other.threads = static_cast<int>(roundedUp(needs.threads, kLanes)) - kLanes; other.threads > 0;
                 other.threads -= kLanes)
                if (warpsOf(other, machine) > warps) return better(needs.threads, other.threads);
            break;
        case OccupancyLimit::blocks:
            for (other.threads = static_cast<int>(roundedUp(needs.threads + 1, kLanes)); other.threads <= 1024;
                 other.threads += kLanes)
                if (warpsOf(other, machine) > warps) return better(needs.threads, other.threads);
            break;
    }
    return std::nullopt;
}

std::string counted(int count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string liftText(const OccupancyLift& lift) {
    const std::string now = std::to_string(lift.now), then = std::to_string(lift.then);
    const std::string blocks = ", " + counted(lift.blocks, "block", "blocks") + " would fit.";
    switch (lift.limit) {
        case OccupancyLimit::registers: return "at " + then + " per thread instead of " + now + blocks;
        case OccupancyLimit::sharedMemory: return "at " + then + " bytes per block instead of " + now + blocks;
        default:
            return "blocks of " + then + " threads instead of " + now + " would give " +
                   counted(lift.warps, "warp", "warps") + ".";
    }
}

}  // namespace

const char* nameOf(OccupancyLimit limit) {
    switch (limit) {
        case OccupancyLimit::threads: return "threads";
        case OccupancyLimit::blocks: return "blocks";
        case OccupancyLimit::registers: return "registers";
        case OccupancyLimit::sharedMemory: return "shared memory";
    }
    return "";
}

std::optional<MultiprocessorLimits> multiprocessorOf(int major, int minor) {
    for (const Known& known : kKnown)
        if (known.major == major && known.minor == minor) return known.limits;
    return std::nullopt;
}

std::optional<BlockNeeds> needsOf(const LaunchFacts& facts) {
    const auto threads = static_cast<int>(facts.block[0] * facts.block[1] * facts.block[2]);
    if (threads <= 0 || facts.registers <= 0) return std::nullopt;
    return BlockNeeds{threads, facts.registers, facts.sharedBytes, facts.localBytes};
}

std::optional<Occupancy> occupancyOf(const BlockNeeds& needs, const DeviceInfo& device) {
    auto limits = std::optional(device.multiprocessor);
    if (limits->threads <= 0) limits = multiprocessorOf(device.capabilityMajor, device.capabilityMinor);
    if (!device.ranks() || !limits || needs.threads <= 0) return std::nullopt;
    const Machine machine{*limits, device.capabilityMajor < 8 ? 256 : 128};
    const auto blocks = admitted(needs, machine);
    Occupancy occupancy;
    occupancy.blocks = std::ranges::min(blocks);
    occupancy.warpsPerBlock = static_cast<int>(roundedUp(needs.threads, kLanes)) / kLanes;
    occupancy.warps = occupancy.blocks * occupancy.warpsPerBlock;
    occupancy.mostWarps = machine.limits.threads / kLanes;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (blocks[i] == occupancy.blocks) occupancy.limits.push_back(kOccupancyLimits[i]);
    if (occupancy.warps == occupancy.mostWarps) return occupancy;
    for (const OccupancyLimit limit : occupancy.limits)
        if (!occupancy.lift) occupancy.lift = liftOf(needs, machine, limit);
    return occupancy;
}

std::string occupancySentence(const Occupancy& occupancy) {
    const std::string resident =
        counted(occupancy.blocks, "block", "blocks") + " of " + counted(occupancy.warpsPerBlock, "warp", "warps");
    if (occupancy.blocks == 0) {
        std::string why;
        for (const OccupancyLimit limit : occupancy.limits)
            why += (why.empty() ? "" : " and ") + std::string(nameOf(limit));
        return "Not one block fits: " + why + ".";
    }
    if (occupancy.warps == occupancy.mostWarps) return resident + " fill the SM completely.";
    std::string by;
    for (const OccupancyLimit limit : occupancy.limits) {
        const std::string what = limit == OccupancyLimit::blocks    ? "the number of blocks"
                                 : limit == OccupancyLimit::threads ? "the number of threads"
                                                                    : nameOf(limit);
        by += (by.empty() ? "" : " and ") + what;
    }
    return resident + "; limited by " + by +
           (occupancy.lift                ? ": " + liftText(*occupancy.lift)
            : occupancy.limits.size() > 1 ? "; changing only one of them fits no more."
                                          : ".");
}

}  // namespace warplens::gpu
