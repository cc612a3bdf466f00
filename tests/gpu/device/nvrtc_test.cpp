// SPDX-License-Identifier: Apache-2.0
// What NVRTC makes of the sources that the program brings with it. No GPU is needed; without NVRTC the tests are
// skipped.
#if WARPLENS_HAVE_CUDA
#include "gpu/device/cuda/nvrtc.hpp"

#include "gpu/core/error.hpp"
#include "gpu/device/cuda/kernel_sources.hpp"
#include "gpu/device/cuda/specialiser.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

namespace warplens::gpu::cuda {
namespace {

constexpr const char* kFilter = "warplens::gpu::convolution::constantFilter";

class Nvrtc : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = nvrtcRefusal(0); !why.empty()) GTEST_SKIP() << why;
    }
    static CompileRequest requestOf(const std::string& kernel, const std::string& arguments, int capability = 90) {
        return {.file = "gpu/families/convolution/kernels/" + kernel + ".cuh",
                .expression = "warplens::gpu::convolution::" + kernel + arguments,
                .constants = {kFilter},
                .capability = capability};
    }
};

/// Whether an ELF file of CUDA's says in its header's flags that it is for a GPU: in another place from version 13 on.
bool isFor(const std::string& cubin, unsigned capability) {
    std::uint32_t flags = 0;
    std::memcpy(&flags, cubin.data() + 48, sizeof flags);
    return (flags & 0xffU) == capability || (flags >> 8 & 0xffU) == capability;
}

TEST_F(Nvrtc, MakesAnInstanceForTheGpuThatIsAskedForAndNamesWhatIsInIt) {
    for (const int capability : {75, 90}) {
        const auto made = compile(requestOf("streamed", "<float,5,5>", capability), {});
        ASSERT_EQ(made.cubin.substr(1, 3), "ELF");
        EXPECT_TRUE(isFor(made.cubin, static_cast<unsigned>(capability))) << capability;
        EXPECT_NE(made.function.find("streamedIfLi5ELi5EfEE"), std::string::npos) << made.function;
        EXPECT_NE(made.cubin.find(made.function), std::string::npos);
        ASSERT_EQ(made.constants.size(), 1U);
        EXPECT_NE(made.constants[0].find("constantFilter"), std::string::npos);
        EXPECT_NE(made.cubin.find(made.constants[0]), std::string::npos);
        EXPECT_GT(made.compileMs, 0);
    }
}

/// The multiply-adds that a compiler leaves cannot be counted without a disassembler, but code for nothing but a centre
/// is shorter, with all that writes the frame.
TEST_F(Nvrtc, WeightsThatAreConstantsLeaveOutZeros) {
    for (const char* kernel : {"streamed", "register_blocked"}) {
        for (const char* type : {"float", "unsigned char"}) {
            CompileRequest request = requestOf(kernel, "<" + std::string(type) + ",4,4>");
            const auto general = compile(request, {});
            request.weights.assign(81, 0);
            request.weights[40] = 0.1F;
            const auto constant = compile(request, {});
            EXPECT_EQ(constant.function, general.function);
            EXPECT_EQ(constant.constants, general.constants);
            EXPECT_LT(constant.cubin.size() + 4000, general.cubin.size()) << kernel << " " << type;
            EXPECT_NE(constant.cubin.find("\xcd\xcc\xcc\x3d"), std::string::npos) << "0.1 is in the code";
        }
    }
}

TEST_F(Nvrtc, RefusesWithTheCompilersReason) {
    try {
        compile(requestOf("streamed", "<float,5,five>"), {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::unsupported);
        EXPECT_NE(std::string(error.what()).find("five"), std::string::npos) << error.what();
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
    EXPECT_NE(nvrtcRefusal(12).find("does not support compute capability 1.2"), std::string::npos) << nvrtcRefusal(12);
    EXPECT_TRUE(nvrtcRefusal(90).empty());
}

TEST_F(Nvrtc, StopsWhenAskedTo) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(compile(requestOf("streamed", "<float,15,15>"), stop.get_token()), Error);
}

TEST_F(Nvrtc, AProgramThatEndsWhileItCompilesEndsInOrder) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // other tests' threads are not the child's
    const warplens::test::TemporaryFolder folder;
    const auto end = [&] {
        alarm(120);  // it used to hang as well
        setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
        // Long enough that it is under way, not so long that it is done; either is fine.
        Specialiser::ofProgram()->ask(requestOf("register_blocked", "<float,13,13>"), 0.2);
        std::exit(0);
    };
    EXPECT_EXIT(end(), ::testing::ExitedWithCode(0), "");
}

TEST(KernelSources, HoldAllThatTheyInclude) {
    std::map<std::string, std::string> held;
    for (const KernelSource& source : kernelSources()) held[source.path] = source.text;
    EXPECT_GT(held.size(), 20U);
    for (const auto& [path, text] : held) {
        std::size_t at = 0;
        while ((at = text.find("\n#include ", at)) != std::string::npos) {
            at += std::strlen("\n#include ") + 1;
            const std::string name = text.substr(at, text.find_first_of("\">", at) - at);
            EXPECT_TRUE(held.contains(name)) << path << " includes " << name;
        }
    }
    const std::string& shown = held["gpu/families/convolution/kernels/streamed.cuh"];
    EXPECT_NE(shown.find("__global__ void __launch_bounds__(256) streamed("), std::string::npos);
    EXPECT_TRUE(held["gpu/device/device.hpp"].empty());
}

}  // namespace
}  // namespace warplens::gpu::cuda
#endif
