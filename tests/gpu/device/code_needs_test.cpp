// SPDX-License-Identifier: Apache-2.0
// A kernel whose instructions a GPU lacks refuses, and so does one whose code was compiled for an older GPU.
#include "gpu/device/code_needs.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/families/convolution/problem.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "tests/support/devices.hpp"

#include <gtest/gtest.h>

namespace warplens::gpu::testing {
namespace {

int marker;
const void* markedKernel() { return &marker; }

DeviceInfo gpuOf(int capability) {
    DeviceInfo device;
    device.id = "cuda:0";
    device.kind = DeviceKind::cuda;
    device.capabilityMajor = capability / 10;
    device.capabilityMinor = capability % 10;
    return device;
}

template <int Capability>
std::optional<int> compiledFor(const void* kernel, const DeviceInfo&) {
    EXPECT_EQ(kernel, &marker);
    return Capability;
}
std::optional<int> unknown(const void*, const DeviceInfo&) { return std::nullopt; }

TEST(CodeNeeds, TheGpuAndTheCodeForItDecide) {
    const CodeNeeds needs{80, &markedKernel};
    EXPECT_EQ(refusalOf(needs, gpuOf(75), &compiledFor<75>), "needs compute capability 8.0; this GPU has 7.5");
    EXPECT_EQ(refusalOf(needs, gpuOf(90), &compiledFor<75>),
              "needs code for compute capability 8.0; this program's is for 7.5: build it with "
              "CMAKE_CUDA_ARCHITECTURES=90");
    EXPECT_EQ(refusalOf(needs, gpuOf(120), &compiledFor<70>),
              "needs code for compute capability 8.0; this program's is for 7.0: build it with "
              "CMAKE_CUDA_ARCHITECTURES=120");
    EXPECT_EQ(refusalOf(needs, gpuOf(80), &compiledFor<80>), "");
    EXPECT_EQ(refusalOf(needs, gpuOf(90), &compiledFor<86>), "");
    EXPECT_EQ(refusalOf(needs, gpuOf(90), &unknown), "") << "the launch itself then says what is wrong";
    EXPECT_EQ(refusalOf({}, gpuOf(50), &unknown), "");
    DeviceInfo cpu = gpuOf(0);
    cpu.kind = DeviceKind::simt;
    EXPECT_EQ(refusalOf(needs, cpu, &compiledFor<50>), "") << "the CPU device runs everything";
}

TEST(CodeNeeds, AreAskedOfEveryKernelThatHasThem) {
    int asked = 0;
    DeviceInfo cpu = gpuOf(0);
    cpu.kind = DeviceKind::simt;
    for (const Variant& variant : convolution::ladder().variants()) {
        if (variant.kind != Variant::Kind::kernel) continue;
        for (const DeviceInfo& device : {cpu, gpuOf(90)}) {
            const auto* entry = convolution::ladder().entryOf(variant, device);
            if (entry == nullptr || entry->code.capability == 0) continue;
            ++asked;
            ASSERT_NE(entry->code.kernel, nullptr) << variant.id;
            EXPECT_NE(entry->code.kernel(), nullptr) << variant.id;
            EXPECT_EQ(variant.idea, Idea::tensorCores);
        }
    }
    EXPECT_GE(asked, 1);
}

/// On a GPU, also one that runs PTX of an older architecture: what refuses is what lacks code, and nobody computes
/// zeros.
TEST(CodeNeeds, DecideOnTheGpuHere) {
    const auto device = devicesHere().back();
    if (device == "cpu") GTEST_SKIP() << "no GPU here";
    const auto info = openDevice(device)->info();
    const auto* entry = convolution::ladder().entryOf(variantOf(convolution::family(), "tensor_core"), info);
    const auto compiled = compiledCapability(entry->code.kernel(), info);
    ASSERT_TRUE(compiled.has_value());
    EXPECT_LE(*compiled, 10 * info.capabilityMajor + info.capabilityMinor);
    for (const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
        auto request = requestFor(noise({260, 130}, type), {}, device);
        request.variants = {"tensor_core"};
        const auto run = Runner().run(request).runs.front();
        EXPECT_EQ(run.status, *compiled >= 80 ? Status::ok : Status::unsupported) << describe(run);
        EXPECT_EQ(lacksCode(run), *compiled < 80) << describe(run);
        request.variants = {"auto"};
        const auto chosen = Runner().run(request).runs.front();
        EXPECT_EQ(chosen.status, Status::ok) << describe(chosen);
        EXPECT_TRUE(*compiled >= 80 || chosen.variant != "tensor_core");
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
