// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/evolution.hpp"
#include "gpu/families/stencil/tests/stencil_case.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace warplens::gpu::testing {
namespace {

/// A way to run other people's devices: its row that is held against the reference, and what else it has.
struct Way {
    const char* name;
    std::vector<std::string> rows;
    Clock clock;
};

class StencilPortable : public ::testing::TestWithParam<Way> {
protected:
    void SetUp() override {
        if (const std::string why = whyNoOpenCl(); GetParam().clock == Clock::opencl && !why.empty())
            GTEST_SKIP() << why;
        const auto run = rowsOf(noise({8, 8}, io::PixelType::f32), {}).front();
        if (run.status == Status::unsupported) GTEST_SKIP() << run.reason;
    }

    std::vector<RunRecord> rowsOf(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters) {
        auto request = stencilRequest(input, parameters, "cpu");
        request.variants = GetParam().rows;
        return m_runner.run(request).runs;
    }

    void expectOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                  const std::string& what) {
        for (const auto& run : rowsOf(input, parameters)) {
            ASSERT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            EXPECT_EQ(run.verification->mismatches, 0) << what;
            EXPECT_EQ(run.verification->checkedShare, 1.0) << what;
            EXPECT_EQ(run.time->clock, GetParam().clock);
        }
    }

    Runner m_runner;
};

const std::vector<std::pair<std::string, ParameterValues>> kPatterns{
    {"line", {{"coefficients", std::string("0.5 0.3 0.1")}}},
    {"cross", {{"coefficients", std::string("0.5 0.2 0.1 0.15 0.05")}}},
    {"star", {{"coefficients", std::string("0.4 0.2 0.1 0.15 0.05 0.08 0.02")}}},
    {"heat", {}},
    {"jacobi", {{"stencil", std::string("jacobi")}}}};

// Types and channels take turns.
TEST_P(StencilPortable, EveryPatternTypeChannelAndSize) {
    const std::vector<io::PixelType> types{io::PixelType::u8, io::PixelType::u16, io::PixelType::f32};
    const std::vector<int> channels{1, 3, 4};
    for (std::size_t place = 0; const auto& [name, parameters] : kPatterns) {
        for (int side = 1; side <= 18; ++side) {
            const int depth = name == "star" ? side % 5 + 1 : 1;
            expectOk(noise({side, 37 - side, depth, channels[place / 3 % 3]}, types[place % 3]),
                     with(parameters, "iterations", std::int64_t{side % 4}), name + std::to_string(side));
            ++place;
        }
    }
}

TEST_P(StencilPortable, AllTwentySevenNeighbours) {
    std::string weights;
    for (int i = 0; i < 27; ++i) weights += std::to_string((i * 5 % 11 - 3) / 60.0) + " ";
    expectOk(noise({17, 13, 7}, io::PixelType::f32),
             {{"stencil", std::string("weights27")}, {"weights27", weights}, {"iterations", std::int64_t{5}}}, "box");
}

TEST_P(StencilPortable, HeldRegionsAndBytesComeOutRight) {
    expectOk(noise({40, 21, 7}, io::PixelType::u8),
             {{"regions", std::string("5 at x=4..9 y=2 z=1..3; -2 at x=-1; 0.5 at x=20..25 y=-3..-1 z=0..-1")},
              {"iterations", std::int64_t{6}}},
             "regions");
    expectOk(noise({40, 21, 1, 4}, io::PixelType::u8),
             {{"output-type", std::string("same")}, {"iterations", std::int64_t{6}}}, "bytes");
}

