// SPDX-License-Identifier: Apache-2.0
// Queues beside a device's own: order within one, none between two but what is asked for, and their clock.
#include "gpu/device/lane.hpp"

#include "gpu/core/error.hpp"
#include "gpu/device/device.hpp"
#include "gpu/kernels/layout.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <future>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace warplens::gpu::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;

class LaneOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        requireDevice(GetParam());
        if (IsSkipped()) return;
        m_device = openDevice(GetParam());
        m_lanes = &overlappingOf(*m_device);
    }
    /// A kernel that makes floats of bytes.
    void widen(const Buffer& from, const Buffer& to, std::size_t count) {
        layoutEntry(m_device->info())
            .convert(m_device->context(), from.handle(), 0, io::PixelType::u8, to.handle(), 0, io::PixelType::f32,
                     count);
    }
    std::unique_ptr<Device> m_device;
    StreamDevice* m_lanes = nullptr;
};

TEST_P(LaneOnDevice, DoesThingsInTheirOrderAndWaitsForOthersWhereAsked) {
    constexpr std::size_t kCount = 100'000;
    constexpr int kRounds = 20;
    Device& device = *m_device;
    const Buffer bytes = device.allocate(kCount), floats = device.allocate(kCount * sizeof(float));
    const auto sent = m_lanes->pinned(kCount * kRounds), made = m_lanes->pinned(kCount * kRounds * sizeof(float));
    for (std::size_t i = 0; i < kCount * kRounds; ++i) sent.get()[i] = static_cast<std::byte>(i * 7 + i / kCount);
    {
        const auto up = m_lanes->createStream(), kernels = m_lanes->createStream(), down = m_lanes->createStream();
        std::shared_ptr<Moment> computed, downloaded;
        for (std::size_t round = 0; round < kRounds; ++round) {
            if (computed) up->after(computed);
            up->upload(bytes, 0, sent.get() + round * kCount, kCount);
            kernels->after(up->mark());
            if (downloaded) kernels->after(downloaded);
            kernels->run([&] { widen(bytes, floats, kCount); });
            computed = kernels->mark();
            down->after(computed);
            down->download(made.get() + round * kCount * sizeof(float), floats, 0, kCount * sizeof(float));
            downloaded = down->mark();
        }
        downloaded->wait();
    }
    const auto* got = reinterpret_cast<const float*>(made.get());
    for (std::size_t i = 0; i < kCount * kRounds; ++i)
        ASSERT_EQ(got[i], static_cast<float>(static_cast<std::uint8_t>(i * 7 + i / kCount))) << i;
}

TEST_P(LaneOnDevice, CopiesAPartOfABuffer) {
    const Buffer buffer = m_device->allocate(8);
    Bytes sent(8), made(3);
    std::iota(sent.begin(), sent.end(), std::uint8_t{1});
    const auto lane = m_lanes->createStream();
    lane->upload(buffer, 0, sent.data(), 8);
    lane->upload(buffer, 4, sent.data(), 2);
    lane->download(made.data(), buffer, 3, 3);
    lane->mark()->wait();
    EXPECT_EQ(made, (Bytes{4, 1, 2}));
}

TEST_P(LaneOnDevice, MomentsComeOneAfterTheOther) {
    const Buffer buffer = m_device->allocate(1 << 20);
    const auto host = m_lanes->pinned(1 << 20);
    const auto lane = m_lanes->createStream();
    const auto first = lane->mark();
    lane->upload(buffer, 0, host.get(), 1 << 20);
    const auto second = lane->mark();
    second->wait();
    EXPECT_GT(second->msSince(*first), 0);
    EXPECT_EQ(first->msSince(*first), 0);
}

TEST_P(LaneOnDevice, AGraphDoesAllOfItAgainEachTime) {
    const Buffer bytes = m_device->allocate(64), floats = m_device->allocate(64 * sizeof(float));
    const auto sent = m_lanes->pinned(64), made = m_lanes->pinned(64 * sizeof(float));
    const auto lane = m_lanes->createStream();
    const auto graph = lane->record([&] {
        lane->upload(bytes, 0, sent.get(), 64);
        lane->run([&] { widen(bytes, floats, 64); });
        lane->download(made.get(), floats, 0, 64 * sizeof(float));
    });
    for (const int value : {3, 250}) {
        std::fill_n(sent.get(), 64, static_cast<std::byte>(value));
        graph->launch();
        lane->mark()->wait();
        EXPECT_EQ(reinterpret_cast<const float*>(made.get())[63], static_cast<float>(value));
    }
}

