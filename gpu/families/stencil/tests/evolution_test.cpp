// SPDX-License-Identifier: Apache-2.0
// What iterating leads to: convergence, residuals, tolerance, agreement with NumPy.
#include "gpu/core/evolution.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/stencil/tests/stencil_case.hpp"
#include "io/read.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <thread>

namespace warplens::gpu::testing {
namespace {

RunRecord runOn(const std::shared_ptr<const io::Grid>& input, ParameterValues parameters, const std::string& variant) {
    static Runner runner;
    auto request = stencilRequest(input, std::move(parameters), "cpu");
    request.variants = {variant};
    return runner.run(request).runs.front();
}

constexpr int kSide = 64;

/// A plate of which one side is as hot as sin(pi x), and the others are at 0.
std::shared_ptr<io::Grid> plate() {
    auto grid = std::make_shared<io::Grid>(io::Shape{kSide, kSide}, io::PixelType::f32);
    for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x)
            grid->setValue(x, y, 0, 0, y == kSide - 1 ? std::sin(M_PI * x / (kSide - 1)) : 0);
    }
    return grid;
}

/// The solution of the discrete equation: sin times sinh, with the rate that the five-point stencil gives,
/// cosh(rate) = 2 - cos(pi / (n - 1)).
double plateAt(int x, int y) {
    const double angle = M_PI / (kSide - 1), rate = std::acosh(2 - std::cos(angle));
    return std::sin(angle * x) * std::sinh(rate * y) / std::sinh(rate * (kSide - 1));
}

double largestErrorOf(const io::Grid& grid) {
    double largest = 0;
    for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) largest = std::max(largest, std::fabs(grid.value(x, y, 0, 0) - plateAt(x, y)));
    }
    return largest;
}

TEST(StencilEvolution, JacobiConvergesToTheDiscreteSolution) {
    for (const std::string variant : {"marching", "fused"}) {
        const auto run =
            runOn(plate(), {{"stencil", std::string("jacobi")}, {"iterations", std::int64_t{9000}}}, variant);
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        EXPECT_LT(largestErrorOf(*run.result.picture), 1e-4) << variant;
    }
    const auto early =
        runOn(plate(), {{"stencil", std::string("jacobi")}, {"iterations", std::int64_t{900}}}, "marching");
    EXPECT_GT(largestErrorOf(*early.result.picture), 1e-3);
}

TEST(StencilEvolution, ALibraryStopsAtTheToleranceAlikeAndItsRateCountsTheStepsMade) {
    // Two slices and two channels: all of them have to come to rest, the one that is at rest from the start included.
    io::Grid grid({24, 16, 2, 3}, io::PixelType::f32);
    std::fill_n(grid.as<float>(), grid.shape().values(), 0.0F);
    grid.setValue(5, 6, 0, 1, 1);
    grid.setValue(5, 6, 1, 2, 2);
    const auto input = std::make_shared<const io::Grid>(std::move(grid));
    const std::int64_t most = 100000;
    const ParameterValues parameters{{"dimensions", std::string("2")},
                                     {"iterations", most},
                                     {"tolerance", 1e-3},
                                     {"residual-every", std::int64_t{7}}};
    const auto kernel = runOn(input, parameters, "naive"), library = runOn(input, parameters, "opencv");
    for (const auto& run : {kernel, library}) {
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        const auto evolution = evolutionOf(run.result.tables).value();
        EXPECT_EQ(evolution.stopped, "tolerance") << run.variant;
        EXPECT_EQ(evolution.iterations, evolutionOf(kernel.result.tables)->iterations) << run.variant;
        EXPECT_LT(evolution.iterations, 1000);
        EXPECT_EQ(evolution.residuals.size(), static_cast<std::size_t>(evolution.iterations / 7));
        EXPECT_LT(evolution.residuals.back().value, 1e-3);
        EXPECT_NEAR(evolution.residuals.front().value, evolutionOf(kernel.result.tables)->residuals.front().value,
                    1e-6);
        // Each step reads and writes every cell of the three channels once.
        const double bytes = 2.0 * 24 * 16 * 2 * 3 * sizeof(float) * static_cast<double>(evolution.iterations);
        ASSERT_TRUE(run.time && run.bandwidthGbs);
        EXPECT_NEAR(*run.bandwidthGbs, bytes / run.time->medianMs * 1e-6, 1e-9 * *run.bandwidthGbs) << run.variant;
    }
}

TEST(StencilEvolution, ALibraryHearsAStop) {
    auto request =
        stencilRequest(noise({64, 64, 1}, io::PixelType::f32), {{"iterations", std::int64_t{1'000'000}}}, "cpu");
    request.variants = {"opencv"};
    std::stop_source stop;
    const auto start = std::chrono::steady_clock::now();
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    EXPECT_TRUE(Runner().run(request, stop.get_token()).interrupted);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10);
}

