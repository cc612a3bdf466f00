// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/moments.hpp"
#include "gpu/run/runner.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu {

/// Devices that share the pictures of a batch. Each has runners of its own, as many workers as there are in all, so
/// that devices work at once, and while one runner of a device computes, another may send or fetch its own picture.
class DeviceTeam {
public:
    /// `ids`: as deviceIds() gives them, at least one; `each`: runners of a device.
    DeviceTeam(std::vector<std::string> ids, std::size_t each);

    /// What `auto` guesses by on all of them; what it measures on one the others know.
    void setTuning(const std::shared_ptr<const Tuning>& tuning);
    int workers() const { return static_cast<int>(m_runners.size()); }
    /// The device of each worker; empty where there is one.
    std::vector<std::string> places() const;
    /// A worker's, for requests to its device.
    Runner& runner(int worker) { return *m_runners[static_cast<std::size_t>(worker)]; }
    const std::string& id(int worker) const { return m_ids[deviceOf(worker)]; }
    /// The turns that the runners of its device take; null: there is one.
    EngineLocks* turns(int worker) { return m_each > 1 ? m_turns[deviceOf(worker)].get() : nullptr; }
    /// The first worker of its device: in that one's row of a timeline stands what the device did.
    int row(int worker) const { return static_cast<int>(deviceOf(worker) * m_each); }

private:
    std::size_t deviceOf(int worker) const { return static_cast<std::size_t>(worker) / m_each; }

    std::vector<std::string> m_ids;
    std::size_t m_each;
    std::vector<std::unique_ptr<Runner>> m_runners;
    std::vector<std::unique_ptr<EngineLocks>> m_turns;  ///< one a device
};

}  // namespace warplens::gpu
