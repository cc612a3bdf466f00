// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/merge/cub.hpp"

#include "gpu/core/error.hpp"

namespace warplens::gpu::library {

#if !WARPLENS_HAVE_CUDA
struct CubMerge::State {};

CubMerge::CubMerge(Device&, Call, const merge::Pass&) {
    throw Error(Error::Kind::unsupported, "CUB: this program was built without the CUDA device");
}
CubMerge::~CubMerge() = default;
void CubMerge::launch() {}
#endif

}  // namespace warplens::gpu::library
