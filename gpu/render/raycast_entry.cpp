// SPDX-License-Identifier: Apache-2.0
#include "gpu/render/ray_scene.hpp"

namespace warplens::gpu::render {

namespace simt_build {
RaycastEntry raycastEntryOfBuild();
}
namespace cuda_build {
RaycastEntry raycastEntryOfBuild();
}

const RaycastEntry& raycastEntry(const std::string& kind) {
    static const RaycastEntry simt = simt_build::raycastEntryOfBuild();
#if WARPLENS_HAVE_CUDA
    static const RaycastEntry cuda = cuda_build::raycastEntryOfBuild();
    if (kind == "cuda") return cuda;
#endif
    (void)kind;
    return simt;
}

}  // namespace warplens::gpu::render
