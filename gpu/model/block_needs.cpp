// SPDX-License-Identifier: Apache-2.0
#include "gpu/model/block_needs.hpp"

#include <algorithm>

namespace warplens::gpu {

std::int64_t dynamicSharedBytes(const Problem& problem, const Variant& variant, const TunableValues& tunables,
                                const DeviceInfo& device) {
    DeviceInfo asked = device;
    std::int64_t refused = -1, taken = device.sharedBytesPerBlock;
    while (taken - refused > 1) {
        asked.sharedBytesPerBlock = refused + (taken - refused) / 2;
        (problem.refusal(variant, tunables, asked).empty() ? taken : refused) = asked.sharedBytesPerBlock;
    }
    return taken;
}

BlockNeeds needsWith(const BlockNeeds& reported, const TunableValues& of, const TunableValues& tunables,
                     const Problem& problem, const Variant& variant, const DeviceInfo& device) {
    BlockNeeds needs = reported;
    const Footprint then = problem.footprint(variant, of), now = problem.footprint(variant, tunables);
    // A launch may have a third extent, which a footprint does not tell.
    const int before = std::max(1, then.blockWidth * then.blockHeight);
    needs.threads = std::max(1, reported.threads / before) * now.blockWidth * now.blockHeight;
    needs.sharedBytes +=
        dynamicSharedBytes(problem, variant, tunables, device) - dynamicSharedBytes(problem, variant, of, device);
    needs.sharedBytes = std::max<std::int64_t>(0, needs.sharedBytes);
    return needs;
}

}  // namespace warplens::gpu
