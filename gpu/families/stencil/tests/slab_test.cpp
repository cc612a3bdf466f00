// SPDX-License-Identifier: Apache-2.0
// Stencil iterations slab by slab: the in-core result, bit by bit, whatever the cut.
#include "gpu/core/error.hpp"
#include "gpu/families/stencil/tests/slab_case.hpp"
#include "tests/gpu/late_device.hpp"
#include "tests/gpu/stopping_device.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::testing {
namespace {

using stencil::IterationPlan;
using stencil::StencilProblem;
using stencil::StencilSlabs;

void expectSame(Device& device, const StencilProblem& problem, const IterationPlan& plan,
                const std::vector<std::string>& variants) {
    Resident whole, none;
    const auto inCore = problem.open(device, whole);
    StencilSlabs slabs(problem, {&device}, none, plan);
    for (const auto& id : variants) {
        const Variant& variant = variantOf(familyOf("stencil"), id);
        if (!problem.refusal(variant, resolve(variant, {}), device.info()).empty()) continue;
        const auto expected = runOnce(*inCore, device, variant), got = runOnce(slabs, device, variant);
        ASSERT_EQ(std::memcmp(expected.picture->data(), got.picture->data(), expected.picture->bytes()), 0)
            << id << ": " << plan.sentence();
        ASSERT_EQ(evolutionOf(expected.tables)->iterations, evolutionOf(got.tables)->iterations);
        ASSERT_EQ(evolutionOf(expected.tables)->stopped, evolutionOf(got.tables)->stopped);
        ASSERT_EQ(evolutionOf(expected.tables)->residuals.size(), evolutionOf(got.tables)->residuals.size())
            << id << ": " << plan.sentence();
        for (std::size_t i = 0; i < evolutionOf(expected.tables)->residuals.size(); ++i) {
            ASSERT_EQ(evolutionOf(expected.tables)->residuals[i].iteration,
                      evolutionOf(got.tables)->residuals[i].iteration);
            ASSERT_EQ(evolutionOf(expected.tables)->residuals[i].value, evolutionOf(got.tables)->residuals[i].value)
                << id << ": " << plan.sentence();
        }
    }
}

/// The volume cut, into single slices, a few and nearly all, with sweeps of 1 and 3 steps.
void expectSameHoweverCut(Device& device, const std::shared_ptr<const io::Grid>& input,
                          const ParameterValues& parameters,
                          const std::vector<std::string>& variants = {"naive", "fused"}) {
    const StencilProblem problem(input, parameters);
    const bool across = stencil::reachZ(problem.op().pattern) > 0;
    const auto depth = input->shape().depth;
    for (const std::int64_t slices : {std::int64_t{1}, std::int64_t{3}, depth - 1}) {
        for (const std::int64_t steps : {1, 3}) {
            const SlabPlan slabs{.depth = depth,
                                 .slices = slices,
                                 .halo = across ? steps : 0,
                                 .bytes = 0,
                                 .overlapped = (slices + steps) % 4 != 0};
            expectSame(device, problem, {slabs, steps, 0}, variants);
        }
    }
}

class StencilSlabsOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        requireDevice(GetParam());
        if (!IsSkipped()) m_device = openDevice(GetParam());
    }
    std::unique_ptr<Device> m_device;
};

TEST_P(StencilSlabsOnDevice, AreBitEqualHoweverTheVolumeIsCut) {
    for (const std::int64_t iterations : {0, 1, 5, 7}) {
        expectSameHoweverCut(*m_device, noise({13, 9, 9}, io::PixelType::f32), iterate("heat", iterations));
    }
    expectSameHoweverCut(*m_device, noise({35, 6, 4}, io::PixelType::u8), iterate("smoothing", 5));
    expectSameHoweverCut(*m_device, noise({10, 7, 6, 4}, io::PixelType::u16), iterate("heat", 5));
    expectSameHoweverCut(*m_device, noise({9, 8, 7}, io::PixelType::f32), iterate("weights27", 5), {"naive"});
    expectSameHoweverCut(*m_device, noise({9, 8, 2}, io::PixelType::f32), iterate("heat", 5));
}

