// SPDX-License-Identifier: Apache-2.0
// Devices that share pictures: what one of them measured the others know.
#include "gpu/run/device_team.hpp"

#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/run/auto_selector.hpp"
#include "tests/gpu/scripted_device.hpp"

#include <chrono>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace warplens::gpu::testing {
namespace {

/// Of two devices of one name the second one waits for the first one's race, and takes what that found.
TEST(DeviceTeam, DevicesOfOneNameRaceATaskOnce) {
    struct One {
        ScriptedDevice device;
        Script script;
        ScriptedProblem problem{script, {.kinds = {{"type", "f32"}}, .sizes = {{"filter", {5, 8}}}}};
        Resident resident;
        std::unique_ptr<Session> session = problem.open(device, resident);
        Choice choice;
    } first, second;
    AutoSelector shared;
    const TunableValues none;
    const auto measure = [&](One& one) {
        one.choice = shared.measured({familyOf("convolution"), one.problem, one.device.info(), none, "a", nullptr},
                                     one.device, {one.session.get()}, {}, {});
    };
    std::jthread beside;
    first.script.ms = {{"separable", 0.05}};
    first.script.also = [&](const std::string&, const TunableValues&, int) {
        if (beside.joinable()) return 0.0;
        beside = std::jthread([&] { measure(second); });
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // long enough for a race that does not wait
        return 0.0;
    };
    measure(first);
    beside.join();
    EXPECT_FALSE(first.script.launched.empty());
    EXPECT_TRUE(second.script.launched.empty());
    EXPECT_EQ(second.choice.why, first.choice.why);
    EXPECT_EQ(second.choice.source, Choice::Source::measured);
}

TEST(DeviceTeam, HasARunnerADeviceWhichWorkAtOnce) {
    DeviceTeam team({"cpu", "cpu", "cpu"}, 1);
    ASSERT_EQ(team.workers(), 3);
    EXPECT_EQ(team.places(), (std::vector<std::string>{"cpu", "cpu", "cpu"}));
    EXPECT_EQ(team.turns(0), nullptr);
    DeviceTeam pairs({"a", "b"}, 2);
    EXPECT_EQ(pairs.places(), (std::vector<std::string>{"a", "a", "b", "b"}));
    EXPECT_EQ(pairs.turns(2), pairs.turns(3));
    EXPECT_NE(pairs.turns(1), pairs.turns(2));
    EXPECT_EQ(pairs.row(1), 0);
    EXPECT_EQ(pairs.row(3), 2);
    EXPECT_TRUE(DeviceTeam({"a"}, 2).places().empty());
    std::vector<int> right(3);
    constexpr int kRuns = 5;
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < right.size(); ++i)
            threads.emplace_back([&, i] {
                // Each with a filter of its own, in the same constant memory of the program.
                auto request = requestFor(noise({33, 21}, io::PixelType::f32),
                                          {{"radius", static_cast<std::int64_t>(i + 1)}}, team.id(static_cast<int>(i)));
                request.variants = {"constant"};
                for (int run = 0; run < kRuns; ++run)
                    right[i] += team.runner(static_cast<int>(i)).run(request).runs.front().status == Status::ok ? 1 : 0;
            });
    }
    EXPECT_EQ(right, std::vector<int>(right.size(), kRuns));
}

}  // namespace
}  // namespace warplens::gpu::testing
