// SPDX-License-Identifier: Apache-2.0
// Where only the picture counts `auto` takes a library's row on the host instead of emulated kernels, as long as that
// can do the task and is right.
#include "gpu/core/error.hpp"
#include "gpu/run/live.hpp"
#include "tests/support/family_case.hpp"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>

namespace warplens::gpu::testing {
namespace {

/// A median, which OpenCV has.
Request median() {
    Request request =
        requestFor("rank", noise({40, 30, 1, 3}, io::PixelType::u8), {{"radius", std::int64_t{2}}}, "cpu");
    request.variants = {kAuto};
    request.hostLibraries = true;
    return request;
}

TEST(HostLibrary, IsTakenWhereOnlyThePictureCounts) {
    Runner runner;
    Request request = median();
    const RunRecord record = runner.run(request).runs.front();
    EXPECT_EQ(record.kind, Variant::Kind::library) << describe(record);
    ASSERT_TRUE(record.choice);
    EXPECT_NE(record.choice->why.find("library"), std::string::npos) << record.choice->why;
    ASSERT_TRUE(record.verification);
    EXPECT_EQ(record.verification->mismatches, 0);
    EXPECT_EQ(runner.preview(request, std::make_shared<render::Display>()).record.variant, record.variant)
        << "a live run takes the same row";
    request.hostLibraries = false;
    const RunRecord compared = runner.run(request).runs.front();
    EXPECT_EQ(compared.kind, Variant::Kind::kernel) << "a comparison is of kernels";
    EXPECT_EQ(std::memcmp(compared.result.picture->data(), record.result.picture->data(), 40 * 30 * 3), 0);
}

TEST(HostLibrary, AKernelRunsWhereItRefusesOrWhereKernelsAreMeant) {
    const std::function<void(Request&)> meant[] = {
        [](Request& request) { request.parameters["percentile"] = 25.0; },  // OpenCV has no other than the median
        [](Request& request) {
            request.tunables = {{"block_width", 16}};
        },
        [](Request& request) { request.memoryCap = 1 << 24; },
        [](Request& request) { request.scheduling.shuffleSeed = 3; },
    };
    for (const auto& say : meant) {
        Request request = median();
        say(request);
        const RunRecord record = Runner().run(request).runs.front();
        EXPECT_EQ(record.kind, Variant::Kind::kernel) << describe(record);
        EXPECT_EQ(record.status, Status::ok) << describe(record);
    }
}

TEST(HostLibrary, AKernelRunsInItsPlaceWhenTheCheckFindsItWrong) {
    Runner runner;
    Request request = median();
    request.verify = false;
    RunRecord wrong = runner.run(request).runs.front();
    ASSERT_EQ(wrong.kind, Variant::Kind::library);
    const auto right = wrong.result.picture;
    auto broken = std::make_shared<io::Grid>(right->clone());
    broken->as<std::uint8_t>()[1234] ^= 0x40;
    wrong.result.picture = broken;
    const RunRecord instead = runner.verify(request, wrong);
    EXPECT_EQ(instead.kind, Variant::Kind::kernel);
    EXPECT_EQ(instead.status, Status::ok) << describe(instead);
    ASSERT_TRUE(instead.verification);
    EXPECT_EQ(std::memcmp(instead.result.picture->data(), right->data(), right->bytes()), 0);
    EXPECT_EQ(runner.run(request).runs.front().kind, Variant::Kind::kernel) << "nor is it taken again for the task";
    request.parameters["radius"] = std::int64_t{1};
    EXPECT_EQ(runner.run(request).runs.front().kind, Variant::Kind::library) << "but for another one";
}

TEST(HostLibrary, NamedByTheUserItIsLeftAsItIs) {
    Runner runner;
    Request request = median();
    request.variants = {"opencv"};
    request.verify = false;
    RunRecord wrong = runner.run(request).runs.front();
    auto broken = std::make_shared<io::Grid>(wrong.result.picture->clone());
    broken->as<std::uint8_t>()[0] ^= 0x40;
    wrong.result.picture = broken;
    const RunRecord verified = runner.verify(request, wrong);
    EXPECT_EQ(verified.variant, "opencv");
    EXPECT_EQ(verified.verification->mismatches, 1);
}

}  // namespace
}  // namespace warplens::gpu::testing
