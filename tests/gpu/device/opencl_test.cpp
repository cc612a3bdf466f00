// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/device/opencl/devices.hpp"
#include "gpu/device/opencl/queue.hpp"
#include "gpu/device/opencl/sources.hpp"
#include "tests/support/devices.hpp"

#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>

namespace warplens::gpu::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(OpenCl, WithoutALoaderSaysWhatToInstall) {
    const auto list = opencl::listDevices("libNoSuchLoader.so.1");
    EXPECT_TRUE(list.devices.empty());
    EXPECT_THAT(list.whyNone, HasSubstr("install ocl-icd-libopencl1"));
    EXPECT_THAT(list.whyNone, HasSubstr("pocl-opencl-icd"));
}

TEST(OpenCl, ALibraryThatLacksFunctionsIsNoLoader) {
    EXPECT_THAT(opencl::listDevices("libm.so.6").whyNone, HasSubstr("No OpenCL"));
}

// What the program compiles is what the window shows and the repository holds.
TEST(OpenCl, CarriesTheSourceOfEveryRow) {
    int rows = 0;
    for (const Family* family : families()) {
        for (const Variant& variant : family->variants()) {
            if (variant.devices != Variant::Devices::opencl) continue;
            ++rows;
            EXPECT_EQ(variant.kind, Variant::Kind::portable);
            std::ifstream file(WARPLENS_SOURCE_DIR "/" + variant.source);
            const std::string text(std::istreambuf_iterator<char>(file), {});
            EXPECT_FALSE(text.empty()) << variant.source;
            EXPECT_EQ(opencl::sourceOf(variant.source), text) << variant.source;
        }
    }
    EXPECT_GE(rows, 4);
    EXPECT_THROW(opencl::sourceOf("gpu/none.cl"), Error);
}

class OpenClQueue : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = whyNoOpenCl(); !why.empty()) GTEST_SKIP() << why;
    }
};

TEST_F(OpenClQueue, RunsAKernelByTheClockOfItsEvents) {
    opencl::Queue queue(0);
    EXPECT_EQ(queue.facts().id, "opencl:0");
    EXPECT_GE(queue.facts().maxWorkItemsPerGroup, 1);
    EXPECT_GT(queue.facts().localBytesPerGroup, 0);
    auto kernel = queue.build({"#define ADD(x) ((x) + 1)\n",
                               "__kernel void add(__global int* a, int n, long big, float part, __local int* some) {\n"
                               "    const int i = get_global_id(0);\n"
                               "    if (i < n && big == 5000000000L && part == 0.5f) a[i] = ADD(a[i]);\n}\n"},
                              "add");
    std::vector<int> values{1, 2, 3, 4, 5};
    const auto memory = queue.holding(values.data(), values.size() * sizeof(int));
    kernel.arguments(memory, 4, std::int64_t{5'000'000'000}, 0.5F, opencl::Local{64});
    EXPECT_GT(queue.time([&] {
        queue.launch(kernel, {2, 1, 1}, {4, 1, 1});
        queue.launch(kernel, {2, 1, 1}, {4, 1, 1});
    }),
              0);
    queue.download(values.data(), memory, values.size() * sizeof(int));
    EXPECT_EQ(values, (std::vector<int>{3, 4, 5, 6, 5}));
    EXPECT_EQ(queue.time([] {}), 0);
}

TEST_F(OpenClQueue, AMistakeIsOneLineOfTheLog) {
    opencl::Queue queue(0);
    try {
        queue.build({"__kernel void bad(__global int* a) {\n    a[0] = nothing;\n}\n"}, "bad");
        FAIL() << "it compiled";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("does not compile bad: "));
        EXPECT_THAT(error.what(), HasSubstr("nothing"));
        EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    }
}

TEST_F(OpenClQueue, WhatIsTooLargeIsRefused) {
    opencl::Queue queue(0);
    const auto kernel = queue.build({"__kernel void none() {}\n"}, "none");
    const auto group = static_cast<std::size_t>(queue.facts().maxWorkItemsPerGroup) + 1;
    EXPECT_THROW(queue.launch(kernel, {1, 1, 1}, {group, 1, 1}), Error);
    try {
        queue.allocate(std::size_t{1} << 60);
        FAIL() << "there is so much memory";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::outOfMemory) << error.what();
    }
    EXPECT_THROW(opencl::Queue(4711), Error);
}

}  // namespace
}  // namespace warplens::gpu::testing
