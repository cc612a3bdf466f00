// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/reduction/cub.hpp"

#include "gpu/core/error.hpp"

namespace warplens::gpu::library {

std::string cubReductionRefusal(const io::Grid& picture) {
    return picture.empty() ? "CUB is not called for no values" : "";
}

#if !WARPLENS_HAVE_CUDA
struct CubReduction::State {};

CubReduction::CubReduction(Device&, const reduction::Arguments&) {
    throw Error(Error::Kind::unsupported, "CUB: this program was built without the CUDA device");
}
CubReduction::~CubReduction() = default;
void CubReduction::launch(const reduction::Arguments&) {}
#endif

}  // namespace warplens::gpu::library
