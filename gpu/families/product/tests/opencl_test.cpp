// SPDX-License-Identifier: Apache-2.0
// OpenCL's rows by the kernels' definition and bound, where there is a driver.
#include "gpu/device/opencl/devices.hpp"
#include "gpu/families/product/tests/product_case.hpp"

#include <gtest/gtest.h>

namespace warplens::gpu::testing {
namespace {

class ProductOpenCl : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = whyNoOpenCl(); !why.empty()) GTEST_SKIP() << why;
    }
    void expectOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                  const std::string& what, const TunableValues& tunables = {}) {
        auto request = requestFor("product", input, parameters, "cpu");
        request.variants = {"opencl_naive", "opencl_tiled"};
        request.tunables = tunables;
        for (const auto& run : m_runner.run(request).runs) {
            ASSERT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            EXPECT_EQ(run.verification->mismatches, 0) << what << ": " << run.verification->firstMismatch;
            ASSERT_TRUE(run.time);
            EXPECT_EQ(run.time->clock, Clock::opencl);
        }
    }

    Runner m_runner;
};

TEST_F(ProductOpenCl, EveryTypeExtentAndLayer) {
    int turn = 0;
    for (const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32})
        for (const auto& [rows, inner, columns] :
             {std::tuple{1, 1, 1}, {3, 2, 3}, {31, 33, 65}, {64, 32, 32}, {97, 70, 5}, {2, 129, 34}}) {
            const int channels = turn++ % 2 == 0 ? 1 : 3;
            const auto what = std::to_string(rows) + "x" + std::to_string(inner) + "x" + std::to_string(columns);
            expectOk(noise({inner, rows, 1, channels}, type, 1), times(noise({columns, inner}, io::PixelType::f32, 2)),
                     what);
            expectOk(noise({inner, rows, 1, channels}, type, 1), {}, what + " times its transpose");
        }
}

TEST_F(ProductOpenCl, TakesNothingButProducts) {
    auto request = requestFor("product", noise({9, 7}, io::PixelType::f32), {{"task", std::string("dct")}}, "cpu");
    request.variants = {"opencl_naive"};
    const auto run = m_runner.run(request).runs.front();
    EXPECT_EQ(run.status, Status::unsupported);
    EXPECT_EQ(run.reason, "is for the task product");
}

}  // namespace
}  // namespace warplens::gpu::testing
