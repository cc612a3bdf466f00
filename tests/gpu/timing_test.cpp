// SPDX-License-Identifier: Apache-2.0
// How often a row is launched for its time, on a device whose clock is scripted.
#include "gpu/run/timing.hpp"

#include "tests/gpu/scripted_device.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace warplens::gpu::testing {
namespace {

class TimedOnAScript : public ::testing::Test {
protected:
    RunRecord run(const TimingPolicy& policy, bool loaded) {
        RunRecord record;
        record.tunables = resolve(m_variant, {});
        runKernelRow(m_device, *m_session, m_variant, policy, {}, record, loaded);
        return record;
    }

    const Variant& m_variant = variantOf(familyOf("convolution"), "naive");
    ScriptedDevice m_device;
    Script m_script;
    ScriptedProblem m_problem{m_script, {}};
    Resident m_resident;
    std::unique_ptr<Session> m_session = m_problem.open(m_device, m_resident);
};

TEST_F(TimedOnAScript, CodeIsLoadedOnceAndAPictureMoreTakesOneLaunch) {
    const auto launchesOf = [&](const TimingPolicy& policy, bool loaded) {
        const int before = m_script.launches["naive"];
        EXPECT_DOUBLE_EQ(run(policy, loaded).time->medianMs, m_script.otherwiseMs);
        return m_script.launches["naive"] - before;
    };
    EXPECT_EQ(launchesOf(TimingPolicy::once(), false), 2);
    EXPECT_EQ(launchesOf(TimingPolicy::once(), true), 1);
    const TimingPolicy several{.warmUps = 1, .minimumSamples = 3, .maximumSamples = 3};
    EXPECT_EQ(launchesOf(several, false), 5);
    EXPECT_EQ(launchesOf(several, true), 5) << "what is timed is warmed up in any case";
}

// As a stencil's steps are, from the second run of them on.
TEST_F(TimedOnAScript, WhatIsLaunchedAsAGraphTellsOfTheLaunchesBefore) {
    m_script.graphs = {"naive"};
    const RunRecord record = run({.warmUps = 1, .minimumSamples = 3, .maximumSamples = 3}, false);
    ASSERT_TRUE(record.launch);
    EXPECT_EQ(record.launch->kernels, 1);
}

}  // namespace
}  // namespace warplens::gpu::testing
