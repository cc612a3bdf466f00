// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/job_runner.hpp"

#include "gpu/core/error.hpp"
#include "io/error.hpp"

#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace warplens::gui {
namespace {

/// Works until it is asked to stop.
int untilStopped(const JobContext& context, std::atomic<int>& stopped) {
    while (!context.stop().stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++stopped;
    throw gpu::Error(gpu::Error::Kind::cancelled, "stopped");
}

TEST(JobRunner, DeliversOnTheCallingThread) {
    JobRunner runner;
    QObject receiver;
    std::thread::id worked, delivered;
    int value = 0;
    runner.start(
        &receiver,
        [&](const JobContext&) {
            worked = std::this_thread::get_id();
            return 7;
        },
        [&](JobResult<int> result) {
            delivered = std::this_thread::get_id();
            value = result.value();
        });
    EXPECT_TRUE(runner.busy());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.busy(); }));
    EXPECT_EQ(value, 7);
    EXPECT_NE(worked, delivered);
    EXPECT_EQ(delivered, std::this_thread::get_id());
}

TEST(JobRunner, NewestWins) {
    JobRunner runner;
    QObject receiver;
    std::atomic<int> stopped = 0, ran = 0;
    std::vector<int> delivered;
    runner.start(
        &receiver, [&](const JobContext& c) { return untilStopped(c, stopped); },
        [&](JobResult<int>) { delivered.push_back(-1); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return runner.busy(); }));
    QTest::qWait(20);  // the first one runs
    for (int i = 0; i < 20; ++i)
        runner.start(
            &receiver,
            [&ran, i](const JobContext&) {
                ++ran;
                return i;
            },
            [&](JobResult<int> result) { delivered.push_back(result.value()); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.busy(); }));
    QTest::qWait(20);
    EXPECT_EQ(stopped, 1);
    EXPECT_EQ(delivered, std::vector<int>{19});
    EXPECT_LT(ran, 20) << "queued requests that were replaced must not run";
}

TEST(JobRunner, CancelDeliversWhatTheJobMakesOfIt) {
    JobRunner runner;
    QObject receiver;
    std::atomic<int> stopped = 0;
    bool cancelled = false;
    runner.start(
        &receiver, [&](const JobContext& c) { return untilStopped(c, stopped); },
        [&](JobResult<int> result) { cancelled = result.cancelled(); });
    QTest::qWait(20);
    runner.cancel();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.busy(); }, 1000));
    EXPECT_TRUE(cancelled);
}

TEST(JobRunner, DiscardDeliversNothing) {
    JobRunner runner;
    QObject receiver;
    std::atomic<int> stopped = 0;
    bool delivered = false;
    runner.start(
        &receiver, [&](const JobContext& c) { return untilStopped(c, stopped); },
        [&](JobResult<int>) { delivered = true; });
    QTest::qWait(20);
    runner.discard();
    EXPECT_FALSE(runner.busy());
    ASSERT_TRUE(QTest::qWaitFor([&] { return stopped == 1; }, 1000));
    QTest::qWait(20);
    EXPECT_FALSE(delivered);
}

TEST(JobRunner, ADestroyedReceiverIsNotCalled) {
    JobRunner runner;
    auto receiver = std::make_unique<QObject>();
    std::atomic<bool> go = false;
    bool delivered = false;
    runner.start(
        receiver.get(),
        [&](const JobContext& context) {
            while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            context.deliver([&] { delivered = true; });
            return Done{};
        },
        [&](JobResult<Done>) { delivered = true; });
    receiver.reset();
    go = true;
    ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.busy(); }));
    EXPECT_FALSE(delivered);
}

TEST(JobRunner, GoesAwayWhileAJobRuns) {
    std::atomic<int> stopped = 0;
    QObject receiver;
    bool delivered = false;
    {
        JobRunner runner;
        runner.start(
            &receiver, [&](const JobContext& c) { return untilStopped(c, stopped); },
            [&](JobResult<int>) { delivered = true; });
        QTest::qWait(20);
    }
    EXPECT_EQ(stopped, 1);
    QTest::qWait(10);
    EXPECT_FALSE(delivered);
}

TEST(JobRunner, FailuresAreData) {
    JobRunner runner;
    QObject receiver;
    JobFailure failure;
    runner.start(
        &receiver, [](const JobContext&) -> int { throw io::Error(io::Error::Kind::unreadable, "a.png: truncated"); },
        [&](JobResult<int> result) { failure = result.failure(); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.busy(); }));
    EXPECT_EQ(failure.kind, JobFailure::Kind::file);
    EXPECT_EQ(failure.message, "a.png: truncated");
}

TEST(JobRunner, ProgressArrivesInOrderAndOnlyForTheNewest) {
    JobRunner runner;
    QObject receiver;
    QSignalSpy spy(&runner, &JobRunner::progress);
    runner.start(
        &receiver,
        [](const JobContext& context) {
            for (int i = 1; i <= 3; ++i) context.progress(i / 3.0, QString::number(i));
            return Done{};
        },
        [](JobResult<Done>) {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !runner.busy(); }));
    ASSERT_EQ(spy.size(), 3);
    EXPECT_EQ(spy.at(2).at(1).toString(), "3");
    EXPECT_DOUBLE_EQ(spy.at(2).at(0).toDouble(), 1.0);
}

}  // namespace
}  // namespace warplens::gui
