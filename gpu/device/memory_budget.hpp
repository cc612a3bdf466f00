// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/device/device.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// What refuseMemory() throws: Error(outOfMemory) with its figures.
class MemoryRefusal : public Error {
public:
    MemoryRefusal(const std::string& message, std::int64_t needs, std::int64_t budget)
        : Error(Kind::outOfMemory, message), m_needs(needs), m_budget(budget) {}
    std::int64_t needs() const { return m_needs; }
    std::int64_t budget() const { return m_budget; }

private:
    std::int64_t m_needs, m_budget;
};

/// Throws MemoryRefusal: `what` needs more than may be used.
[[noreturn]] void refuseMemory(const std::string& where, const std::string& what, std::int64_t needs,
                               std::int64_t budget);

/// Bytes that a session may allocate: the device's memory limit, and on a GPU its free memory but for a reserve. What
/// `resident` holds counts as free: a session drops or uses it.
std::int64_t memoryBudget(const Device& device, const Resident& resident);

/// The least that any of them may allocate; what `resident` holds lies on the first one.
std::int64_t memoryBudget(const std::vector<Device*>& devices, const Resident& resident);

/// Does `work`, which allocates at most `more` bytes beside what the device holds: what a row needs for itself. Where
/// the memory does not suffice it throws Error(outOfMemory) as refuseMemory() does, with what would do for all of it.
void withMemory(const Device& device, const std::string& what, std::int64_t more, const std::function<void()>& work);

}  // namespace warplens::gpu
