// SPDX-License-Identifier: Apache-2.0
#include "gpu/frame/need_memory.hpp"

#include "gpu/device/memory_budget.hpp"

namespace warplens::gpu {

void needMemory(const Device& device, const Resident& resident, const io::Grid& input, std::int64_t needs) {
    const std::int64_t budget = memoryBudget(device, resident);
    if (needs <= budget) return;
    refuseMemory(device.info().id, input.shape().depth > 1 ? "the volume" : "the picture", needs, budget);
}

}  // namespace warplens::gpu
