// SPDX-License-Identifier: Apache-2.0
// Blocks that wait for others come to their end, and those that cannot are told of.
#include "gpu/core/error.hpp"
#include "gpu/device/device.hpp"
#include "gpu/kernels/builds.hpp"
#include "tests/gpu/device/publish_kernels.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace warplens::gpu::testing {

WARPLENS_DECLARE_BUILDS(PublishKernels publishKernels())

namespace {

constexpr int kThreads = 64;

class Publish : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        requireDevice(GetParam());
        if (IsSkipped()) return;
        m_device = openDevice(GetParam());
        const Builds<PublishKernels> builds WARPLENS_BUILDS(publishKernels);
        m_kernels = *builds.of(m_device->info());
    }
    unsigned* on(const Buffer& buffer) const {
        return static_cast<unsigned*>(m_device->context().address(buffer.handle()));
    }
    Buffer zeros(std::size_t words) const {
        Buffer buffer = m_device->allocate(words * sizeof(unsigned));
        m_device->fill(buffer, 0);
        return buffer;
    }
    std::vector<unsigned> back(const Buffer& buffer) const {
        std::vector<unsigned> values(buffer.bytes() / sizeof(unsigned));
        m_device->download(values.data(), buffer, buffer.bytes());
        m_device->synchronize();
        return values;
    }
    void expectSums(decltype(PublishKernels::chainedScan) scan, int blocks, const std::string& what) const {
        std::vector<unsigned> values(static_cast<std::size_t>(blocks * kThreads));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<unsigned>(i * 2654435761U >> 7);
        const Buffer in = zeros(values.size()), out = zeros(values.size());
        const Buffer words = zeros(2 * static_cast<std::size_t>(blocks) + 2);
        m_device->upload(in, values.data(), in.bytes());
        scan(m_device->context(), blocks, on(in), on(words), on(out));
        std::partial_sum(values.begin(), values.end(), values.begin());
        EXPECT_EQ(back(out), values) << what << ", " << blocks << " blocks";
    }
    /// Calls f for several numbers of workers and orders; once on a device that has no such choice.
    template <class F>
    void scheduled(F f) const {
        if (GetParam() != "cpu") return f("as the device likes");
        for (const int workers : {1, 2, 3, 8}) {
            for (const std::uint64_t seed : {0ULL, 1ULL, 77ULL}) {
                m_device->setScheduling({.workers = workers, .shuffleSeed = seed});
                f(std::to_string(workers) + " workers, seed " + std::to_string(seed));
            }
        }
    }

    std::unique_ptr<Device> m_device;
    PublishKernels m_kernels{};
};

TEST_P(Publish, ChainedScansEndWithEveryNumberOfWorkers) {
    scheduled([&](const std::string& what) {
        for (const int blocks : {1, 2, 33, 257}) expectSums(m_kernels.chainedScan, blocks, what);
    });
}

TEST_P(Publish, DecoupledLookBackEndsWithEveryNumberOfWorkers) {
    scheduled([&](const std::string& what) {
        for (const int blocks : {1, 2, 33, 257}) expectSums(m_kernels.lookBackScan, blocks, what);
    });
}

TEST_P(Publish, ALoopAroundALoadEndsAsWell) {
    scheduled([&](const std::string& what) { expectSums(m_kernels.spinningScan, 65, what); });
}

TEST_P(Publish, ABlockThatTakesItsTimeIsNoDeadlock) {
    scheduled([&](const std::string& what) { expectSums(m_kernels.slowScan, 9, what); });
}

TEST_P(Publish, ThreadsOfABlockMayWaitForEachOther) {
    scheduled([&](const std::string& what) {
        const Buffer words = zeros(5 * kThreads);
        m_kernels.withinBlock(m_device->context(), 5, on(words));
        const auto told = back(words);
        for (unsigned i = 0; i < told.size(); ++i) ASSERT_EQ(told[i], kThreads - i % kThreads) << what;
    });
}

TEST_P(Publish, AWarpThatVotesKeepsNobodyFromAnswering) {
    scheduled([&](const std::string& what) {
        const Buffer words = zeros(2 * 5);
        m_kernels.votesMeanwhile(m_device->context(), 5, on(words));
        EXPECT_EQ(back(words), std::vector<unsigned>(2 * 5, 1U)) << what;
    });
}

