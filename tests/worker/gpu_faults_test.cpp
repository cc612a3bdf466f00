// SPDX-License-Identifier: Apache-2.0
// What a kernel does to a GPU when nothing was tried on the CPU before, as where no g++ is: each fault is named by one
// sentence, and the kernel after it finds the GPU as it was.
#include "tests/support/devices.hpp"
#include "tests/worker/own_kernel.hpp"

#include <gtest/gtest.h>
#include <ostream>

namespace warplens::worker::testing {
namespace {

struct Fault {
    std::string name{}, body{}, says{}, before{};
};

void PrintTo(const Fault& fault, std::ostream* stream) { *stream << fault.name; }

class GpuFault : public AfterFaults, public ::testing::WithParamInterface<Fault> {
protected:
    void SetUp() override {
        gpu::testing::requireDevice("cuda:0");
        if (!IsSkipped()) setCompilerThere(false);
    }
    void TearDown() override {
        if (!IsSkipped()) setCompilerThere(true);
    }
    static gpu::RunRecord run(const std::string& text) {
        return runKernel(text, "convolution", {{"filter", std::string("identity")}}, "gen:noise:48x40:f32", {}, "cuda");
    }
};

TEST_P(GpuFault, IsNamedAndTheNextKernelRuns) {
    const Fault& fault = GetParam();
    std::string said;
    try {
        const gpu::RunRecord record = run(kernelWith(fault.body, fault.before));
        EXPECT_NE(record.status, gpu::Status::ok);
        EXPECT_FALSE(record.time.has_value());
        said = record.reason;
    } catch (const gpu::Error& error) {  // what a GPU does not begin with
        said = error.what();
    }
    EXPECT_NE(said.find(fault.says), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    const gpu::RunRecord after = next([] { return run(kernelWith("")); });
    EXPECT_EQ(after.status, gpu::Status::ok) << after.reason;
}

constexpr const char* kAddress = "illegal address: mine accesses an illegal address on the GPU";
constexpr const char* kMisaligned = "misaligned address: mine accesses a misaligned address on the GPU";
constexpr const char* kEndless = "endless loop: mine had not ended 2 s after its launch";
/// A driver tells a trap by one of two codes.
constexpr const char* kTrap = "trap: mine ends by a trap";

INSTANTIATE_TEST_SUITE_P(
    Worker, GpuFault,
    ::testing::Values(
        Fault{"null", "    const float* none = (const float*)(size_t)(width - 48); out[0] = none[x];", kAddress},
        Fault{"farBeyond", "    x = in[1L << 36] > 2;", kAddress},
        Fault{"wild", "    out[0] = *(const float*)0x7123456789000;", kAddress},
        Fault{"misaligned", "    x = *(const int*)((const char*)in + 1) > 0;", kMisaligned},
        Fault{"endlessLoop", "    for (volatile int i = 0; i < 2; i = 0) {}", kEndless},
        Fault{"lostWarp",
              "    __shared__ volatile int flag; flag = 0; __syncthreads(); if (threadIdx.x == 0) while (flag == 0) {} "
              "__syncthreads(); flag = 1;",
              "endless loop: mine"},
        Fault{"trap", "    if (x == 3) __trap();", kTrap}, Fault{"assertion", "    assert(x < 20);", kTrap},
        Fault{"recursion", "    x = down(x);", "mine ",
              "__device__ __noinline__ int down(int n) { volatile int here[64]; here[n & 63] = n; return down(n + 1) + "
              "here[n & 63]; }"},
        Fault{"flood", "    for (int i = 0; i < 100000000; ++i) printf(\"%d %d, and so on for ever\\n\", x, y);",
              "endless loop: mine"},
        Fault{"farWrite", "    out[1L << 36] = 1;", kAddress},
        Fault{"wildShared",
              "    __shared__ float tile[32]; tile[(1 << 22) + x] = x; __syncthreads(); if (tile[x & 31] > 2) y = 0;",
              " on the GPU"},
        Fault{"wideMisaligned", "    float4 v = *(const float4*)(in + 1); if (v.x + v.y + v.z + v.w > 9) x = 0;",
              kMisaligned},
        Fault{"misalignedWrite", "    *(int*)((char*)out + 2) = 1;", kMisaligned},
        Fault{"lateTrap", "    if (x == width - 1 && y == height - 1) __trap();", kTrap},
        Fault{"trapInPtx", "    asm volatile(\"trap;\");", kTrap},
        Fault{"noMemory", "    int* mine = (int*)malloc(1L << 40); *mine = 1;", kAddress},
        Fault{"noFunction", "    void (*volatile none)() = nullptr; none();", " on the GPU"},
        Fault{"sleep", "    for (;;) __nanosleep(1000000);", kEndless},
        Fault{"lock", "    while (atomicCAS((int*)out, 7, 7) != 7) {}", kEndless},
        Fault{"barrierForMore", "    if (threadIdx.y == 0) asm volatile(\"bar.sync 1, 512;\");", kEndless},
        Fault{"clock", "    for (long long end = clock64() + (1LL << 50); clock64() < end;) {}", kEndless},
        Fault{"registers",
              "    float many[96];\n#pragma unroll\n    for (int i = 0; i < 96; ++i) many[i] = in[(x + 37 * i) % "
              "width];\n"
              "    __syncthreads();\n    float sum = 0;\n#pragma unroll\n    for (int i = 0; i < 96; ++i) sum = sum * "
              "many[95 - i] + many[i];\n    if (sum == 3) x = 0;",
              "choose a smaller block", "// tunable block_height = 32 (32)"},
        Fault{"hugeVariable", "    huge[x] = x;", "memory", "__device__ char huge[1000000000000];"},
        Fault{"input", "    if (x < width && y < height) const_cast<float*>(in)[y * width + x] = 0;",
              "write to the input: mine writes to its input, which is there to be read"},
        Fault{"result", "    if (x < width && y < height) { out[y * width + x] = 3; return; }",
              "1920 values are wrong, the first at x 0 y 0"}),
    [](const auto& planted) { return planted.param.name; });

/// Where our own code was not built for this GPU, the driver compiles it, once and for some seconds.
TEST(AKernelOnAGpu, IsNotLateWhileTheDriverCompilesWhatTimesIt) {
    const std::string device = "cuda:0";
    gpu::testing::requireDevice(device);
    if (IsSkipped()) return;
    const test::TemporaryFolder compiled;
    setenv("CUDA_CACHE_PATH", (compiled / "cache").c_str(), 1);
    setCompilerThere(false);
    for (int spare = 0; spare < 2; ++spare) takeWorker(device).reset();
    const gpu::RunRecord record = runKernel(kernelWith(""), "convolution", {{"filter", std::string("identity")}},
                                            "gen:noise:48x40:f32", {}, "cuda");
    unsetenv("CUDA_CACHE_PATH");
    setCompilerThere(true);
    EXPECT_EQ(record.status, gpu::Status::ok) << record.reason;
}

}  // namespace
}  // namespace warplens::worker::testing
