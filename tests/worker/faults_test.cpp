// SPDX-License-Identifier: Apache-2.0
// What kernels of users do that they must not: each is named by one sentence, and nothing else notices.
#include "app/worker/worker_process.hpp"
#include "tests/support/devices.hpp"
#include "tests/worker/own_kernel.hpp"

#include <gtest/gtest.h>
#include <ostream>

namespace warplens::worker::testing {
namespace {

/// The body of a kernel stands in line 5, what is before it from line 2 on.
struct Fault {
    std::string name{}, body{}, says{}, before{};
};

void PrintTo(const Fault& fault, std::ostream* stream) { *stream << fault.name; }

class PlantedFault : public AfterFaults, public ::testing::WithParamInterface<Fault> {
protected:
    static void check(const std::string& device, const std::string& before) {
        const Fault& fault = GetParam();
        const auto run = [&](const std::string& text) {
            return runKernel(text, "convolution", {{"filter", std::string("identity")}}, "gen:noise:48x40:f32", {},
                             device);
        };
        const gpu::RunRecord record = run(kernelWith(fault.body, fault.before));
        EXPECT_EQ(record.status, gpu::Status::wrong);
        EXPECT_NE(record.reason.find(before + fault.says), std::string::npos) << record.reason;
        EXPECT_EQ(record.reason.find('\n'), std::string::npos) << record.reason;
        EXPECT_FALSE(record.time.has_value());
        const gpu::RunRecord after = next([&] { return run(kernelWith("")); });
        EXPECT_EQ(after.status, gpu::Status::ok) << after.reason;
    }
};

class PlantedFaultOnGpu : public PlantedFault {
protected:
    void SetUp() override { gpu::testing::requireDevice("cuda:0"); }
};

TEST_P(PlantedFault, IsNamedAndLeavesTheNextKernelAlone) { check("cpu", ""); }
TEST_P(PlantedFaultOnGpu, IsNamedBeforeTheGpuHasIt) { check("cuda", "on the CPU device, "); }

const std::string kTile = "    __shared__ float tile[32];\n";

const auto kFaults = ::testing::Values(
    Fault{"null", "    const float* none = nullptr; out[0] = none[x];",
          "null pointer: mine reads 4 bytes at address 0, a null pointer at my_kernel.cuh:5, in block (0, 0, 0), "
          "thread (0, 0, 0)"},
    Fault{"offByOne", "    if (x < width && y < height && in[y * width + x + 1] > 2) x = 0;",
          "out of bounds: mine reads 4 bytes that end 4 bytes beyond the end of in at my_kernel.cuh:5"},
    Fault{"before", "    if (x == 0) x = in[y * width - 1] > 2;",
          "out of bounds: mine reads 4 bytes that begin 4 bytes before in at my_kernel.cuh:5"},
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
    Fault{"beyondShared", "    __shared__ volatile float tile[32]; tile[threadIdx.x + 1] = x;",
          "out of bounds: mine writes 4 bytes that end 4 bytes beyond the end of its shared memory at "
          "my_kernel.cuh:5, in block (0, 0, 0), thread (31, 0, 0)"},
    Fault{"deadlock", "    if (threadIdx.x < 16) __syncwarp();",
          "mine: deadlock in block (0, 0, 0): thread (0, 0, 0) waits for lanes of its warp at my_kernel.cuh:5"},
    Fault{"spinning",
          "    __shared__ volatile int flag; if (threadIdx.x + threadIdx.y == 0) flag = 0; __syncthreads();\n    if "
          "(threadIdx.x == 0) while (flag == 0) {}\n    __syncthreads(); flag = 1;",
          "endless loop: mine runs for a second in one thread, which does not end at my_kernel.cuh:6"},
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
    Fault{"abort", "    abort();", "abort: mine calls abort() at my_kernel.cuh:5", "#include <cstdlib>"},
    Fault{"trap", "    if (x == 3) __trap();",
          "trap: mine ends by a trap at my_kernel.cuh:5, in block (0, 0, 0), thread (3, 0, 0)"},
    Fault{"division", "    x = y / (height - 40);",
          "division by zero: mine divides an integer by zero at my_kernel.cuh:5"},
    Fault{"fork", "    fork();", "forbidden: mine tries to start a process at my_kernel.cuh:5", "#include <unistd.h>"},
    Fault{"thread", "    std::thread([] {}).join();", "forbidden: mine tries to start a thread at my_kernel.cuh:5",
          "#include <thread>"},
    Fault{"socket", "    socket(AF_INET, SOCK_STREAM, 0);", "forbidden: mine tries to open a socket at my_kernel.cuh:5",
          "#include <sys/socket.h>"},
    Fault{"privateFile", "    fopen(\"/etc/passwd\", \"r\");",
          "forbidden: mine tries to open a file at my_kernel.cuh:5", "#include <cstdio>"},
    Fault{"removal", "    unlink(\"/etc/passwd\");", "forbidden: mine tries to remove a file at my_kernel.cuh:5",
          "#include <unistd.h>"},
    Fault{"answer", "    for (int file = 3; file < 30; ++file) write(file, \"{}\", 2);",
          "forbidden: mine tries to write to a file at my_kernel.cuh:5", "#include <unistd.h>"},
    Fault{"code", "    mmap(nullptr, 4096, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);",
          "forbidden: mine tries to map memory that can be executed at my_kernel.cuh:5", "#include <sys/mman.h>"},
    Fault{"call", "    asm volatile(\"syscall\" ::\"a\"(57) : \"rcx\", \"r11\", \"memory\");",
          "forbidden: mine tries to start a process at my_kernel.cuh"},
    Fault{"sleep", "    for (;;) sleep(1000);", "forbidden: mine tries to sleep at my_kernel.cuh:5",
          "#include <unistd.h>"},
    Fault{"lock", "    pthread_mutex_lock(&mutex);",
          "forbidden: mine waits for a lock that no thread frees at my_kernel.cuh:6",
          "#include <pthread.h>\npthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;"},
    Fault{"kill", "    raise(SIGKILL);", "forbidden: mine tries to send a signal at my_kernel.cuh:5",
          "#include <csignal>"},
    Fault{"program", "    system(\"true\");", "forbidden: mine tries to", "#include <cstdlib>"},
    Fault{"memory", "    x = *new int[std::size_t{1} << 40];", "out of memory: mine asks for more memory than there is",
          "#include <new>"},
    Fault{"constructor", "", "abort: mine calls abort(), while it was loaded, where constructors run",
          "#include <cstdlib>\nstruct Loads { Loads() { abort(); } } loads;"},
    Fault{"constructorLoop", "", "endless loop: mine runs for a second in one thread, which does not end, while it",
          "struct Loads { Loads() { for (volatile int i = 0; i < 2; i = 0) {} } } loads;"},
    Fault{"undefined", "    x = nobody(x);", "load: mine cannot be loaded: undefined symbol: ", "int nobody(int);"},
    Fault{"hugeVariable", "    x = huge[x];",
          "out of memory: mine asks for more memory than there is for its variables",
          "__device__ char huge[10000000000];"},
    Fault{"noFunction", "    void (*volatile none)() = nullptr; none();",
          "illegal address: mine accesses an illegal address at my_kernel.cuh:5"},
    Fault{"handler", "    signal(SIGSEGV, SIG_IGN);",
          "forbidden: mine tries to change a signal handler at my_kernel.cuh:5", "#include <csignal>"},
    Fault{"input", "    if (x < width && y < height) const_cast<float*>(in)[y * width + x] = 0;",
          "write to the input: mine writes to in, which is there to be read at my_kernel.cuh:5"},
    Fault{"misaligned", "    x = *(const int*)((const char*)in + 1) > 0;",
          "misaligned address: mine reads 4 bytes of in at an address that is no multiple of 4 at my_kernel.cuh:5"});

const auto nameOfPlanted = [](const auto& planted) { return planted.param.name; };
INSTANTIATE_TEST_SUITE_P(Worker, PlantedFault, kFaults, nameOfPlanted);
INSTANTIATE_TEST_SUITE_P(Worker, PlantedFaultOnGpu, kFaults, nameOfPlanted);

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
    for (int spare = 0; spare < 2; ++spare) EXPECT_NE(takeWorker("cpu"), nullptr);
    EXPECT_THROW(takeWorker("cpu"), gpu::Error);
    { const SpareAfter next("cpu"); }  // says nothing
    setenv("WARPLENS_WORKER", worker.c_str(), 1);
    EXPECT_EQ(identity(right).status, gpu::Status::ok);
}

TEST(WithoutACompiler, OneSentenceSaysWhatToInstall) {
    setCompilerThere(false);
    const gpu::RunRecord record = runKernel(kernelWith(""));
    setCompilerThere(true);
    EXPECT_EQ(record.status, gpu::Status::unsupported);
    EXPECT_NE(record.reason.find("install g++"), std::string::npos) << record.reason;
}

}  // namespace
}  // namespace warplens::worker::testing
