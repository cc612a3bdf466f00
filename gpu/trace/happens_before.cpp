// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/happens_before.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace warplens::gpu::trace {

void HappensBefore::release(std::uint32_t block, std::uint32_t fences, std::uint64_t address) {
    const std::lock_guard lock(m_mutex);
    auto& releases = m_releases[address][block];
    if (releases.empty() || releases.back().fences < fences) releases.push_back({fences, ++m_now});
    m_any = true;
}

void HappensBefore::acquire(std::uint32_t block, std::uint64_t address) {
    if (!m_any) return;
    const std::lock_guard lock(m_mutex);
    if (m_releases.contains(address)) m_acquires[block][address] = ++m_now;
}

bool HappensBefore::order(std::uint32_t writer, std::uint32_t fences, std::uint32_t reader) const {
    if (!m_any) return false;
    const std::lock_guard lock(m_mutex);
    std::vector<std::uint32_t> next{reader};
    std::unordered_set<std::uint32_t> met{reader};
    Times followed;  // addresses, up to when
    for (std::size_t i = 0; i < next.size(); ++i) {
        const auto acquired = m_acquires.find(next[i]);
        if (acquired == m_acquires.end()) continue;
        for (const auto& [address, at] : acquired->second) {
            const auto before = [at = at](const Release& r) { return r.at < at; };
            const Releases& releases = m_releases.at(address);
            if (const auto own = releases.find(writer); own != releases.end()) {
                const auto covers = [&](const Release& r) { return r.fences > fences && before(r); };
                if (std::any_of(own->second.begin(), own->second.end(), covers)) return true;
            }
            if (auto& until = followed[address]; until < at) {
                until = at;
                for (const auto& [block, list] : releases) {
                    if (before(list.front()) && met.insert(block).second) next.push_back(block);
                }
            }
        }
    }
    return false;
}

}  // namespace warplens::gpu::trace
