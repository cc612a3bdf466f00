// SPDX-License-Identifier: Apache-2.0
// Stencil slabs on several devices, and those that their devices keep: the bits of one device, whatever the cut.
#include "gpu/core/error.hpp"
#include "gpu/families/stencil/tests/slab_case.hpp"
#include "tests/gpu/paced_device.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/sanitized.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::testing {
namespace {

using stencil::StencilProblem;
using stencil::StencilSlabs;
using warplens::testing::skippedUnderSanitizer;

/// Five, which run at the same time and not on all cores each.
std::vector<std::unique_ptr<Device>> devicesOfAThread() {
    std::vector<std::unique_ptr<Device>> devices;
    for (int i = 0; i < 5; ++i) devices.emplace_back(openDevice("cpu"))->setScheduling({.workers = 1});
    return devices;
}

TEST(KeptSlabs, SeveralDevicesAtOnceMakeTheBitsOfOne) {
    const auto opened = devicesOfAThread();
    const auto expectSameOver = [&](const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters) {
        const StencilProblem problem(input, parameters);
        for (const std::string id : {"naive", "fused"}) {
            const Variant& variant = variantOf(familyOf("stencil"), id);
            if (!problem.refusal(variant, resolve(variant, {}), opened.front()->info()).empty()) continue;
            Resident whole;
            const auto expected = runOnce(*problem.open(*opened.front(), whole), *opened.front(), variant);
            for (std::size_t count = 1; count <= opened.size(); ++count) {
                std::vector<Device*> devices;
                for (std::size_t i = 0; i < count; ++i) devices.push_back(opened[i].get());
                Resident none;
                const auto session = problem.openOver(devices, none, HaloExchangeMode::overlapped);
                const auto got = runOnce(*session, *opened.front(), variant);
                ASSERT_EQ(std::memcmp(expected.picture->data(), got.picture->data(), got.picture->bytes()), 0)
                    << id << ": " << session->plan();
                const auto theirs = evolutionOf(expected.tables), ours = evolutionOf(got.tables);
                ASSERT_EQ(ours->stopped, theirs->stopped);
                ASSERT_EQ(ours->residuals.size(), theirs->residuals.size());
                for (std::size_t i = 0; i < ours->residuals.size(); ++i)
                    ASSERT_EQ(ours->residuals[i].value, theirs->residuals[i].value) << session->plan();
            }
        }
    };
    for (const std::int64_t depth : {3, 7, 13}) {
        auto parameters = iterate("heat", 5);
        expectSameOver(noise({9, 8, depth, depth == 7 ? 4 : 1}, io::PixelType::u8), parameters);
        parameters["regions"] = std::string("100 at z=0; -3 at x=2..4 y=3 z=1");
        parameters["residual-every"] = std::int64_t{2};
        expectSameOver(noise({9, 8, depth}, io::PixelType::f32), parameters);
    }
    expectSameOver(noise({13, 11}, io::PixelType::f32), iterate("smoothing", 6));  // rows of a picture
    expectSameOver(noise({9, 8, 5}, io::PixelType::f32), iterate("heat", 0));
}

/// Slabs that stay on their devices, for every way of the halos, number of devices and steps between two exchanges that
/// the slabs allow.
TEST(KeptSlabs, GiveEachOtherTheirHalos) {
    const auto opened = devicesOfAThread();
    std::vector<Device*> devices;
    for (const auto& device : opened) devices.push_back(device.get());
    const auto expectSameHowever = [&](const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                                       const std::string& id) {
        const StencilProblem problem(input, parameters);
        const Variant& variant = variantOf(familyOf("stencil"), id);
        Resident whole;
        const auto expected = runOnce(*problem.open(*devices.front(), whole), *devices.front(), variant);
        const std::int64_t depth = stencil::linesOf(problem.extent());
        for (const std::int64_t count : {2, 3, 5}) {
            auto plan = stencil::planStay(problem, 1 << 30, count);
            ASSERT_TRUE(plan);
            const auto& slabs = plan->slabs;
            const auto least = depth - (slabs.count() - 1) * slabs.slices;
            for (std::int64_t steps = 1; steps <= std::min<std::int64_t>(least, 3); ++steps) {
                for (const auto way : {HaloExchange::Way::host, HaloExchange::Way::peer, HaloExchange::Way::overlapped,
                                       HaloExchange::Way::graph}) {
                    if (skippedUnderSanitizer(static_cast<int>(depth + count + steps) + static_cast<int>(way)))
                        continue;
                    if (id != "naive" && !HaloExchange::overlaps(way)) continue;  // the same for all of them
                    plan->steps = plan->slabs.halo = steps;
                    Resident none;
                    StencilSlabs session(problem, devices, none, *plan, way);
                    const auto got = runOnce(session, *devices.front(), variant);
                    ASSERT_EQ(std::memcmp(expected.picture->data(), got.picture->data(), got.picture->bytes()), 0)
                        << id << ": " << session.plan();
                    const auto theirs = evolutionOf(expected.tables), ours = evolutionOf(got.tables);
                    ASSERT_EQ(ours->stopped, theirs->stopped);
                    ASSERT_EQ(ours->iterations, theirs->iterations);
                    ASSERT_EQ(ours->residuals.size(), theirs->residuals.size());
                    for (std::size_t i = 0; i < ours->residuals.size(); ++i)
                        ASSERT_EQ(ours->residuals[i].value, theirs->residuals[i].value) << session.plan();
                }
            }
        }
    };
    for (const std::int64_t depth : {2, 7, 13, 20}) {
        for (const std::string id : {"naive", "fused"})
            expectSameHowever(noise({9, 8, depth, depth == 7 ? 4 : 1}, io::PixelType::u8), iterate("heat", 7), id);
        if (depth == 13) {
            expectSameHowever(noise({9, 8, 13}, io::PixelType::u8), iterate("heat", 3), "marching");
            expectSameHowever(noise({9, 8, 13}, io::PixelType::u8), iterate("weights27", 3), "marching");
            expectSameHowever(noise({9, 8, 13}, io::PixelType::u8), iterate("heat", 3), "tiled");  // all at once
        }
        auto parameters = iterate("jacobi", 7);
        parameters["regions"] = std::string("100 at z=0; -3 at x=2..4 y=3 z=1");
        parameters["residual-every"] = std::int64_t{depth == 13 ? 1 : 3};
        parameters["tolerance"] = depth == 20 ? 30.0 : 0.0;
        expectSameHowever(noise({9, 8, depth}, io::PixelType::f32), parameters, "naive");
    }
    expectSameHowever(noise({13, 11}, io::PixelType::f32), iterate("smoothing", 6), "naive");  // rows of a picture
    expectSameHowever(noise({9, 8, 5}, io::PixelType::f32), iterate("heat", 0), "naive");
}

TEST(KeptSlabs, TellWhatTheyExchanged) {
    const auto one = openDevice("cpu"), two = openDevice("cpu"), three = openDevice("cpu");
    for (Device* device : {one.get(), two.get(), three.get()}) device->setScheduling({.workers = 1});
    const StencilProblem problem(noise({16, 8, 64, 2}, io::PixelType::f32), iterate("heat", 10));
    const auto plan = stencil::planStay(problem, 1 << 30, 2);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->steps, 2) << "a sixteenth of a slab";
    EXPECT_EQ(plan->slabs.halo, 2);
    EXPECT_FALSE(stencil::planStay(problem, plan->slabs.bytes - 1, 2)) << "too little memory";
    EXPECT_TRUE(stencil::planStay(problem, plan->slabs.bytes, 2));
    Resident none;
    const Variant& variant = variantOf(familyOf("stencil"), "naive");
    StencilSlabs session(problem, {one.get(), two.get(), three.get()}, none, *plan);
    runOnce(session, *one, variant);
    // A sweep of each step; a face is a slice of 16 x 8 x 2 floats, 1,024 bytes, and goes both ways.
    EXPECT_NE(session.plan().find("halo 1, "), std::string::npos) << session.plan();
    EXPECT_NE(session.plan().find("10 sweeps of up to 1 step, 9 exchanges of halos by peer copies behind the interior, "
                                  "faces first, 0.0184 MB, exposed "),
              std::string::npos)
        << session.plan();
    const Variant& whole = variantOf(familyOf("stencil"), "tiled");
    runOnce(session, *one, whole);
    // Five sweeps of two steps; a face is 2 slices, 2,048 bytes.
    EXPECT_NE(session.plan().find("5 sweeps of up to 2 steps, 4 exchanges of halos by peer copies (tiled takes all "
                                  "slices at once), 0.0164 MB, exposed "),
              std::string::npos)
        << session.plan();
    runOnce(session, *one, variant);
    EXPECT_NE(session.plan().find("each keeps its slab: cpu slices 0 to 31, cpu slices 32 to 63, cpu none"),
              std::string::npos)
        << session.plan();
    EXPECT_EQ(session.slabs(), (SlabMap{.axis = 2,
                                        .lines = 64,
                                        .each = 32,
                                        .halo = 1,
                                        .devices = {"cpu", "cpu", "cpu"},
                                        .held = {{0, 0, 32}, {1, 32, 32}}}));
    const auto low = openDevice("cpu"), high = openDevice("cpu");
    for (Device* device : {low.get(), high.get()}) device->setMemoryLimit(plan->slabs.bytes);  // it suffices
    {
        StencilSlabs hosted(problem, {low.get(), high.get()}, none, *plan, HaloExchange::Way::host);
        runOnce(hosted, *one, variant);
        EXPECT_NE(hosted.plan().find("4 exchanges of halos through the host (as asked for), 0.0164 MB"),
                  std::string::npos)
            << hosted.plan();
    }
    {
        StencilSlabs asked(problem, {low.get(), high.get()}, none, *plan, HaloExchange::Way::peer);
        runOnce(asked, *one, variant);
        EXPECT_NE(asked.plan().find("4 exchanges of halos by peer copies (as asked for), "), std::string::npos)
            << asked.plan();
    }
    std::stop_source never;
    StoppingDevice without(never, 0);  // a device that has no peer copies
    StencilSlabs fallen(problem, {one.get(), &without}, none, *plan);
    runOnce(fallen, *one, variant);
    EXPECT_NE(fallen.plan().find("through the host (cpu has no peer copies)"), std::string::npos) << fallen.plan();
    Resident nothing;
    const auto planned = [&](std::int64_t limit) {
        for (Device* device : {low.get(), high.get()}) device->setMemoryLimit(limit);
        return problem.openOver({low.get(), high.get()}, nothing, HaloExchangeMode::overlapped)->plan();
    };
    EXPECT_NE(planned(0).find("each keeps its slab"), std::string::npos);
    EXPECT_NE(planned(plan->slabs.bytes / 2).find("each takes the next slab"), std::string::npos) << "does not fit";
    // Where slices do not reach into each other there is nothing to exchange.
    auto parameters = iterate("heat", 4);
    parameters["dimensions"] = std::string("2");
    const StencilProblem flat(noise({8, 8, 6}, io::PixelType::f32), parameters);
    const auto alone = stencil::planStay(flat, 1 << 30, 3);
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->slabs.halo, 0);
    EXPECT_EQ(alone->sweeps, 1);
}