TEST_P(Publish, AWavefrontRuns) {
    scheduled([&](const std::string& what) {
        constexpr unsigned kSide = 9;
        const Buffer words = zeros(1 + 2 * kSide * kSide);
        m_kernels.wavefront(m_device->context(), kSide, on(words));
        const auto told = back(words);
        for (unsigned i = 0; i < kSide * kSide; ++i)
            ASSERT_EQ(told[1 + kSide * kSide + i], std::min(i % kSide, i / kSide) + 1) << what;
    });
}

INSTANTIATE_TEST_SUITE_P(Device, Publish, kDevices, nameOfDevice);

/// On the SIMT device alone: a GPU would hang.
class PublishNever : public Publish {
protected:
    Error failureOf(decltype(PublishKernels::waitsForNobody) kernel, int blocks, unsigned* words) const {
        try {
            kernel(m_device->context(), blocks, words);
        } catch (const Error& error) {
            return error;
        }
        return Error(Error::Kind::internal, "no error was reported");
    }
    Error failureOf(decltype(PublishKernels::waitsForNobody) kernel, int blocks) const {
        const Buffer words = zeros(static_cast<std::size_t>(blocks) + 2);
        return failureOf(kernel, blocks, on(words));
    }
    void expectDeadlock(decltype(PublishKernels::waitsForNobody) kernel, int workers, const std::string& who) const {
        for (const std::uint64_t seed : {0ULL, 5ULL}) {
            m_device->setScheduling({.workers = workers, .shuffleSeed = seed});
            const auto error = failureOf(kernel, 8);
            const std::string text = error.what();
            EXPECT_EQ(error.kind(), Error::Kind::deadlock) << text;
            EXPECT_NE(text.find(who), std::string::npos) << text;
            EXPECT_NE(text.find("publish_kernels.cuh:"), std::string::npos) << text;
            EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        }
        m_device->setScheduling({.workers = workers});
        expectSums(m_kernels.lookBackScan, 33, "after a deadlock");
    }
};

TEST_P(PublishNever, WaitingForNobodyIsTold) {
    for (const int workers : {1, 2, 3})
        expectDeadlock(m_kernels.waitsForNobody, workers, "in waitsForNobody, block (1, 0, 0): thread (5, 0, 0)");
}

TEST_P(PublishNever, WaitingInACircleIsTold) {
    expectDeadlock(m_kernels.waitsInACircle, 1, "in waitsInACircle, block (");
}

TEST_P(PublishNever, WaitingForABlockThatHasNoPlaceIsTold) {
    m_device->setScheduling({.workers = 1});
    const auto error = failureOf(m_kernels.waitsForLater, 3);
    EXPECT_EQ(error.kind(), Error::Kind::deadlock) << error.what();
    EXPECT_NE(std::string(error.what()).find("in waitsForLater, block (0, 0, 0): thread (0, 0, 0)"), std::string::npos)
        << error.what();
}

TEST_P(PublishNever, CanBeStopped) {
    // One block spins by itself, so that the other's wait is no deadlock for all that the device can know.
    for (const auto kernel : {m_kernels.spinsForNobody, m_kernels.votesForNobody, m_kernels.waitsBesideASpinner}) {
        for (const int workers : {1, 2, 3}) {
            m_device->setScheduling({.workers = workers});
            std::stop_source stop;
            m_device->setStop(stop.get_token());
            const Buffer words = zeros(4);
            unsigned* const there = on(words) + 1;
            std::jthread canceller([&] {
                // Once all that can run do, or after a while where a machine has no thread for them.
                const std::atomic_ref<unsigned> running(*there);
                for (int i = 0; i < 500 && running < std::min(2U, static_cast<unsigned>(workers)); ++i)
                    std::this_thread::sleep_for(std::chrono::milliseconds(2));
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
                stop.request_stop();
            });
            const auto error = failureOf(kernel, 2, on(words));
            EXPECT_EQ(error.kind(), Error::Kind::cancelled) << error.what();
            m_device->setStop({});
        }
    }
    expectSums(m_kernels.chainedScan, 33, "after it was stopped");
}

INSTANTIATE_TEST_SUITE_P(Device, PublishNever, ::testing::Values("cpu"), nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
