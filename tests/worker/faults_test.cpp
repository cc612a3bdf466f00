// SPDX-License-Identifier: Apache-2.0
// What kernels of users do that they must not: each is named by one sentence, and nothing else notices.
#include "app/worker/worker_process.hpp"
#include "gpu/device/text_kernel.hpp"
#include "tests/worker/own_kernel.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <ostream>

namespace warplens::worker::testing {
namespace {

/// The body of a kernel stands in line 5, what is before it from line 2 on.
struct Fault {
    std::string name{}, body{}, says{}, before{};
};

void PrintTo(const Fault& fault, std::ostream* stream) { *stream << fault.name; }

class PlantedFault : public ::testing::TestWithParam<Fault> {};

TEST_P(PlantedFault, IsNamedAndLeavesTheNextKernelAlone) {
    const Fault& fault = GetParam();
    const gpu::RunRecord record = runKernel(kernelWith(fault.body, fault.before));
    EXPECT_EQ(record.status, gpu::Status::wrong);
    EXPECT_NE(record.reason.find(fault.says), std::string::npos) << record.reason;
    EXPECT_EQ(record.reason.find('\n'), std::string::npos) << record.reason;
    EXPECT_FALSE(record.time.has_value());
}

const std::string kTile = "    __shared__ float tile[32];\n";

INSTANTIATE_TEST_SUITE_P(
    Worker, PlantedFault,
    ::testing::Values(
        Fault{"null", "    const float* none = nullptr; out[0] = none[x];",
              "null pointer: mine reads 4 bytes at address 0, a null pointer at my_kernel.cuh:5, in block (0, 0, 0), "
              "thread (0, 0, 0)"},
        Fault{"offByOne", "    if (x < width && y < height && in[y * width + x + 1] > 2) x = 0;",
              "out of bounds: mine reads 4 bytes that end 4 bytes beyond the end of in at my_kernel.cuh:5"},
        Fault{"before", "    if (x == 0) x = in[y * width - 1] > 2;",
              "that begin 4 bytes before in at my_kernel.cuh:5"},
        Fault{"wild", "    out[0] = *(const float*)0x123456789000;",
              "illegal address: mine reads 4 bytes at an address that belongs to nothing it was given at "
              "my_kernel.cuh:5"},
        Fault{"endlessLoop", "    for (volatile int i = 0; i < 2; i = 0) {}",
              "endless loop: mine runs for a second in one thread, which does not end at my_kernel.cuh:5"},
        Fault{"missingBarrier",
              kTile + "    if (threadIdx.y == 0) { tile[threadIdx.x] = x; if (tile[31 - threadIdx.x] < 0) x = 0; }",
              "data race: mine writes shared memory at my_kernel.cuh:6, in block (0, 0, 0), thread (16, 0, 0); thread "
              "(15, 0, 0) reads it at my_kernel.cuh:6, with no barrier between them"},
        Fault{"divergentBarrier", "    if (threadIdx.x < 16) __syncthreads();",
              "mine: divergent barrier in block (0, 0, 0): thread (0, 0, 0) waits at my_kernel.cuh:5"},
        Fault{"race", "    out[0] = x;", "data race: mine writes a value of the output at my_kernel.cuh:5"},
        Fault{"uninitialised",
              kTile + "    if (threadIdx.x + threadIdx.y == 0) tile[0] = 1;\n    __syncthreads();\n    if "
                      "(tile[threadIdx.x] > 2) x = 0;",
              "uninitialised shared memory: mine reads shared memory that no thread of its block has written at "
              "my_kernel.cuh:8"},
        Fault{"hugeShared",
              "    __shared__ int huge[1 << 20]; huge[threadIdx.x * 7] = x; __syncthreads(); if (huge[x] == 3) y = 0;",
              "shared memory: mine declares 4194304 bytes of shared memory, and a block may have 49152"},
        Fault{"recursion", "    x = down(x);", "stack overflow: mine overflows its stack",
              "__device__ __attribute__((noinline)) int down(int n) { volatile int here = n; return down(here + 1) + "
              "here; }"},
        Fault{"largeArray", "    volatile float mine[1 << 18]; for (int i = 0; i < (1 << 18); ++i) mine[i] = i;",
              "stack overflow"},
        Fault{"flood", "    for (int i = 0; i < 100000; ++i) printf(\"%d %d, and so on for ever\\n\", x, y);",
              "printf flood: mine prints more than 1 MiB at my_kernel.cuh:5"},
        Fault{"assertion", "    assert(x < 20);",
              "assertion: mine fails its assertion 'x < 20' at my_kernel.cuh:5, in block (0, 0, 0), thread (20, 0, 0)"},
        Fault{"exit", "    exit(0);", "exit: mine calls exit(0) at my_kernel.cuh:5", "#include <cstdlib>"},
        Fault{"abort", "    abort();", "abort: mine calls abort()", "#include <cstdlib>"},
        Fault{"trap", "    if (x == 3) __trap();",
              "trap: mine ends by a trap at my_kernel.cuh:5, in block (0, 0, 0), thread (3, 0, 0)"},
        Fault{"division", "    x = y / (height - 40);",
              "division by zero: mine divides an integer by zero at my_kernel.cuh:5"},
        Fault{"fork", "    fork();", "forbidden: mine tries to start a process", "#include <unistd.h>"},
        Fault{"thread", "    std::thread([] {}).join();", "forbidden: mine tries to start a thread",
              "#include <thread>"},
        Fault{"socket", "    socket(AF_INET, SOCK_STREAM, 0);", "forbidden: mine tries to open a socket",
              "#include <sys/socket.h>"},
        Fault{"privateFile", "    fopen(\"/etc/passwd\", \"r\");", "forbidden: mine tries to open a file",
              "#include <cstdio>"},
        Fault{"program", "    system(\"true\");", "forbidden: mine tries to", "#include <cstdlib>"},
        Fault{"memory", "    x = *new int[std::size_t{1} << 40];",
              "out of memory: mine asks for more memory than there is", "#include <new>"},
        Fault{"constructor", "", "abort: mine calls abort(), while it was loaded, where constructors run",
              "#include <cstdlib>\nstruct Loads { Loads() { abort(); } } loads;"},
        Fault{"handler", "    signal(SIGSEGV, SIG_IGN);", "forbidden: mine tries to change a signal handler",
              "#include <csignal>"},
        Fault{"input", "    if (x < width && y < height) const_cast<float*>(in)[y * width + x] = 0;",
              "write to the input: mine writes to in, which is there to be read at my_kernel.cuh:5"},
        Fault{
            "misaligned", "    x = *(const int*)((const char*)in + 1) > 0;",
            "misaligned address: mine reads 4 bytes of in at an address that is no multiple of 4 at my_kernel.cuh:5"}),
    [](const auto& planted) { return planted.param.name; });

std::vector<std::string> errorsOf(const std::string& text) {
    try {
        runKernel(text);
    } catch (const gpu::CompileError& error) {
        return error.errors();
    }
    return {};
}

TEST(CompiledInAJail, ErrorsAreAtTheirLines) {
    const auto errors = errorsOf(kernelWith("    x = nobody;\n    y = knows(x);"));
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_EQ(errors[0].find("my_kernel.cuh:5: "), 0U) << errors[0];
    EXPECT_NE(errors[0].find("nobody"), std::string::npos) << errors[0];
    EXPECT_EQ(errors[1].find("my_kernel.cuh:6: "), 0U) << errors[1];
}

TEST(CompiledInAJail, AtMostTwentyErrorsAreTold) {
    std::string body;
    for (int i = 0; i < 30; ++i) body += "    x = unknown" + std::to_string(i) + ";\n";
    EXPECT_EQ(errorsOf(kernelWith(body)).size(), 20U);
}

TEST(CompiledInAJail, APrivateFileIsNotRead) {
    const test::TemporaryFolder folder;
    test::writeText(folder / "secret", "the_secret_word\n");
    const std::string path = folder / "secret";
    const auto included = errorsOf(kernelWith("", "#include \"" + path + "\""));
    ASSERT_EQ(included.size(), 1U);
    EXPECT_NE(included[0].find("my_kernel.cuh:2: "), std::string::npos) << included[0];
    EXPECT_EQ(included[0].find("the_secret_word"), std::string::npos) << included[0];
    const auto assembled = errorsOf(kernelWith("    asm(\".incbin \\\"" + path + "\\\"\");"));
    ASSERT_FALSE(assembled.empty());
    EXPECT_EQ(assembled[0].find("the_secret_word"), std::string::npos) << assembled[0];
}

TEST(CompiledInAJail, BombsEnd) {
    const auto templates = errorsOf(
        kernelWith("    x = Bomb<int, 0>::value;",
                   "template <class T, int N> struct Bomb { static constexpr int value = Bomb<T, N + 1>::value; };"));
    ASSERT_FALSE(templates.empty());
    EXPECT_NE(templates[0].find("template"), std::string::npos) << templates[0];
    const auto constant = errorsOf(kernelWith("    x = huge[x];", "char huge[10000000000] = {1};"));
    ASSERT_EQ(constant.size(), 1U);
    EXPECT_NE(constant[0].find("too large a constant"), std::string::npos) << constant[0];
}

TEST(CompiledInAJail, ByNvrtcWhereItIs) {
    if (const std::string why = gpu::textRefusal(90); !why.empty()) GTEST_SKIP() << why;
    const gpu::CompiledText made = gpu::compileText(
        "using pixel_t = float;\n" + kernelWith("    assert(x >= 0);", "#include <cmath>"), "mine", 90);
    EXPECT_FALSE(made.code.empty());
    EXPECT_NE(made.function.find("mine"), std::string::npos);
    try {
        gpu::compileText("#line 1 \"my_kernel.cuh\"\n" + kernelWith("    x = nobody;"), "mine", 90);
        FAIL() << "it compiled";
    } catch (const gpu::Error& error) {
        EXPECT_NE(std::string(error.what()).find("my_kernel.cuh(5): error"), std::string::npos) << error.what();
    }
}

TEST(SpareWorkers, AreTakenReplacedAndNotMissed) {
    keepSpares();
    const std::string right = kernelWith(""), wrong = kernelWith("    abort();", "#include <cstdlib>");
    const auto identity = [](const std::string& text) {
        return runKernel(text, "convolution", {{"filter", std::string("identity")}});
    };
    EXPECT_EQ(identity(right).status, gpu::Status::ok);
    const auto taken = takeWorker("cpu");
    EXPECT_NE(identity(wrong).reason.find("abort"), std::string::npos);
    EXPECT_EQ(identity(right).status, gpu::Status::ok);
    const std::string worker = findWorker().string();
    setenv("WARPLENS_WORKER", "/bin/true", 1);
    WorkerProcess ends("cpu");
    while (ends.ask({}, {})) {
    }
    setenv("WARPLENS_WORKER", "/no/worker", 1);
    { const SpareAfter next("cpu"); }  // says nothing
    setenv("WARPLENS_WORKER", worker.c_str(), 1);
    EXPECT_EQ(identity(right).status, gpu::Status::ok);
}

TEST(WithoutACompiler, OneSentenceSaysWhatToInstall) {
    setenv("WARPLENS_CXX", "", 1);
    const gpu::RunRecord record = runKernel(kernelWith(""));
    unsetenv("WARPLENS_CXX");
    EXPECT_EQ(record.status, gpu::Status::unsupported);
    EXPECT_NE(record.reason.find("install g++"), std::string::npos) << record.reason;
}

}  // namespace
}  // namespace warplens::worker::testing