TEST(KeptSlabs, SharesAreInProportionToSpeed) {
    const std::vector<std::int64_t> plenty{1000, 1000, 1000};
    EXPECT_EQ(sharesOf(90, {1, 1, 1}, plenty), (std::vector<std::int64_t>{30, 30, 30}));
    EXPECT_EQ(sharesOf(100, {1, 3, 1}, plenty), (std::vector<std::int64_t>{20, 60, 20}));
    EXPECT_EQ(sharesOf(100, {1, 1000, 1}, plenty), (std::vector<std::int64_t>{1, 98, 1})) << "at least one";
    EXPECT_EQ(sharesOf(100, {1, 3, 1}, {1000, 40, 1000}), (std::vector<std::int64_t>{30, 40, 30})) << "that fit";
    EXPECT_TRUE(sharesOf(100, {1, 3, 1}, {30, 30, 30}).empty());
    EXPECT_TRUE(sharesOf(2, {1, 3, 1}, plenty).empty());

    const StencilProblem problem(noise({16, 8, 100}, io::PixelType::f32), iterate("heat", 10));
    const auto plan = stencil::planStay(problem, {1 << 30, 1 << 30}, {3, 1});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->slabs.shares, (std::vector<std::int64_t>{75, 25}));
    EXPECT_EQ(plan->slabs.halo, 1) << "a sixteenth of the smallest slab";
    EXPECT_NE(plan->sentence().find("2 slabs of 25 to 75 slices, halo 1"), std::string::npos) << plan->sentence();
    const auto less = stencil::planStay(problem, {plan->slabs.bytes - 1, 1 << 30}, {3, 1});
    ASSERT_TRUE(less);
    EXPECT_EQ(less->slabs.shares, (std::vector<std::int64_t>{74, 26})) << "what does not fit goes to the other";
    EXPECT_FALSE(stencil::planStay(problem, {plan->slabs.bytes / 2, plan->slabs.bytes / 3}, {3, 1}));
}