/// A lane may be as late as its waits allow, whatever the machine does.
TEST(StencilSlabs, OverlapInEveryOrderThatTheWaitsAllow) {
    auto parameters = iterate("heat", 5);
    std::vector<int> ranks{0, 1, 2};
    do {
        LateDevice device(ranks);
        for (const std::int64_t every : {0, 3}) {
            parameters["residual-every"] = every;
            const StencilProblem problem(noise({9, 7, 13, every == 0 ? 3 : 1}, io::PixelType::f32), parameters);
            expectSame(device, problem, {{.depth = 13, .slices = 2, .halo = 3, .bytes = 0, .overlapped = true}, 3, 0},
                       {"naive"});
        }
    } while (std::next_permutation(ranks.begin(), ranks.end()));
}

TEST_P(StencilSlabsOnDevice, EveryVariantAgrees) {
    std::vector<std::string> all;
    for (const Variant& variant : familyOf("stencil").variants()) {
        if (variant.kind == Variant::Kind::kernel) all.push_back(variant.id);
    }
    const StencilProblem problem(noise({37, 21, 13}, io::PixelType::f32), iterate("heat", 7));
    expectSame(*m_device, problem, {{.depth = 13, .slices = 5, .halo = 3, .bytes = 0, .overlapped = true}, 3, 3}, all);
}

TEST_P(StencilSlabsOnDevice, SlicesThatDoNotReachIntoEachOtherNeedNoHalo) {
    for (const std::string dimensions : {"1", "2"}) {
        auto parameters = iterate("heat", 5);
        parameters["dimensions"] = dimensions;
        expectSameHoweverCut(*m_device, noise({14, 10, 5, 3}, io::PixelType::u8), parameters);
    }
}

TEST_P(StencilSlabsOnDevice, RegionsResidualsAndToleranceAreTheSame) {
    auto parameters = iterate("jacobi", 7);
    parameters["regions"] = std::string("100 at z=0; -3 at x=2..4 y=3 z=2..5; 7 at z=-1 x=1");
    parameters["residual-every"] = std::int64_t{3};
    expectSameHoweverCut(*m_device, noise({9, 8, 8}, io::PixelType::u8), parameters);
    expectSameHoweverCut(*m_device, noise({9, 8, 7, 4}, io::PixelType::f32), parameters, {"naive"});
    parameters["residual-every"] = std::int64_t{1};
    parameters["tolerance"] = 2.0;
    expectSameHoweverCut(*m_device, noise({9, 8, 8}, io::PixelType::f32), parameters);
    auto broken = noise({6, 6, 6}, io::PixelType::f32);
    broken->setValue(3, 3, 4, 0, std::numeric_limits<double>::quiet_NaN());
    const StencilProblem problem(
        broken,
        {{"stencil", std::string("heat")}, {"iterations", std::int64_t{2}}, {"residual-every", std::int64_t{1}}});
    Resident none;
    StencilSlabs session(problem, {m_device.get()}, none, {{.depth = 6, .slices = 2, .halo = 1, .bytes = 0}, 1, 2});
    const auto result = runOnce(session, *m_device, variantOf(familyOf("stencil"), "naive"));
    ASSERT_EQ(evolutionOf(result.tables)->residuals.size(), 2U);
    EXPECT_TRUE(std::isnan(evolutionOf(result.tables)->residuals.front().value))
        << "a change that is none wins, as in core";
}

TEST_P(StencilSlabsOnDevice, ALimitMakesThemAndThePlanIsTold) {
    const auto input = noise({40, 30, 31}, io::PixelType::f32);
    auto request = requestFor("stencil", input, iterate("heat", 7), GetParam());
    request.variants = {"naive", "fused"};
    Runner runner;
    const auto whole = runner.run(request);
    EXPECT_EQ(whole.plan, "");
    const StencilProblem problem(input, request.parameters);
    request.memoryCap = stencil::ringBytes(problem, 14, 10);
    const auto cut = runner.run(request);
    EXPECT_NE(cut.plan.find("overlapped, "), std::string::npos) << cut.plan;
    EXPECT_NE(cut.plan.find("sweeps of up to"), std::string::npos) << cut.plan;
    for (std::size_t i = 0; i < cut.runs.size(); ++i) {
        ASSERT_EQ(cut.runs[i].status, Status::ok) << describe(cut.runs[i]);
        EXPECT_EQ(std::memcmp(cut.runs[i].result.picture->data(), whole.runs[i].result.picture->data(), input->bytes()),
                  0);
    }
    request.memoryCap = stencil::slabBytes(problem, 3) - 1;
    EXPECT_THROW(runner.run(request), Error);
}