TEST(StencilEvolution, StopsAtTheToleranceAndSaysWhen) {
    const auto run = runOn(plate(),
                           {{"stencil", std::string("jacobi")},
                            {"iterations", std::int64_t{100000}},
                            {"tolerance", 1e-7},
                            {"residual-every", std::int64_t{100}}},
                           "naive");
    ASSERT_EQ(run.status, Status::ok) << describe(run);
    const auto evolution = evolutionOf(run.result.tables).value();
    EXPECT_EQ(evolution.stopped, "tolerance");
    EXPECT_EQ(evolution.iterations % 100, 0);
    EXPECT_LT(evolution.iterations, 20000);
    ASSERT_EQ(evolution.residuals.size(), static_cast<std::size_t>(evolution.iterations / 100));
    EXPECT_LT(evolution.residuals.back().value, 1e-7);
    for (std::size_t i = 0; i + 1 < evolution.residuals.size(); ++i) {
        EXPECT_EQ(evolution.residuals[i].iteration, static_cast<std::int64_t>(i + 1) * 100);
        EXPECT_GE(evolution.residuals[i].value, 1e-7);
    }
    EXPECT_LT(largestErrorOf(*run.result.picture), 3e-4);
}

TEST(StencilEvolution, ResidualIsTheLargestChangeOfThatStep) {
    const auto input = noise({23, 14, 9, 3}, io::PixelType::f32);
    for (const Variant& variant : familyOf("stencil").variants()) {
        if (variant.kind != Variant::Kind::kernel) continue;
        const auto run =
            runOn(input, {{"iterations", std::int64_t{10}}, {"residual-every", std::int64_t{4}}}, variant.id);
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        const auto residuals = evolutionOf(run.result.tables)->residuals;
        ASSERT_EQ(residuals.size(), 3U) << variant.id;  // after 4, 8 and the last, 10
        EXPECT_EQ(evolutionOf(run.result.tables)->stopped, "iterations");
        for (const auto& point : residuals) {
            const auto after = runOn(input, {{"iterations", point.iteration}}, variant.id).result.picture;
            const auto before = runOn(input, {{"iterations", point.iteration - 1}}, variant.id).result.picture;
            float largest = 0;
            for (std::int64_t i = 0; i < input->shape().values(); ++i) {
                largest = std::max(largest, std::fabs(after->as<float>()[i] - before->as<float>()[i]));
            }
            EXPECT_EQ(point.value, static_cast<double>(largest)) << variant.id << " after " << point.iteration;
        }
    }
}

TEST(StencilEvolution, AgreesWithNumPy) {
    const std::string folder = WARPLENS_STENCIL_FIXTURES "/";
    const auto start = std::make_shared<const io::Grid>(io::read(folder + "start.npy"));
    std::string weights;
    for (int i = 0; i < 27; ++i) weights += std::to_string((i - 9) / 200.0) + " ";
    const std::vector<std::pair<std::string, ParameterValues>> cases{
        {"heat3d_10", {{"stencil", std::string("heat")}, {"iterations", std::int64_t{10}}}},
        {"given2d_7", {{"coefficients", std::string("0.3,0.25,0.1,-0.2,0.4")}, {"iterations", std::int64_t{7}}}},
        {"blur_5", {{"stencil", std::string("blur")}, {"iterations", std::int64_t{5}}}},
        {"box27_4", {{"stencil", std::string("weights27")}, {"weights27", weights}, {"iterations", std::int64_t{4}}}},
        {"jacobi_held_20",
         {{"stencil", std::string("jacobi")},
          {"iterations", std::int64_t{20}},
          {"regions", std::string("4 at x=0; -1 at x=6..8 y=3 z=2..4")}}},
    };
    for (const auto& [name, parameters] : cases) {
        const io::Grid expected = io::read(folder + name + ".npy");
        int compared = 0;
        for (const Variant& variant : familyOf("stencil").variants()) {
            if (variant.devices == Variant::Devices::opencl && !whyNoOpenCl().empty()) continue;
            const auto run = runOn(start, parameters, variant.id);
            if (run.status == Status::unsupported) continue;
            ASSERT_EQ(run.status, Status::ok) << name << ": " << describe(run);
            ++compared;
            for (std::int64_t i = 0; i < expected.shape().values(); ++i) {
                const float want = expected.as<float>()[i];
                ASSERT_NEAR(run.result.picture->as<float>()[i], want, 4e-6F * (1 + std::fabs(want)))
                    << name << ": " << variant.id << " at " << i;
            }
        }
        EXPECT_GE(compared, 3) << name;
    }
}

TEST(StencilEvolution, AWrongResultIsFound) {
    const auto input = noise({20, 20, 20}, io::PixelType::f32);
    const auto problem = familyOf("stencil").pose(input, {{"iterations", std::int64_t{3}}});
    auto run = runOn(input, {{"iterations", std::int64_t{3}}}, "naive");
    const Variant& naive = variantOf(familyOf("stencil"), "naive");
    EXPECT_EQ(problem->verify(run.result, naive, {}).mismatches, 0);
    for (const auto& [x, y, z] : std::vector<std::array<int, 3>>{{0, 0, 0}, {19, 19, 19}, {10, 3, 7}}) {
        auto altered = std::make_shared<io::Grid>(run.result.picture->clone());
        altered->setValue(x, y, z, 0, altered->value(x, y, z, 0) + 1e-5);
        Result wrong = run.result;
        wrong.picture = altered;
        EXPECT_EQ(problem->verify(wrong, naive, {}).mismatches, 1) << x;
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
