// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/builds.hpp"
#include "gpu/render/display.hpp"

namespace warplens::gpu::render {

WARPLENS_DECLARE_BUILDS(DisplayEntry displayEntryOfBuild())

const DisplayEntry& displayEntry(const DeviceInfo& device) {
    static const Builds<DisplayEntry> builds = WARPLENS_BUILDS(displayEntryOfBuild);
    return *builds.of(device);
}

}  // namespace warplens::gpu::render
