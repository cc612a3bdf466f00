// SPDX-License-Identifier: Apache-2.0
// Instances for the very weights of one filter, compiled for the SIMT device: NVRTC's work, done ahead of time.
#include "gpu/device/simt/kernel_environment.hpp"
#include "gpu/families/convolution/tests/special_kernels.hpp"
// Not the library's own builds of the same files.
#undef WARPLENS_BUILD
#define WARPLENS_BUILD special_weights_build

// A cross of 13 x 13: as CompileRequest::source() would write kCross.
#define ZEROS 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F
#define ROW(centre) ZEROS, centre, ZEROS
#define WARPLENS_FILTER                                                                                            \
    ROW(1.0F), ROW(-0.0F), ROW(3.0F), ROW(1.0F), ROW(-2.0F), ROW(3.0F), 1.0F, 2.0F, 3.0F, 1.0F, -2.0F, 3.0F, 9.0F, \
        1.0F, 2.0F, 3.0F, 1.0F, -2.0F, 3.0F, ROW(1.0F), ROW(2.0F), ROW(3.0F), ROW(1.0F), ROW(-2.0F), ROW(3.0F)

#include "gpu/families/convolution/kernels/register_blocked.cuh"
#include "gpu/families/convolution/kernels/streamed.cuh"

#include <algorithm>
#include <map>

namespace warplens::gpu::testing {
namespace {

using namespace convolution;

static_assert(std::size(kFilter) == 13 * 13 && constantTaps(0) == 24);
static_assert(!staysRolled(blockingOf(false, 13, 13), 13, 13, constantTaps(0)),
              "its rows are unrolled, as little is left");

}  // namespace

void (*constantKernel(LaunchContext& context, const Special& special, const Arguments& arguments))() {
#define WARPLENS_INSTANCE(...) \
    { "warplens::gpu::convolution::" #__VA_ARGS__, reinterpret_cast<void (*)()>(&__VA_ARGS__) }
    static const std::map<std::string, void (*)()> all = {
        WARPLENS_INSTANCE(streamed<float, 6, 6>),
        WARPLENS_INSTANCE(register_blocked<float, 6, 6>),
        WARPLENS_INSTANCE(streamed<unsigned char, 6, 6, float>),
        WARPLENS_INSTANCE(register_blocked<unsigned char, 6, 6, float>),
        WARPLENS_INSTANCE(register_blocked<unsigned short, 6, 6, float>),
    };
#undef WARPLENS_INSTANCE
    const auto found = all.find(special.expression());
    const bool mine = special.weights != nullptr && std::ranges::equal(*special.weights, kFilter);
    if (found == all.end() || !mine || *special.refusal != '\0') return nullptr;
    prepareConstantFilter(context, arguments);
    return found->second;
}

}  // namespace warplens::gpu::testing
