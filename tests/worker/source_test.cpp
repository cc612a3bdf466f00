// SPDX-License-Identifier: Apache-2.0
// What a kernel's file says, and what is said of one that cannot be taken.
#include "gpu/core/error.hpp"
#include "gpu/user/bind.hpp"

#include <bit>
#include <gtest/gtest.h>

namespace warplens::gpu::user {
namespace {

std::string refusalOf(const std::string& text) {
    try {
        parseSource("folder/my.cuh", text);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

PlainTask task() {
    return {.input = std::make_shared<const io::Grid>(io::Shape{20, 10, 1, 3}, io::PixelType::u8),
            .outputType = io::PixelType::f32,
            .width = 20,
            .height = 10,
            .outputWidth = 20,
            .outputHeight = 10,
            .planes = 3,
            .arguments = {{"weights", std::vector<float>{1, 2}}, {"radius", std::int64_t{4}}}};
}

std::string bindingRefusal(const std::string& parameters) {
    try {
        const auto source = parseSource("my.cuh", "//\n__global__ void k(" + parameters + ") {}");
        bind(source, task(), {}, {}, resolve(source.variant, {}));
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(KernelSource, TellsFunctionParametersAndTunables) {
    const auto source = parseSource(
        "folder/My-blur.cuh",
        "// SPDX-License-Identifier: Apache-2.0\n// The idea.\n"
        "// tunable rows_per_thread = 2 (1..4)\n#define X \\\n  __global__\n"
        "/* __global__ */ const char* s = \"__global__\";\n"
        "__global__ void __launch_bounds__(256)\nblur(const float* __restrict__ in, std::uint8_t *out, unsigned n) {}");
    EXPECT_EQ(source.variant.id, "my_blur");
    EXPECT_EQ(source.variant.sentence, "The idea.");
    EXPECT_EQ(source.kernel, "blur");
    EXPECT_EQ(source.line, 8);
    ASSERT_EQ(source.parameters.size(), 3U);
    EXPECT_EQ(source.parameters[0].type, "const float*");
    EXPECT_EQ(source.parameters[1].type, "unsigned char*");
    EXPECT_EQ(source.parameters[2].type, "unsigned int");
    ASSERT_EQ(source.variant.tunables.size(), 3U);
    EXPECT_EQ(source.variant.tunables[0].id, "rows_per_thread");
    EXPECT_EQ(source.variant.tunables[0].maximum, 4);
    EXPECT_EQ(source.declared, std::vector<std::string>{"rows_per_thread"});
}

TEST(KernelSource, RefusesByFileAndLine) {
    EXPECT_EQ(refusalOf("//\nvoid f() {}\n").find("my.cuh:1: no __global__ function"), 0U);
    EXPECT_EQ(refusalOf("//\n__global__ void a(int x) {}\n__global__ void b(int x) {}\n"),
              "my.cuh:3: one __global__ function is launched, and a stands in line 2 already: make this one a "
              "__device__ function");
    EXPECT_EQ(refusalOf("template <class T>\n__global__ void a(T x) {}\n").find("my.cuh:2: the kernel is no template"),
              0U);
    EXPECT_EQ(refusalOf("extern __shared__ float s[];\n").find("my.cuh:1: shared memory needs a size"), 0U);
    EXPECT_EQ(refusalOf("// tunable a = 3 (1, 2)\n").find("my.cuh:1: a tunable is written"), 0U);
    EXPECT_EQ(refusalOf("__global__ void a(int) {}").find("my.cuh:1: a parameter needs a type and a name"), 0U);
    EXPECT_EQ(refusalOf("__global__ void a(int x").find("my.cuh:1: a: its list of parameters does not end"), 0U);
}

TEST(KernelSource, BindsByNameAndType) {
    const auto source = parseSource("my.cuh",
                                    "// tunable rows_per_thread = 2 (1, 2)\n__global__ void k(result_t* out, const "
                                    "pixel_t* in, float radius, const float* weights, int channels) {}");
    const auto binding = bind(source, task(), {}, {}, resolve(source.variant, {}));
    ASSERT_EQ(binding.slots.size(), 5U);
    EXPECT_EQ(binding.slots[0].kind, Slot::Kind::output);
    EXPECT_EQ(binding.slots[1].kind, Slot::Kind::input);
    EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(binding.slots[2].bits)), 4);
    EXPECT_EQ(binding.slots[3].words,
              (std::vector{std::bit_cast<std::uint32_t>(1.0F), std::bit_cast<std::uint32_t>(2.0F)}));
    EXPECT_EQ(binding.launches, 1);  // it takes all channels
    EXPECT_EQ(binding.grid, (std::array<unsigned, 3>{1, 1, 1}));
    EXPECT_EQ(binding.block, (std::array<unsigned, 3>{32, 8, 1}));
}

TEST(KernelSource, SaysWhatThereIs) {
    const std::string both = "const unsigned char* in, float* out, ";
    EXPECT_EQ(bindingRefusal(both + "int height"), "");
    EXPECT_EQ(bindingRefusal(both + "int hight"),
              "my.cuh:2: k: there is no 'hight' here: a parameter is one of in, out, width, height, channels, pitch, "
              "output_width, output_height, weights, radius, block_height, block_width");
    EXPECT_EQ(bindingRefusal("const float* in, float* out"),
              "my.cuh:2: k: in is a 'const unsigned char*' here (or const pixel_t*), not a 'const float*'");
    EXPECT_EQ(bindingRefusal(both + "const float* width").find("my.cuh:2: k: width is a number"), 0U);
    EXPECT_EQ(bindingRefusal("const unsigned char* in"), "my.cuh:2: k: it needs a parameter out to write to");
}

const std::string kFull =
    "// Idea: none.\n#pragma once\nnamespace warplens::gpu::convolution {\n"
    "KernelEntry naive_entry() { return {}; }\n}\n";

TEST(AFileInTheFullForm, StandsForTheRowOfItsEntryOrHead) {
    const KernelSource source = parseSource("folder/my.cuh", kFull);
    ASSERT_TRUE(source.full());
    EXPECT_EQ(source.family, "convolution");
    EXPECT_EQ(source.row, "naive");
    EXPECT_EQ(source.entry, "naive_entry");
    EXPECT_EQ(source.line, 4);
    EXPECT_EQ(source.variant.id, "my");
    EXPECT_EQ(source.variant.predecessor, "naive");
    EXPECT_EQ(source.variant.sentence, "none.");
    EXPECT_FALSE(source.variant.tunables.empty());
    const KernelSource named = parseSource("my.cuh", "// Copy of: convolution/constant\n" + kFull);
    EXPECT_EQ(named.row, "constant");
    EXPECT_EQ(named.entry, "naive_entry");
    EXPECT_FALSE(parseSource("my.cuh", "//\n__global__ void k(int n) {}").full());
}

TEST(AFileInTheFullForm, SaysWhatIsMissing) {
    EXPECT_EQ(refusalOf("// Copy of: convolution/naive\n"),
              "my.cuh:1: a copy of convolution/naive ends with KernelEntry NAME_entry(), and this file has none");
    EXPECT_EQ(refusalOf("// Copy of: stencil/naive\n" + kFull),
              "my.cuh:5: a copy of stencil/naive defines its entry in namespace warplens::gpu::stencil, not in "
              "'convolution'");
    for (const char* row : {"convolution/nothing", "convolution/opencv", "convolution"})
        EXPECT_EQ(
            refusalOf(std::string("// Copy of: ") + row + "\n" + kFull),
            "my.cuh:1: which kernel of ours is it a copy of? Write '// Copy of: FAMILY/VARIANT' in its head, with "
            "an id of list variants");
}

}  // namespace
}  // namespace warplens::gpu::user
