// SPDX-License-Identifier: Apache-2.0
// Blocks that wait for others are traced: what they count does not depend on how long, and a flag is no race.
#include "gpu/trace/trace_device.hpp"
#include "tests/gpu/device/publish_kernels.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace warplens::gpu::testing {
inline namespace trace_build {
PublishKernels publishKernels();
}

namespace {

constexpr std::int64_t kThreads = 64, kWarps = 2;

class TraceOfWaiting : public ::testing::Test {
protected:
    unsigned* on(const Buffer& buffer) { return static_cast<unsigned*>(m_device.context().address(buffer.handle())); }
    Buffer zeros(std::int64_t words) {
        Buffer buffer = m_device.allocate(static_cast<std::size_t>(words) * sizeof(unsigned));
        m_device.fill(buffer, 0);
        return buffer;
    }
    std::vector<unsigned> back(const Buffer& buffer) {
        std::vector<unsigned> values(buffer.bytes() / sizeof(unsigned));
        m_device.download(values.data(), buffer, buffer.bytes());
        return values;
    }
    static std::string listed(const Counters& counters) {
        std::string text;
        for (const auto& finding : counters.findings) text += finding.check + ": " + finding.message + "\n";
        return text;
    }
    /// Of a scan of ones.
    Counters trace(decltype(PublishKernels::chainedScan) scan, int blocks, const trace::SamplePolicy& policy) {
        std::vector<unsigned> ones(static_cast<std::size_t>(blocks * kThreads), 1U);
        const Buffer in = zeros(blocks * kThreads), out = zeros(blocks * kThreads), words = zeros(2 * blocks + 2);
        m_device.upload(in, ones.data(), in.bytes());
        auto counters =
            m_device.trace([&] { scan(m_device.context(), blocks, on(in), on(words), on(out)); }, in, policy);
        EXPECT_EQ(listed(counters), "");
        if (policy.whole) {
            std::partial_sum(ones.begin(), ones.end(), ones.begin());
            EXPECT_EQ(back(out), ones);
        }
        return counters;
    }

    trace::TraceDevice m_device;
    PublishKernels m_kernels = trace_build::publishKernels();
};

TEST_F(TraceOfWaiting, AWaitIsOneLoadHoweverLong) {
    for (const std::int64_t blocks : {1, 2, 33, 100}) {
        const auto c = trace(m_kernels.chainedScan, static_cast<int>(blocks), {.whole = true});
        // Values a warp; flag and sum of the block before; each flag is one lane's.
        EXPECT_EQ(c.globalLoad.requests, blocks * kWarps + (blocks - 1) * 2);
        EXPECT_EQ(c.globalLoad.lanes, blocks * kThreads + (blocks - 1) * 2);
        EXPECT_EQ(c.globalStore.requests, blocks * kWarps + blocks * 2);
        EXPECT_EQ(c.globalAtomics.requests, blocks);
    }
}

TEST_F(TraceOfWaiting, PublishingIsNoRace) {
    for (const int blocks : {2, 33, 100}) {
        for (const auto scan : {m_kernels.lookBackScan, m_kernels.spinningScan}) trace(scan, blocks, {.whole = true});
    }
    trace(m_kernels.slowScan, 5, {.whole = true});
}

TEST_F(TraceOfWaiting, ASampleOfBlocksRunsAsAShorterScan) {
    const trace::SamplePolicy few{.words = 20'000};
    for (const auto scan : {m_kernels.chainedScan, m_kernels.lookBackScan}) {
        const auto c = trace(scan, 300, few);
        EXPECT_LT(c.tracedShare, 0.5);
    }
}

TEST_F(TraceOfWaiting, WhatAThirdBlockPassedOnIsNoRace) {
    constexpr unsigned kSide = 9;
    const Buffer words = zeros(1 + 2 * kSide * kSide);
    const auto c =
        m_device.trace([&] { m_kernels.wavefront(m_device.context(), kSide, on(words)); }, words, {.whole = true});
    EXPECT_EQ(listed(c), "");
    const auto told = back(words);
    for (unsigned i = 0; i < kSide * kSide; ++i)
        ASSERT_EQ(told[1 + kSide * kSide + i], std::min(i % kSide, i / kSide) + 1);
    // A flag to the left, one above, and the sum of the block between.
    EXPECT_EQ(c.globalLoad.requests, 2 * kSide * (kSide - 1) + (kSide - 1) * (kSide - 1));
}

}  // namespace
}  // namespace warplens::gpu::testing
