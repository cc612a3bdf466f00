// SPDX-License-Identifier: Apache-2.0
// Texts that no compiler must be given: g++ and NVRTC end with an error that says what is wrong, in bounds of time and
// memory, and show nothing of files that are not the kernel's.
#include "app/worker/client.hpp"
#include "gpu/device/text_kernel.hpp"
#include "gpu/user/listing.hpp"
#include "tests/worker/own_kernel.hpp"

#include <gtest/gtest.h>
#include <ostream>

namespace warplens::worker::testing {
namespace {

/// SECRET in its text is the path of a file that is not the kernel's, which holds kSecret. The body stands in line 5.
struct Fault {
    std::string name{}, body{}, says{}, before{};
};
constexpr const char* kSecret = "the_secret_word";

void PrintTo(const Fault& fault, std::ostream* stream) { *stream << fault.name; }

std::vector<std::string> errorsOf(const std::string& text) {
    try {
        runKernel(text);
    } catch (const gpu::CompileError& error) {
        return error.errors();
    }
    return {};
}

/// As runKernel(), compiled by NVRTC for a GPU that need not be here.
std::vector<std::string> errorsOfNvrtc(const std::string& text) {
    try {
        listingsOf("my_kernel.cuh", text,
                   {.family = "convolution",
                    .input = std::make_shared<const io::Grid>(io::generate("gen:noise:48x40:f32")),
                    .capability = 90},
                   {});
    } catch (const gpu::CompileError& error) {
        return error.errors();
    }
    return {};
}

class CompileFault : public ::testing::TestWithParam<Fault> {
protected:
    void SetUp() override { test::writeText(m_folder / "secret", kSecret); }
    std::string text() const {
        std::string whole = kernelWith(GetParam().body, GetParam().before);
        if (const auto at = whole.find("SECRET"); at != std::string::npos) whole.replace(at, 6, m_folder / "secret");
        return whole;
    }
    static void check(const std::vector<std::string>& errors) {
        ASSERT_FALSE(errors.empty()) << "it compiled";
        EXPECT_NE(errors[0].find(GetParam().says), std::string::npos) << errors[0];
        for (const std::string& error : errors) EXPECT_EQ(error.find(kSecret), std::string::npos) << error;
    }

private:
    test::TemporaryFolder m_folder;
};

class FaultForGcc : public CompileFault {};
class FaultForNvrtc : public CompileFault {
protected:
    void SetUp() override {
        if (const std::string why = gpu::textRefusal(90); !why.empty()) GTEST_SKIP() << why;
        CompileFault::SetUp();
    }
};
// Each of these takes as long as a compiler is given.
class SlowFaultForGcc : public FaultForGcc {};
class SlowFaultForNvrtc : public FaultForNvrtc {};

TEST_P(FaultForGcc, IsNamed) { check(errorsOf(text())); }
TEST_P(FaultForNvrtc, IsNamed) { check(errorsOfNvrtc(text())); }
TEST_P(SlowFaultForGcc, DISABLED_IsNamed) { check(errorsOf(text())); }
TEST_P(SlowFaultForNvrtc, DISABLED_IsNamed) { check(errorsOfNvrtc(text())); }

const auto nameOfFault = [](const auto& planted) { return planted.param.name; };

constexpr const char *kInclude = "#include \"SECRET\"", *kDevice = "#include \"/dev/urandom\"",
                     *kItself = "#include \"my_kernel.cuh\"",
                     *kBomb =
                         "template <class T, int N> struct Bomb { static constexpr int value = Bomb<T, N + "
                         "1>::value; };",
                     *kTree =
                         "template <int D, long P> struct Tree { static constexpr int value = Tree<D - 1, 2 * "
                         "P>::value + Tree<D - 1, 2 * P + 1>::value; };\ntemplate <long P> struct Tree<0, P> { "
                         "static constexpr int value = 1; };",
                     *kSpin = "constexpr int spin() { int n = 0; while (true) ++n; return n; }",
                     *kDescend = "constexpr int spin() { return spin() + 1; }",
                     *kLaughs =
                         "#define A x+x+x+x+x+x+x+x+x+x\n#define B A+A+A+A+A+A+A+A+A+A\n#define C "
                         "B+B+B+B+B+B+B+B+B+B\n#define D C+C+C+C+C+C+C+C+C+C\n#define E D+D+D+D+D+D+D+D+D+D\n"
                         "#define F E+E+E+E+E+E+E+E+E+E",
                     *kSpins = "    constexpr int never = spin(); x = never;";

INSTANTIATE_TEST_SUITE_P(
    Worker, FaultForGcc,
    ::testing::Values(
        Fault{"include", "", "my_kernel.cuh:2: ", kInclude},
        Fault{"incbin", "    asm(\".incbin \\\"SECRET\\\"\");", "my_kernel.cuh:5: file not found: "},
        Fault{"assemblerInclude", "    asm(\".include \\\"SECRET\\\"\");", "can't open "},
        Fault{"deviceFile", "", "my_kernel.cuh:2: /dev/urandom: Permission denied", kDevice},
        Fault{"itself", "", "my_kernel.cuh:2: #include nested depth 200 exceeds maximum", kItself},
        Fault{"template", "    x = Bomb<int, 0>::value;", "my_kernel.cuh:2: template instantiation depth", kBomb},
        Fault{"constant", "    x = huge[x];", "my_kernel.cuh: g++ would take more memory than it may",
              "char huge[10000000000] = {1};"},
        Fault{"repetition", "    asm(\".rept 1000000000\\n nop\\n .endr\");", "g++ would take more memory than it may"},
        Fault{"endlessConstant", kSpins, "my_kernel.cuh:2: 'constexpr' loop iteration count exceeds limit", kSpin},
        Fault{"deepConstant", kSpins, "my_kernel.cuh:5: 'constexpr' evaluation depth exceeds maximum", kDescend},
        Fault{"exception", "    if (x == 3) throw 1;", "my_kernel.cuh:5: exception handling disabled"},
        Fault{"destructor", "", "my_kernel.cuh: a global variable has a destructor, which a GPU cannot call",
              "void counts();\nstruct Ends { ~Ends() { counts(); } } ends;"},
        Fault{"input", "    in[0] = 3;", "my_kernel.cuh:5: assignment of read-only location"}),
    nameOfFault);

INSTANTIATE_TEST_SUITE_P(
    Worker, FaultForNvrtc,
    ::testing::Values(
        Fault{"include", "", "my_kernel.cuh:2: cannot open source file", kInclude},
        Fault{"incbin", "    asm volatile(\".incbin \\\"SECRET\\\";\");", "Parsing error near '.incbin'"},
        Fault{"assemblerInclude", "    asm volatile(\".include \\\"SECRET\\\";\");", "Parsing error near '.include'"},
        Fault{"deviceFile", "", "my_kernel.cuh:2: cannot open source file \"/dev/urandom\"", kDevice},
        Fault{"itself", "", "my_kernel.cuh:2: cannot open source file", kItself},
        Fault{"template", "    x = Bomb<int, 0>::value;", "my_kernel.cuh:2: excessive recursion at instantiation",
              kBomb},
        Fault{"constant", "    x = huge[x];", "my_kernel.cuh: NVRTC would take more memory than it may",
              "__constant__ char huge[10000000000];"},
        Fault{"largeConstant", "    x = huge[x & 3];", "too much global constant data",
              "__constant__ char huge[70000];"},
        Fault{"endlessConstant", kSpins, "my_kernel.cuh:5: expression must have a constant value", kSpin},
        Fault{"deepConstant", kSpins, "my_kernel.cuh:5: expression must have a constant value", kDescend},
        Fault{"hugeShared",
              "    __shared__ int huge[1 << 20]; huge[threadIdx.x * 7] = x; __syncthreads(); if (huge[x] == 3) y = 0;",
              "uses too much shared data (0x400000 bytes, 0xc000 max)"},
        Fault{"oneSharedTooMany",
              "    __shared__ int tile[12289]; tile[threadIdx.x] = x; __syncthreads(); if (tile[x] == 3) y = 0;",
              "uses too much shared data (0xc004 bytes, 0xc000 max)"},
        Fault{"exit", "    exit(0);", "my_kernel.cuh:5: identifier \"exit\" is undefined"},
        Fault{"abort", "    abort();", "my_kernel.cuh:5: identifier \"abort\" is undefined"},
        Fault{"fork", "    fork();", "my_kernel.cuh:2: could not open source file \"unistd.h\"", "#include <unistd.h>"},
        Fault{"forkDeclared", "    fork();", "Unresolved extern function 'fork'", "extern \"C\" int fork();"},
        Fault{"hostFunction", "    fork();", "a __host__ function is not allowed", "extern \"C\" __host__ int fork();"},
        Fault{"thread", "    std::thread([] {}).join();", "my_kernel.cuh:2: could not open source file \"thread\"",
              "#include <thread>"},
        Fault{"socket", "    socket(2, 1, 0);", "my_kernel.cuh:2: could not open source file \"sys/socket.h\"",
              "#include <sys/socket.h>"},
        Fault{"handler", "    signal(11, nullptr);", "my_kernel.cuh:2: could not open source file \"csignal\"",
              "#include <csignal>"},
        Fault{"privateFile", "    fopen(\"SECRET\", \"r\");", "my_kernel.cuh:5: identifier \"fopen\" is undefined"},
        Fault{"program", "    system(\"true\");", "my_kernel.cuh:5: identifier \"system\" is undefined"},
        Fault{"constructor", "", "my_kernel.cuh:2: dynamic initialization is not supported for a __device__ variable",
              "struct Loads { int n; Loads() { n = 3; __trap(); } } loads;"},
        Fault{"exception", "    if (x == 3) throw 1;",
              "my_kernel.cuh:5: device code does not support exception handling"},
        Fault{"noInstruction", "    asm volatile(\"this is none;\");", "my_kernel.cuh: NVRTC failed: ptxas "},
        Fault{"input", "    in[0] = 3;", "my_kernel.cuh:5: expression must be a modifiable lvalue"}),
    nameOfFault);

INSTANTIATE_TEST_SUITE_P(Worker, SlowFaultForGcc,
                         ::testing::Values(Fault{"templates", "    x = Tree<24, 0>::value;",
                                                 "my_kernel.cuh: g++ would take more memory", kTree},
                                           Fault{"macros", "    x = F+F+F+F+F+F+F+F+F+F;",
                                                 "my_kernel.cuh: g++ did not end within 15 s", kLaughs}),
                         nameOfFault);
INSTANTIATE_TEST_SUITE_P(
    Worker, SlowFaultForNvrtc,
    ::testing::Values(Fault{"templates", "    x = Tree<24, 0>::value;", "my_kernel.cuh: NVRTC ", kTree},
                      Fault{"initialised", "    x = huge[x];", "my_kernel.cuh: NVRTC ",
                            "__constant__ char huge[10000000000] = {1};"},
                      Fault{"macros", "    x = F+F+F+F+F+F+F+F+F+F;", "my_kernel.cuh: NVRTC ", kLaughs}),
    nameOfFault);

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

}  // namespace
}  // namespace warplens::worker::testing
