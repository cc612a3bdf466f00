// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/memory_budget.hpp"

#include <algorithm>
#include <limits>

namespace warplens::gpu {
namespace {

// What the driver takes for kernels' local memory, code and its own rounding while we work.
constexpr std::int64_t kReserve = 256LL << 20;

}  // namespace

void refuseMemory(const std::string& where, const std::string& what, std::int64_t needs, std::int64_t budget) {
    const std::int64_t most = std::max<std::int64_t>(0, budget);
    const auto percent = static_cast<std::int64_t>(100.0 * static_cast<double>(most) / static_cast<double>(needs));
    throw MemoryRefusal(where + ": " + what + " needs " + std::to_string(needs) + " bytes and " + std::to_string(most) +
                            " may be used: raise the memory limit to " + std::to_string(needs) + " bytes, or crop it" +
                            (percent > 0 ? " to " + std::to_string(percent) + " % of its pixels" : ""),
                        needs, most);
}

std::int64_t memoryBudget(const Device& device, const Resident& resident) {
    const auto held = static_cast<std::int64_t>(resident.planes.bytes() + resident.padded.bytes());
    auto budget = std::numeric_limits<std::int64_t>::max();
    if (device.memoryLimit() > 0) budget = device.memoryLimit() - (device.allocatedBytes() - held);
    // The system lends a CPU's memory out and takes it back; what is free says little there.
    if (device.info().discreteMemory()) budget = std::min(budget, device.freeBytes() + held - kReserve);
    return budget;
}

std::int64_t memoryBudget(const std::vector<Device*>& devices, const Resident& resident) {
    std::int64_t least = memoryBudget(*devices.front(), resident);
    for (const Device* device : devices)
        if (device != devices.front()) least = std::min(least, memoryBudget(*device, {}));
    return least;
}

void withMemory(const Device& device, const std::string& what, std::int64_t more, const std::function<void()>& work) {
    const std::int64_t held = device.allocatedBytes();
    try {
        work();
    } catch (const Error& error) {
        // Beyond what is held; without a limit it is as much as a number can say.
        const std::int64_t budget = memoryBudget(device, {}), now = device.allocatedBytes();
        if (error.kind() != Error::Kind::outOfMemory || held + more - now <= budget) throw;
        refuseMemory(device.info().id, what, held + more, now + budget);
    }
}

}  // namespace warplens::gpu
