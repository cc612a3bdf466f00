// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/layout.hpp"

namespace warplens::gpu {

namespace simt_build {
LayoutEntry layoutEntryOfBuild();
}
namespace cuda_build {
LayoutEntry layoutEntryOfBuild();
}

const LayoutEntry& layoutEntry(const DeviceInfo& device) {
    static const LayoutEntry simt = simt_build::layoutEntryOfBuild();
#if WARPLENS_HAVE_CUDA
    static const LayoutEntry cuda = cuda_build::layoutEntryOfBuild();
    if (device.kind == "cuda") return cuda;
#endif
    (void)device;
    return simt;
}

}  // namespace warplens::gpu
