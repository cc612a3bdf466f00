// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/builds.hpp"
#include "gpu/render/ray_scene.hpp"

namespace warplens::gpu::render {

WARPLENS_DECLARE_BUILDS(RaycastEntry raycastEntryOfBuild())

const RaycastEntry& raycastEntry(const DeviceInfo& device) {
    static const Builds<RaycastEntry> builds = WARPLENS_BUILDS(raycastEntryOfBuild);
    return *builds.of(device);
}

}  // namespace warplens::gpu::render
