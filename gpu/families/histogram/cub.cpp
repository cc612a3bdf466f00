// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/cub.hpp"

#include "gpu/core/error.hpp"

#include <limits>

namespace warplens::gpu::library {

std::string cubNote() {
    return "CUB drops what its edges do not hold: +infinity is counted with the values that are not a number";
}

std::string cubRefusal(std::int64_t values) {
    if (values <= std::numeric_limits<std::uint32_t>::max()) return {};
    return "CUB is given 32-bit counters; a channel has " + std::to_string(values) + " values";
}

#if !WARPLENS_HAVE_CUDA
struct CubHistogram::State {};

CubHistogram::CubHistogram(Device&, const histogram::Edges&, io::PixelType, std::uint64_t, std::int64_t, int) {
    throw Error(Error::Kind::unsupported, "CUB: this program was built without the CUDA device");
}
CubHistogram::~CubHistogram() = default;
void CubHistogram::launch() {}
void CubHistogram::poison() {}
void CubHistogram::download(BinnedCounts&) {}
#endif

}  // namespace warplens::gpu::library