TEST(StencilSlabs, ThePlanSendsTheFewestSlices) {
    const StencilProblem problem(noise({8, 8, 100}, io::PixelType::f32), iterate("heat", 50));
    for (const std::int64_t most : {3, 5, 9, 20, 40, 99}) {
        const auto plan = planIteration(problem, problem.schedule(), stencil::slabBytes(problem, most), "cpu");
        EXPECT_EQ(plan.slabs.halo, plan.steps);
        EXPECT_LE(plan.slabs.slices + 2 * plan.slabs.halo, most);
        EXPECT_GE(plan.sweeps * plan.steps, 50);
        EXPECT_LT((plan.sweeps - 1) * plan.steps, 50);
        // No other number of steps would send less.
        const auto sent = plan.sweeps * (plan.slabs.count() * 2 * plan.slabs.halo + 200);
        for (std::int64_t steps = 1; 2 * steps < most && steps <= 50; ++steps) {
            const auto slabs = (100 + most - 2 * steps - 1) / (most - 2 * steps), sweeps = (50 + steps - 1) / steps;
            EXPECT_LE(sent, sweeps * (slabs * 2 * steps + 200)) << most << " slices, " << steps << " steps";
        }
    }
    EXPECT_THROW(planIteration(problem, problem.schedule(), stencil::slabBytes(problem, 3) - 1, "cpu"), Error);
}

TEST(StencilSlabs, StopBetweenTwoOfThem) {
    const StencilProblem problem(noise({16, 16, 12}, io::PixelType::f32), iterate("heat", 6));
    std::stop_source stop;
    StoppingDevice device(stop, 5);
    Resident none;
    StencilSlabs session(problem, {&device}, none, {{.depth = 12, .slices = 4, .halo = 2, .bytes = 0}, 2, 3});
    const Variant& variant = familyOf("stencil").variants().front();
    session.prepare(variant, resolve(variant, {}));
    try {
        session.pass(device);
        FAIL() << "ran to the end";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::cancelled);
    }
    EXPECT_EQ(device.uploads(), 5) << "in the middle of the second sweep";
}

TEST(StencilSlabs, AreSharedByAllDevicesOfTheList) {
    auto parameters = iterate("heat", 5);
    parameters["residual-every"] = std::int64_t{2};
    const StencilProblem problem(noise({12, 9, 9}, io::PixelType::f32), parameters);
    const Variant& variant = variantOf(familyOf("stencil"), "naive");
    std::stop_source never;
    StoppingDevice first(never, 0), second(never, 0), third(never, 0);
    Resident whole, none;
    const auto expected = runOnce(*problem.open(first, whole), first, variant);
    const IterationPlan plan{{.depth = 9, .slices = 2, .halo = 2, .bytes = 0}, 2, 3};
    StencilSlabs slabs(problem, {&second, &third}, none, plan);
    const auto got = runOnce(slabs, first, variant);
    EXPECT_EQ(std::memcmp(expected.picture->data(), got.picture->data(), got.picture->bytes()), 0);
    const auto residuals = [](const Result& result) {
        std::vector<double> values;
        const auto evolution = evolutionOf(result.tables);
        for (const auto& point : evolution->residuals) values.push_back(point.value);
        return values;
    };
    EXPECT_EQ(residuals(expected), residuals(got));
    for (const StoppingDevice* device : {&second, &third})
        EXPECT_GE(device->uploads(), 2 * 3) << "a slab of every sweep, of which there are three in each pass";
    EXPECT_EQ(second.uploads() + third.uploads(), 2 * 3 * 5);
}

INSTANTIATE_TEST_SUITE_P(Stencil, StencilSlabsOnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
