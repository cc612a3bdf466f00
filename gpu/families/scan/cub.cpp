// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/scan/cub.hpp"

#include "gpu/core/error.hpp"

namespace warplens::gpu::library {

std::string cubScanRefusal(const scan::Asked& asked) {
    if (asked.task == scan::Task::compact) return {};
    if (asked.task == scan::Task::sums && asked.along == scan::Along::values) return {};
    return "CUB scans one line a call: it is for sums along values, and for compact";
}

#if !WARPLENS_HAVE_CUDA
struct CubScan::State {};

CubScan::CubScan(Device&, const scan::Step&, const scan::Picks*) {
    throw Error(Error::Kind::unsupported, "CUB: this program was built without the CUDA device");
}
CubScan::~CubScan() = default;
void CubScan::launch() {}
#endif

}  // namespace warplens::gpu::library
