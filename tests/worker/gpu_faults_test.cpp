// SPDX-License-Identifier: Apache-2.0
// What a kernel does to a GPU when nothing was tried on the CPU before, as where no g++ is: each fault is named by one
// sentence, and the kernel after it finds the GPU as it was.
#include "tests/support/devices.hpp"
#include "tests/worker/own_kernel.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <ostream>

namespace warplens::worker::testing {
namespace {

struct Fault {
    std::string name{}, body{}, says{}, before{};
    bool compiles = true;
};

void PrintTo(const Fault& fault, std::ostream* stream) { *stream << fault.name; }

class GpuFault : public ::testing::TestWithParam<Fault> {
protected:
    static void SetUpTestSuite() { keepSpares(); }  // as the window does
    void SetUp() override {
        gpu::testing::requireDevice("cuda:0");
        setenv("WARPLENS_CXX", "", 1);
    }
    void TearDown() override { unsetenv("WARPLENS_CXX"); }
    static gpu::RunRecord run(const std::string& text) {
        return runKernel(text, "convolution", {{"filter", std::string("identity")}}, "gen:noise:48x40:f32", {}, "cuda");
    }
};

TEST_P(GpuFault, IsNamedAndTheNextKernelRuns) {
    const Fault& fault = GetParam();
    std::string said;
    try {
        const gpu::RunRecord record = run(kernelWith(fault.body, fault.before));
        EXPECT_TRUE(fault.compiles);
        EXPECT_EQ(record.status, gpu::Status::wrong);
        EXPECT_FALSE(record.time.has_value());
        said = record.reason;
    } catch (const gpu::CompileError& error) {
        EXPECT_FALSE(fault.compiles) << error.what();
        said = error.errors().at(0);
    }
    EXPECT_NE(said.find(fault.says), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(run(kernelWith("")).status, gpu::Status::ok);
    const std::chrono::duration<double, std::milli> back = std::chrono::steady_clock::now() - begin;
    RecordProperty("back_ms", static_cast<int>(back.count()));
}

constexpr const char* kAddress = "illegal address: mine accesses an illegal address on the GPU";
constexpr const char* kTrap = "trap: mine ends by a trap or a failed assertion on the GPU";

INSTANTIATE_TEST_SUITE_P(
    Worker, GpuFault,
    ::testing::Values(
        Fault{"null", "    const float* none = (const float*)(size_t)(width - 48); out[0] = none[x];", kAddress},
        Fault{"farBeyond", "    x = in[1L << 36] > 2;", kAddress},
        Fault{"wild", "    out[0] = *(const float*)0x7123456789000;", kAddress},
        Fault{"misaligned", "    x = *(const int*)((const char*)in + 1) > 0;",
              "misaligned address: mine accesses a misaligned address on the GPU"},
        Fault{"endlessLoop", "    for (volatile int i = 0; i < 2; i = 0) {}",
              "endless loop: mine had not ended 2 s after its launch"},
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
        Fault{"hugeShared",
              "    __shared__ int huge[1 << 20]; huge[threadIdx.x * 7] = x; __syncthreads(); if (huge[x] == 3) y = 0;",
              "shared",
              {},
              false},
        Fault{"exit", "    exit(0);", "my_kernel.cuh:5: ", {}, false},
        Fault{"fork", "    fork();", "my_kernel.cuh:2: ", "#include <unistd.h>", false},
        Fault{"thread", "    std::thread([] {}).join();", "my_kernel.cuh:2: ", "#include <thread>", false},
        Fault{"privateFile", "", "my_kernel.cuh:2: ", "#include \"/etc/passwd\"", false},
        Fault{"templates", "    x = Bomb<int, 0>::value;", "my_kernel.cuh:2: ",
              "template <class T, int N> struct Bomb { static constexpr int value = Bomb<T, N + 1>::value; };", false}),
    [](const auto& planted) { return planted.param.name; });

}  // namespace
}  // namespace warplens::worker::testing
