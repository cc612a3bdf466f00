// SPDX-License-Identifier: Apache-2.0
#include "gpu/render/display.hpp"

namespace warplens::gpu::render {

namespace simt_build {
DisplayEntry displayEntryOfBuild();
}
namespace cuda_build {
DisplayEntry displayEntryOfBuild();
}

const DisplayEntry& displayEntry(const std::string& kind) {
    static const DisplayEntry simt = simt_build::displayEntryOfBuild();
#if WARPLENS_HAVE_CUDA
    static const DisplayEntry cuda = cuda_build::displayEntryOfBuild();
    if (kind == "cuda") return cuda;
#endif
    (void)kind;
    return simt;
}

}  // namespace warplens::gpu::render
