// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/findings.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace warplens::gpu::trace {
namespace {

/// More places than anybody reads; a broken kernel has few, each met a million times.
constexpr std::size_t kMost = 64;

bool samePlace(const Finding& a, const Finding& b) {
    return a.check == b.check && a.kernel == b.kernel && a.pc == b.pc && a.otherPc == b.otherPc;
}

auto orderOf(const Finding& f) {
    return std::tuple(f.block.z, f.block.y, f.block.x, f.thread.z, f.thread.y, f.thread.x, f.otherThread.z,
                      f.otherThread.y, f.otherThread.x);
}

}  // namespace

const char* nameOf(Finding::Check check) {
    switch (check) {
        case Finding::Check::sharedRace: return "shared-race";
        case Finding::Check::uninitialisedShared: return "uninitialised-shared";
        case Finding::Check::outOfBounds: return "out-of-bounds";
        case Finding::Check::divergentBarrier: return "divergent-barrier";
        case Finding::Check::deadlock: return "deadlock";
        case Finding::Check::globalRace: return "global-race";
    }
    return "";
}

void Findings::add(Finding finding) {
    const std::lock_guard lock(m_mutex);
    const auto known =
        std::find_if(m_list.begin(), m_list.end(), [&](const Finding& f) { return samePlace(f, finding); });
    if (known == m_list.end()) {
        if (m_list.size() < kMost) m_list.push_back(std::move(finding));
    } else if (orderOf(finding) < orderOf(*known)) {
        // Whichever block was faster, the first one is told of.
        *known = std::move(finding);
    }
}

std::vector<Finding> Findings::take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_list, {});
}

}  // namespace warplens::gpu::trace
