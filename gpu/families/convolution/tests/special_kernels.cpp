// SPDX-License-Identifier: Apache-2.0
// Instances that the program does not hold, compiled for the SIMT device: NVRTC's work, done ahead of time.
#include "gpu/families/convolution/tests/special_kernels.hpp"

#include "gpu/device/simt/kernel_environment.hpp"
// Not the library's own builds of the same files.
#undef WARPLENS_BUILD
#define WARPLENS_BUILD special_build

#include "gpu/families/convolution/kernels/constant.cuh"
#include "gpu/families/convolution/kernels/register_blocked.cuh"
#include "gpu/families/convolution/kernels/register_tiled.cuh"
#include "gpu/families/convolution/kernels/separable_ring.cuh"
#include "gpu/families/convolution/kernels/separable_streamed.cuh"
#include "gpu/families/convolution/kernels/streamed.cuh"

#include <map>

namespace warplens::gpu::testing {
namespace {

using namespace convolution;

const std::map<std::string, void (*)()>& kernels() {
#define WARPLENS_INSTANCE(...) \
    { "warplens::gpu::convolution::" #__VA_ARGS__, reinterpret_cast<void (*)()>(&__VA_ARGS__) }
    static const std::map<std::string, void (*)()> all = {
        WARPLENS_INSTANCE(streamed<float, 5, 5>),
        WARPLENS_INSTANCE(streamed<float, 3, 1>),
        WARPLENS_INSTANCE(streamed<float, 2, 9>),
        WARPLENS_INSTANCE(streamed<unsigned char, 6, 6>),
        WARPLENS_INSTANCE(streamed<unsigned char, 6, 6, float>),
        WARPLENS_INSTANCE(streamed<unsigned short, 4, 4>),
        WARPLENS_INSTANCE(register_blocked<float, 5, 5>),
        WARPLENS_INSTANCE(register_blocked<float, 3, 1>),
        WARPLENS_INSTANCE(register_blocked<float, 2, 9>),
        WARPLENS_INSTANCE(register_blocked<unsigned char, 6, 6>),
        WARPLENS_INSTANCE(register_blocked<unsigned char, 6, 6, float>),
        WARPLENS_INSTANCE(separable_streamed<float, 5, 5>),
        WARPLENS_INSTANCE(separable_streamed<float, 3, 1>),
        WARPLENS_INSTANCE(separable_streamed<unsigned char, 6, 6>),
        WARPLENS_INSTANCE(separable_streamed<unsigned char, 6, 6, float>),
        WARPLENS_INSTANCE(separable_ring<float, 5, 8>),
        WARPLENS_INSTANCE(separable_ring<unsigned char, 12, 16>),
        WARPLENS_INSTANCE(register_tiled<float, 5, 8>),
        WARPLENS_INSTANCE(constant<unsigned short, 4>),
    };
#undef WARPLENS_INSTANCE
    return all;
}

}  // namespace

std::vector<std::string> specialKernels() {
    std::vector<std::string> names;
    for (const auto& [name, kernel] : kernels()) names.push_back(name);
    return names;
}

void (*specialKernel(LaunchContext& context, const Special& special, const Arguments& arguments))() {
    const auto found = kernels().find(special.expression());
    if (found == kernels().end() || *special.refusal != '\0') return nullptr;
    prepareConstantFilter(context, arguments);
    if (arguments.row != nullptr) prepareConstantFactors(context, arguments);
    return found->second;
}

}  // namespace warplens::gpu::testing
