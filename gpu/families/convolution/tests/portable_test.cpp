// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/opencl/devices.hpp"
#include "gpu/families/convolution/tests/every_row.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace warplens::gpu::testing {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kRows{"opencl_naive", "opencl_tiled_input", "opencl_tiled_output"};

class ConvolutionOpenCl : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = whyNoOpenCl(); !why.empty()) GTEST_SKIP() << why;
    }

    void expectOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                  const std::string& what, const TunableValues& tunables = {}) {
        auto request = requestFor(input, parameters, "cpu");
        request.variants = kRows;
        request.tunables = tunables;
        for (const auto& run : m_runner.run(request).runs) {
            ASSERT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            EXPECT_EQ(run.kind, Variant::Kind::portable);
            EXPECT_EQ(run.verification->checkedShare, 1.0);
            EXPECT_EQ(run.verification->note, "") << "its definition and its bound are the kernels'";
            ASSERT_TRUE(run.time);
            EXPECT_EQ(run.time->clock, Clock::opencl);
            EXPECT_GT(run.time->minMs, 0);
            EXPECT_THAT(run.runsOn, ::testing::StartsWith("opencl:0, "));
        }
    }

    RunRecord runOf(const std::string& variant, const ParameterValues& parameters, io::Shape shape = {40, 30}) {
        auto request = requestFor(noise(shape, io::PixelType::f32), parameters, "cpu");
        request.variants = {variant};
        return m_runner.run(request).runs.front();
    }

    Runner m_runner;
};

// Sides of every remainder modulo 16, one and primes among them; types and channels take turns.
TEST_F(ConvolutionOpenCl, EveryBorderTypeChannelAndSize) {
    const std::vector<io::PixelType> types{io::PixelType::u8, io::PixelType::u16, io::PixelType::f32};
    const std::vector<int> channels{1, 3, 4};
    for (std::size_t place = 0; const auto& border : kBorders) {
        for (int side = 1; side <= 97; side += side < 17 ? 1 : 16) {
            const auto type = types[place % 3];
            expectOk(noise({side, 98 - side, 1, channels[place / 3 % 3]}, type),
                     {{"border", border}, {"radius", std::int64_t{2}}},
                     border + " " + io::nameOf(type) + " " + std::to_string(side));
            ++place;
        }
    }
}

TEST_F(ConvolutionOpenCl, MatricesThatAreNotSquareAndWorkGroupsOfAnyShape) {
    for (const auto& [w, h] : std::vector<std::pair<int, int>>{{1, 1}, {1, 3}, {5, 1}, {7, 3}}) {
        std::string matrix;
        for (int j = 0; j < h; ++j) {
            for (int i = 0; i < w; ++i) matrix += std::to_string(((i * 7 + j * 13) % 19) / 190.0) + " ";
            matrix += ";";
        }
        for (const auto& [x, y] : std::vector<std::pair<int, int>>{{8, 8}, {33, 7}, {13, 11}, {64, 4}})
            expectOk(noise({70, 37}, io::PixelType::f32),
                     {{"filter", std::string("custom")}, {"matrix", matrix}, {"border", std::string("reflect")}},
                     std::to_string(w) + "x" + std::to_string(h), {{"block_width", x}, {"block_height", y}});
    }
}

TEST_F(ConvolutionOpenCl, BordersOfAFilterLargerThanThePicture) {
    for (const auto& border : kBorders)
        expectOk(noise({3, 2}, io::PixelType::f32), {{"border", border}, {"radius", std::int64_t{3}}}, border);
}

TEST_F(ConvolutionOpenCl, IntegersSaturateAndTakeAnOffset) {
    for (const auto type : {io::PixelType::u8, io::PixelType::u16}) {
        expectOk(noise({40, 30}, type),
                 {{"filter", std::string("sharpen")}, {"amount", 5.0}, {"output-type", std::string("same")}}, "sharp");
        expectOk(noise({40, 30}, type), {{"filter", std::string("emboss")}, {"offset", 128.0}}, "offset");
        expectOk(noise({40, 30}, type), {{"filter", std::string("sobel_x")}}, "f32");
    }
}

TEST_F(ConvolutionOpenCl, VolumesGoSliceBySliceAndNotANumberStaysInItsPlace) {
    expectOk(noise({19, 17, 5, 4}, io::PixelType::u16), {{"border", std::string("wrap")}}, "volume");
    auto grid = noise({45, 39}, io::PixelType::f32);
    grid->setValue(7, 9, 0, 0, std::numeric_limits<double>::quiet_NaN());
    grid->setValue(30, 20, 0, 0, std::numeric_limits<double>::infinity());
    for (const auto& border : kBorders) expectOk(grid, {{"border", border}}, border);
}

TEST_F(ConvolutionOpenCl, WhatADeviceCannotTakeIsRefusedWithTheReason) {
    EXPECT_THAT(runOf("opencl_naive", {{"dimensions", std::string("3")}}, {9, 8, 7}).reason,
                HasSubstr("two dimensions only: with 3 choose naive"));
    EXPECT_THAT(runOf("opencl_tiled_input", {{"radius", std::int64_t{9}}}).reason, HasSubstr("leaves no output"));
    EXPECT_THAT(runOf("opencl_naive@block_width=1024@block_height=1024", {}).reason, HasSubstr("threads per block"));
    const auto last = opencl::deviceList().devices.back().id;
    const auto run = runOf("opencl_naive@opencl_device=63", {});
    EXPECT_EQ(run.status, Status::unsupported);
    EXPECT_THAT(run.reason, HasSubstr("there is no opencl:63: the last one is " + last));
}

// Another device's clock ranks nothing, and a wrong result loses its time as a kernel's does.
TEST_F(ConvolutionOpenCl, AWrongResultHasNoTime) {
    auto request = requestFor(noise({40, 30}, io::PixelType::f32), {}, "cpu");
    request.variants = {"opencl_naive"};
    request.verify = false;
    RunRecord record = m_runner.run(request).runs.front();
    auto wrong = std::make_shared<io::Grid>(record.result.picture->clone());
    wrong->setValue(3, 4, 0, 0, 7);
    record.result.picture = wrong;
    const RunRecord verified = m_runner.verify(request, record, {});
    EXPECT_EQ(verified.status, Status::wrong);
    EXPECT_FALSE(verified.time);
}

}  // namespace
}  // namespace warplens::gpu::testing
