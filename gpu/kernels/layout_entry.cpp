// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/builds.hpp"
#include "gpu/kernels/layout.hpp"

namespace warplens::gpu {

WARPLENS_DECLARE_BUILDS(LayoutEntry layoutEntryOfBuild())

const LayoutEntry& layoutEntry(const DeviceInfo& device) {
    static const Builds<LayoutEntry> builds = WARPLENS_BUILDS(layoutEntryOfBuild);
    return *builds.of(device);
}

}  // namespace warplens::gpu
