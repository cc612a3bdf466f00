// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/device_team.hpp"

#include <utility>

namespace warplens::gpu {

DeviceTeam::DeviceTeam(std::vector<std::string> ids, std::size_t each) : m_ids(std::move(ids)), m_each(each) {
    m_runners.push_back(std::make_unique<Runner>());
    while (m_runners.size() < m_ids.size() * m_each) m_runners.push_back(m_runners.front()->beside());
    while (m_turns.size() < m_ids.size()) m_turns.push_back(std::make_unique<EngineLocks>());
}

void DeviceTeam::setTuning(const std::shared_ptr<const Tuning>& tuning) { m_runners.front()->setTuning(tuning); }

std::vector<std::string> DeviceTeam::places() const {
    std::vector<std::string> places;
    if (m_ids.size() == 1) return places;
    for (int worker = 0; worker < workers(); ++worker) places.push_back(id(worker));
    return places;
}

}  // namespace warplens::gpu