TEST_P(LaneOnDevice, TellsOfAStop) {
    std::stop_source stop;
    m_device->setStop(stop.get_token());
    const Buffer buffer = m_device->allocate(8);
    const auto lane = m_lanes->createStream();
    stop.request_stop();
    const Bytes sent(8);
    try {
        lane->upload(buffer, 0, sent.data(), 8);
        FAIL() << "taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::cancelled);
    }
    m_device->setStop({});
}

TEST_P(LaneOnDevice, BuffersLieWithTheHostWhereAsked) {
    for (const Placement placement : {Placement::host, Placement::managed}) {
        m_lanes->setPlacement(placement, 64);
        const Buffer bytes = m_device->allocate(64), floats = m_device->allocate(64 * sizeof(float));
        const Buffer small = m_device->allocate(63);
        m_lanes->setPlacement(Placement::device);
        const Buffer away = m_device->allocate(64);
        ASSERT_NE(m_lanes->hostAddress(bytes), nullptr);
        if (m_device->info().discreteMemory()) {
            EXPECT_EQ(m_lanes->hostAddress(small), nullptr);
            EXPECT_EQ(m_lanes->hostAddress(away), nullptr);
        }
        std::fill_n(m_lanes->hostAddress(bytes), 64, std::byte{9});
        const auto lane = m_lanes->createStream();
        lane->run([&] { widen(bytes, floats, 64); });
        lane->mark()->wait();
        EXPECT_EQ(reinterpret_cast<const float*>(m_lanes->hostAddress(floats))[63], 9);
    }
}

TEST(Lane, AsksForABufferWhenItsTurnHasCome) {
    const auto device = openDevice("cpu");
    const Buffer first = device->allocate(1), second = device->allocate(1);
    device->fill(first, 1);
    device->fill(second, 2);
    const Buffer* result = &first;
    std::uint8_t made = 0;
    std::promise<void> given;
    const auto lane = overlappingOf(*device).createStream();
    lane->run([&, open = given.get_future().share()] {
        open.wait();
        result = &second;
    });
    lane->download(
        &made, [&]() -> const Buffer& { return *result; }, 0, 1);
    given.set_value();
    lane->mark()->wait();
    EXPECT_EQ(made, 2);
}

INSTANTIATE_TEST_SUITE_P(Device, LaneOnDevice, kDevices, nameOfDevice);

/// On the CPU it is certain when something is at work.
TEST(SimtLane, CopiesWhileAnotherOneComputes) {
    const auto device = openDevice("cpu");
    const Buffer buffer = device->allocate(1);
    StreamDevice& lanes = overlappingOf(*device);
    const auto first = lanes.createStream(), second = lanes.createStream();
    const std::byte sent{7};
    std::promise<void> copied;
    first->run([&] { copied.get_future().get(); });  // a kernel that ends after the copies of the other lane
    std::byte made{0};
    second->upload(buffer, 0, &sent, 1);
    second->download(&made, buffer, 0, 1);
    second->mark()->wait();
    EXPECT_EQ(made, sent);
    copied.set_value();
    first->mark()->wait();
}

TEST(SimtLane, DoesNothingBeforeTheMomentItIsToComeAfter) {
    const auto device = openDevice("cpu");
    StreamDevice& lanes = overlappingOf(*device);
    const auto first = lanes.createStream(), second = lanes.createStream();
    std::promise<void> open;
    std::atomic<int> order = 0;
    int early = 0, late = 0;
    const Buffer buffer = device->allocate(1);
    const std::byte sent{7};
    first->run([&] {
        open.get_future().get();
        early = ++order;
    });
    second->after(first->mark());
    second->run([&] { late = ++order; });
    second->upload(buffer, 0, &sent, 1);
    EXPECT_EQ(order, 0);
    open.set_value();
    second->mark()->wait();
    EXPECT_EQ(early, 1);
    EXPECT_EQ(late, 2);
}

TEST(SimtLane, TellsWhatWentWrongAndLeavesOutWhatFollows) {
    const auto device = openDevice("cpu");
    StreamDevice& lanes = overlappingOf(*device);
    const auto first = lanes.createStream(), second = lanes.createStream();
    bool followed = false;
    first->run([] { throw Error(Error::Kind::deadlock, "stuck"); });
    first->run([&] { followed = true; });
    const auto moment = first->mark();
    second->after(moment);
    second->run([&] { followed = true; });
    for (const auto& one : {moment, second->mark()}) {
        try {
            one->wait();
            FAIL() << "went well";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), Error::Kind::deadlock);
        }
    }
    EXPECT_FALSE(followed);
}

}  // namespace
}  // namespace warplens::gpu::testing