TEST_P(StencilPortable, StopsAtAToleranceWhereTheKernelDoes) {
    const auto input = noise({24, 19}, io::PixelType::f32);
    const ParameterValues parameters{{"stencil", std::string("jacobi")},
                                     {"iterations", std::int64_t{400}},
                                     {"residual-every", std::int64_t{7}},
                                     {"tolerance", 0.001}};
    auto request = stencilRequest(input, parameters, "cpu");
    request.variants = {"naive"};
    const auto kernel = evolutionOf(m_runner.run(request).runs.front().result.tables);
    ASSERT_TRUE(kernel && kernel->iterations < 400);
    for (const auto& run : rowsOf(input, parameters)) {
        const auto evolution = evolutionOf(run.result.tables);
        ASSERT_TRUE(evolution);
        EXPECT_EQ(evolution->iterations, kernel->iterations);
        EXPECT_EQ(evolution->stopped, "tolerance");
        ASSERT_EQ(evolution->residuals.size(), kernel->residuals.size());
        for (std::size_t i = 0; i < kernel->residuals.size(); ++i)
            EXPECT_NEAR(evolution->residuals[i].value, kernel->residuals[i].value, 1e-6);
    }
    auto grid = noise({24, 19}, io::PixelType::f32);
    grid->setValue(5, 6, 0, 0, std::numeric_limits<double>::quiet_NaN());
    for (const auto& run : rowsOf(grid, parameters)) {
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        EXPECT_EQ(evolutionOf(run.result.tables)->stopped, "iterations")
            << "a change that is no number is no small one";
    }
}

TEST_P(StencilPortable, CanBeStopped) {
    std::stop_source stop;
    stop.request_stop();
    auto request = stencilRequest(noise({24, 19}, io::PixelType::f32), {}, "cpu");
    request.variants = GetParam().rows;
    const auto stopped = m_runner.run(request, stop.get_token());
    EXPECT_TRUE(stopped.interrupted);
    EXPECT_TRUE(stopped.runs.empty());
}

// Steps of even and odd numbers, changes looked at after any of them, held cells at a block's ends.
TEST_P(StencilPortable, BlockedForTheCacheOfOneDimension) {
    if (GetParam().clock != Clock::openacc) GTEST_SKIP() << "OpenACC alone has the row";
    const auto runOf = [&](const io::Shape& shape, const ParameterValues& more, const char* row) {
        auto parameters = kPatterns.front().second;
        for (const auto& [id, value] : more) parameters[id] = value;
        auto request = stencilRequest(noise(shape, io::PixelType::f32), parameters, "cpu");
        request.variants = {row};
        return m_runner.run(request).runs.front();
    };
    for (const io::Shape& shape : {io::Shape{1, 1}, io::Shape{3, 2}, io::Shape{2046, 1}, io::Shape{2047, 3},
                                   io::Shape{4093, 1, 1, 3}, io::Shape{9001, 2, 2}})
        for (const std::int64_t steps : {0, 1, 2, 5, 8})
            for (const std::int64_t every : {0, 1, 2, 3}) {
                const ParameterValues more{{"iterations", steps},
                                           {"residual-every", every},
                                           {"regions", std::string("0.5 at x=-1; 2 at x=0")}};
                const auto run = runOf(shape, more, "acc_cache_blocked");
                ASSERT_EQ(run.status, Status::ok) << describe(run);
                EXPECT_EQ(run.verification->mismatches, 0) << run.verification->firstMismatch;
                const auto mine = evolutionOf(run.result.tables);
                const auto its = evolutionOf(runOf(shape, more, "acc_resident").result.tables);
                ASSERT_EQ(mine.has_value(), its.has_value());
                if (!mine) continue;
                EXPECT_EQ(mine->iterations, its->iterations);
                ASSERT_EQ(mine->residuals.size(), its->residuals.size());
                for (std::size_t i = 0; i < its->residuals.size(); ++i)
                    EXPECT_EQ(mine->residuals[i].value, its->residuals[i].value);
            }
    auto request = stencilRequest(noise({9, 9}, io::PixelType::f32), {}, "cpu");
    request.variants = {"acc_cache_blocked"};
    EXPECT_EQ(m_runner.run(request).runs.front().reason,
              "is for stencils of one dimension: choose blur, or give three coefficients");
}

INSTANTIATE_TEST_SUITE_P(Stencil, StencilPortable,
                         ::testing::Values(Way{"opencl", {"opencl_naive"}, Clock::opencl},
                                           Way{"openacc", {"acc_copy_every_step", "acc_resident"}, Clock::openacc}),
                         [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace warplens::gpu::testing
