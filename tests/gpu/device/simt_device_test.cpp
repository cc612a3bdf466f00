// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/device.hpp"
#include "tests/gpu/device/simt_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>
#include <vector>

namespace warplens::gpu::testing {
namespace {

class SimtDeviceTest : public ::testing::Test {
protected:
    std::unique_ptr<Device> m_device = openDevice("cpu");
    std::vector<int> m_out = std::vector<int>(4096, -1);

    template <class F>
    Error failureOf(F launchIt) {
        try {
            launchIt();
        } catch (const Error& error) {
            return error;
        }
        ADD_FAILURE() << "no error was reported";
        return Error(Error::Kind::internal, "");
    }
};

TEST_F(SimtDeviceTest, RunsEveryThreadOnce) {
    for (const auto& [blocks, threads] : std::vector<std::pair<int, int>>{{1, 1}, {1, 1024}, {100, 33}, {5000, 256}}) {
        int counter = 0;
        launchEmpty(m_device->context(), blocks, threads, &counter);
        EXPECT_EQ(counter, blocks * threads);
    }
}

TEST_F(SimtDeviceTest, NumbersBlocksAndThreadsInThreeDimensions) {
    std::vector<unsigned> out(60 * 42, 0);
    launchCoordinates(m_device->context(), out.data());
    for (unsigned i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i / 42 * 1000 + i % 42);
}

TEST_F(SimtDeviceTest, EachDeviceFindsItsOwnConstants) {
    constexpr int kBlocks = 200;
    const auto write = [](Device& device, int value) {
        const std::array<int, 4> values{value, value, value, value};
        writeConstants(device.context(), values.data(), 4);
    };
    const auto expectSums = [](Device& device, int sum) {
        std::vector<int> out(kBlocks);
        launchSumOfConstants(device.context(), kBlocks, out.data());
        EXPECT_EQ(out, std::vector<int>(kBlocks, sum));
    };
    const auto other = openDevice("cpu");
    write(*m_device, 1);
    write(*other, 10);
    expectSums(*m_device, 4);
    expectSums(*other, 40);
    const int five = 5;
    writeConstants(m_device->context(), &five, 1);
    expectSums(*other, 40);
    expectSums(*m_device, 8);
    // At the same time.
    std::jthread beside([&] {
        for (int i = 1; i <= 50; ++i) {
            write(*other, i);
            expectSums(*other, 4 * i);
        }
    });
    for (int i = 1; i <= 50; ++i) {
        write(*m_device, -i);
        expectSums(*m_device, -4 * i);
    }
}

TEST_F(SimtDeviceTest, ReportsAnEarlyReturnBeforeABarrierWithBlockThreadAndLine) {
    const auto error = failureOf([&] { launchReturnsBeforeBarrier(m_device->context(), m_out.data()); });
    EXPECT_EQ(error.kind(), Error::Kind::divergentBarrier);
    const std::string text = error.what();
    EXPECT_NE(text.find("block (0, 0, 0)"), std::string::npos) << text;
    EXPECT_NE(text.find("thread (5, 0, 0) has returned"), std::string::npos) << text;
    EXPECT_NE(text.find("simt_kernels.cpp:"), std::string::npos) << text;
}

TEST_F(SimtDeviceTest, ReportsTwoBarriersWithBothLines) {
    const auto error = failureOf([&] { launchTwoBarriers(m_device->context(), m_out.data()); });
    EXPECT_EQ(error.kind(), Error::Kind::divergentBarrier);
    const std::string text = error.what();
    const auto first = text.find("simt_kernels.cpp:");
    EXPECT_NE(text.find("simt_kernels.cpp:", first + 1), std::string::npos) << text;
}

TEST_F(SimtDeviceTest, ReportsADeadlock) {
    const auto error = failureOf([&] { launchShuffleAgainstBarrier(m_device->context(), m_out.data()); });
    EXPECT_EQ(error.kind(), Error::Kind::deadlock);
    EXPECT_NE(std::string(error.what()).find("simt_kernels.cpp:"), std::string::npos) << error.what();
}

TEST_F(SimtDeviceTest, CanBeUsedAfterAnError) {
    for (int i = 0; i < 3; ++i) {
        failureOf([&] { launchReturnsBeforeBarrier(m_device->context(), m_out.data()); });
        launchReverse(m_device->context(), m_out.data(), true);
        for (int k = 0; k < 2048; ++k) ASSERT_EQ(m_out[static_cast<std::size_t>(k)], 255 - k % 256);
    }
}

TEST_F(SimtDeviceTest, ResultsDoNotDependOnWorkersOrOrder) {
    for (const int workers : {1, 2}) {
        for (const std::uint64_t seed : {0ULL, 1ULL, 99ULL}) {
            m_device->setScheduling({.workers = workers, .shuffleSeed = seed});
            std::fill(m_out.begin(), m_out.end(), -1);
            launchReverse(m_device->context(), m_out.data(), true);
            for (int k = 0; k < 2048; ++k)
                ASSERT_EQ(m_out[static_cast<std::size_t>(k)], 255 - k % 256) << workers << " " << seed;
        }
    }
}

TEST_F(SimtDeviceTest, ShuffledOrderExposesAMissingBarrier) {
    std::vector<std::vector<int>> results;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        m_device->setScheduling({.workers = 1, .shuffleSeed = seed});
        launchReverse(m_device->context(), m_out.data(), false);
        results.push_back(m_out);
    }
    EXPECT_NE(results[0], results[1]);
    EXPECT_NE(results[1], results[2]);
}

TEST_F(SimtDeviceTest, ShufflesAndVotes) {
    launchWarpSum(m_device->context(), m_out.data());
    for (int warp = 0; warp < 8; ++warp)
        EXPECT_EQ(m_out[static_cast<std::size_t>(warp)], warp % 2 == 0 ? 496 : 496 + 32 * 32);
    launchVotes(m_device->context(), m_out.data());
    for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(m_out[static_cast<std::size_t>(lane)], lane ^ 1);
}

TEST_F(SimtDeviceTest, MultipliesMatrices) {
    std::vector<float> a(16 * 16), b(16 * 8), c(16 * 8), d(16 * 8);
    // Small whole numbers are exact in bf16, and so are their sums in single precision.
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(static_cast<int>(i * 7 % 23) - 11);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(static_cast<int>(i * 5 % 17) - 8);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<float>(i * 1000);
    for (const bool f16 : {false, true}) {
        launchMatrixProduct(m_device->context(), f16, a.data(), b.data(), c.data(), d.data());
        for (std::size_t row = 0; row < 16; ++row) {
            for (std::size_t column = 0; column < 8; ++column) {
                float sum = c[row * 8 + column];
                for (std::size_t k = 0; k < 16; ++k) sum += a[row * 16 + k] * b[k * 8 + column];
                EXPECT_EQ(d[row * 8 + column], sum) << row << ", " << column << ", f16 " << f16;
            }
        }
    }
}

TEST_F(SimtDeviceTest, RoundsToBf16TiesToEven) {
    constexpr float kUlp = 0x1p-7F;  // of bf16 between 1 and 2
    const std::array<std::pair<float, float>, 8> values{{{1 + kUlp / 2, 1},
                                                         {1 + kUlp * 3 / 2, 1 + 2 * kUlp},
                                                         {1 + kUlp / 2 + 0x1p-23F, 1 + kUlp},
                                                         {1 + kUlp / 2 - 0x1p-23F, 1},
                                                         {-1 - kUlp * 3 / 2, -1 - 2 * kUlp},
                                                         {0x1p-130F, 0x1p-130F},
                                                         {3.38e38F, 0x1.fcp127F},
                                                         {2 - 0x1p-23F, 2}}};
    std::vector<float> a(16 * 16), b(16 * 8), c(16 * 8), d(16 * 8);
    for (std::size_t i = 0; i < 8; ++i) {
        a[i * 16 + i] = values[i].first;
        b[i * 8 + i] = 1;
    }
    launchMatrixProduct(m_device->context(), false, a.data(), b.data(), c.data(), d.data());
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(d[i * 8 + i], values[i].second) << values[i].first;
}

TEST_F(SimtDeviceTest, RoundsToF16TiesToEven) {
    for (unsigned bits = 0; bits < 0x7c00U; ++bits) {  // every finite f16, its neighbours' middle, and a hair beside it
        const float value = valuesOfF16(bits).x, next = bits + 1 < 0x7c00U ? valuesOfF16(bits + 1).x : 65536.0F;
        const float middle = (value + next) / 2;
        const unsigned even = bits + bits % 2;
        ASSERT_EQ(pairOfF16(value, -value), bits | (bits | 0x8000U) << 16) << bits;
        ASSERT_EQ(pairOfF16(middle, std::nextafter(middle, 0.0F)), even | bits << 16) << bits;
        ASSERT_EQ(pairOfF16(std::nextafter(middle, next), -middle), (bits + 1) | (even | 0x8000U) << 16) << bits;
        ASSERT_EQ(valuesOfF16(bits << 16 | bits | 0x8000U).x, -value) << bits;
        ASSERT_EQ(valuesOfF16(bits << 16).y, value) << bits;
    }
    // Independent of the above: a few by hand.
    EXPECT_EQ(valuesOfF16(0x3c00).x, 1.0F);
    EXPECT_EQ(valuesOfF16(0x0001).x, 0x1p-24F);
    EXPECT_EQ(valuesOfF16(0x7bff).x, 65504.0F);
    EXPECT_EQ(pairOfF16(1e30F, -1e30F), 0xfc007c00U);
    for (const unsigned byte : {0U, 1U, 127U, 255U}) {
        const Two lower = valuesOfF16(f16OfBytes(byte | (255 - byte) << 8 | 0x55550000U, false));
        const Two upper = valuesOfF16(f16OfBytes(byte << 16 | (255 - byte) << 24 | 0x5555U, true));
        EXPECT_EQ(lower.x, static_cast<float>(byte) * 0x1p-24F);
        EXPECT_EQ(lower.y, static_cast<float>(255 - byte) * 0x1p-24F);
        EXPECT_EQ(upper.x, lower.x);
        EXPECT_EQ(upper.y, lower.y);
    }
}

TEST_F(SimtDeviceTest, StopsBetweenBlocks) {
    std::stop_source stop;
    m_device->setStop(stop.get_token());
    stop.request_stop();
    int counter = 0;
    const auto error = failureOf([&] { launchEmpty(m_device->context(), 100000, 32, &counter); });
    EXPECT_EQ(error.kind(), Error::Kind::cancelled);
    EXPECT_LT(counter, 100000 * 32);
}

TEST_F(SimtDeviceTest, FillsAllOfABufferUnlessItIsStopped) {
    const std::size_t bytes = (std::size_t{2} << 24) + 5;  // several pieces, and a rest
    const Buffer buffer = m_device->allocate(bytes);
    std::vector<unsigned char> values(bytes);
    m_device->fill(buffer, 0x5a);
    m_device->download(values.data(), buffer, bytes);
    EXPECT_EQ(std::ranges::count(values, 0x5a), static_cast<std::ptrdiff_t>(bytes));
    std::stop_source stop;
    m_device->setStop(stop.get_token());
    stop.request_stop();
    EXPECT_EQ(failureOf([&] { m_device->fill(buffer, 0); }).kind(), Error::Kind::cancelled);
    m_device->setStop({});
    m_device->fill(buffer, 0);
}

TEST_F(SimtDeviceTest, CopiesAllOfABufferUnlessItIsStopped) {
    const std::size_t piece = std::size_t{1} << 24, bytes = piece + 5;
    const Buffer buffer = m_device->allocate(bytes);
    const std::vector<unsigned char> sent(bytes, 0x5a);
    std::vector<unsigned char> values(bytes);
    m_device->upload(buffer, sent.data(), bytes);
    m_device->download(values.data(), buffer, bytes);
    EXPECT_EQ(values, sent);
    std::stop_source stop;
    m_device->setStop(stop.get_token());
    stop.request_stop();
    std::ranges::fill(values, 0);
    EXPECT_EQ(failureOf([&] { m_device->download(values.data(), buffer, bytes); }).kind(), Error::Kind::cancelled);
    EXPECT_EQ(std::ranges::count(values, 0x5a), static_cast<std::ptrdiff_t>(piece)) << "no piece after the stop";
    EXPECT_EQ(failureOf([&] { m_device->upload(buffer, sent.data(), bytes); }).kind(), Error::Kind::cancelled);
    m_device->download(values.data(), buffer, piece);  // a piece is done whatever is asked
    m_device->setStop({});
}

TEST_F(SimtDeviceTest, RefusesImpossibleLaunches) {
    EXPECT_EQ(failureOf([&] { launchEmpty(m_device->context(), 1, 1025, nullptr); }).kind(), Error::Kind::argument);
    EXPECT_EQ(failureOf([&] { launchEmpty(m_device->context(), 0, 32, nullptr); }).kind(), Error::Kind::argument);
}

TEST_F(SimtDeviceTest, RefusesMoreMemoryThanTheMachineHas) {
    EXPECT_EQ(failureOf([&] { m_device->allocate(std::size_t{1} << 50); }).kind(), Error::Kind::outOfMemory);
}

}  // namespace
}  // namespace warplens::gpu::testing