TEST(KeptSlabs, ASlowerDeviceKeepsASmallerSlab) {
    std::stop_source never;
    PacedDevice fast(never, 2), slow(never, 8);
    fast.setScheduling({.workers = 1});
    slow.setScheduling({.workers = 1});
    const auto input = noise({64, 32, 60}, io::PixelType::f32);
    for (const std::string residual : {"0", "3"}) {
        auto parameters = iterate("heat", 5);
        parameters["residual-every"] = std::int64_t{std::stoi(residual)};
        const StencilProblem problem(input, parameters);
        const Variant& variant = variantOf(familyOf("stencil"), "naive");
        Resident whole, none;
        const auto expected = runOnce(*problem.open(fast, whole), fast, variant);
        const auto session = problem.openOver({&fast, &slow}, none, HaloExchangeMode::overlapped);
        const auto got = runOnce(*session, fast, variant);
        EXPECT_EQ(std::memcmp(expected.picture->data(), got.picture->data(), got.picture->bytes()), 0);
        EXPECT_NE(session->plan().find("each keeps its slab: cpu slices 0 to "), std::string::npos) << session->plan();
        const auto map = session->slabs();
        ASSERT_EQ(map->held.size(), 2U);
        EXPECT_EQ(map->held[0].lines + map->held[1].lines, 60);
        EXPECT_EQ(map->held[0].lines, 48) << session->plan();
        EXPECT_EQ(map->each, map->held[0].lines);
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
