// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

namespace warplens::gpu {

namespace {

using Stop = const std::stop_token&;

/// What happened, from any thread; waits for it, and gives up rather than hang.
class Happened {
public:
    void add() {
        const std::lock_guard lock(m_mutex);
        ++m_count;
        m_changed.notify_all();
    }
    bool reaches(int count) {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, std::chrono::seconds(30), [&] { return m_count >= count; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    int m_count = 0;
};

/// How many are at something at once, at most.
class AtOnce {
public:
    void enter() {
        const int now = ++m_now;
        for (int most = m_most; most < now && !m_most.compare_exchange_weak(most, now);) {
        }
    }
    void leave() { --m_now; }
    int most() const { return m_most; }

private:
    std::atomic<int> m_now = 0, m_most = 0;
};

/// The items that were delivered, and which of them had failed.
struct Delivered {
    std::vector<std::size_t> order{};
    std::set<std::size_t> failed{};

    auto taking() {
        return [this](std::size_t item, const std::exception_ptr& failure) {
            order.push_back(item);
            if (failure) failed.insert(item);
        };
    }
};

std::vector<std::size_t> upTo(std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace

TEST(Pipeline, everyItemGoesThroughEveryStageAndComesOutInOrder) {
    constexpr std::size_t kItems = 40;
    std::vector<int> reached(kItems, 0);
    std::vector<std::size_t> alone;
    const std::vector<PipelineStage> stages{
        {"first", 3, [&](std::size_t item, int, Stop) { reached[item] = reached[item] == 0 ? 1 : -100; }},
        {"alone", 1,
         [&](std::size_t item, int, Stop) {
             alone.push_back(item);
             reached[item] = reached[item] == 1 ? 2 : -100;
         }},
        {"last", 2, [&](std::size_t item, int, Stop) { reached[item] = reached[item] == 2 ? 3 : -100; }}};
    Delivered delivered;
    const PipelineRun run = runPipeline(kItems, stages, {.items = 7}, delivered.taking());
    EXPECT_EQ(delivered.order, upTo(kItems));
    EXPECT_EQ(alone, upTo(kItems));  // one worker takes them in their order
    EXPECT_EQ(reached, std::vector<int>(kItems, 3));
    EXPECT_EQ(run.delivered, kItems);

    // Every stage of every item once, and a worker does one thing at a time.
    std::set<std::pair<std::size_t, std::size_t>> done;
    std::map<std::pair<std::size_t, int>, PipelineClock::time_point> busyUntil;
    for (const WorkInterval& work : run.intervals) {
        EXPECT_TRUE(done.emplace(work.item, work.stage).second);
        ASSERT_LT(work.worker, stages[work.stage].workers);
        auto& until = busyUntil[{work.stage, work.worker}];
        EXPECT_LE(until, work.begin);
        EXPECT_LE(work.begin, work.end);
        EXPECT_LE(run.begin, work.begin);
        EXPECT_LE(work.end, run.end);
        until = work.end;
    }
    EXPECT_EQ(done.size(), kItems * stages.size());
}

TEST(Pipeline, aWorkerKnowsWhichOneItIs) {
    std::vector<int> by(30, -1);
    const std::vector<PipelineStage> stages{
        {"several", 4, [&](std::size_t item, int worker, Stop) { by[item] = worker; }},
        {"one", 1, [&](std::size_t, int worker, Stop) { EXPECT_EQ(worker, 0); }}};
    const PipelineRun run = runPipeline(by.size(), stages, {.items = 8}, [](std::size_t, const std::exception_ptr&) {});
    for (const WorkInterval& work : run.intervals) {
        if (work.stage > 0) continue;
        EXPECT_EQ(work.worker, by[work.item]);
    }
}

TEST(Pipeline, aStageHasAsManyWorkersAsItWasGiven) {
    Happened inside;
    AtOnce wide, narrow;
    const std::vector<PipelineStage> stages{{"wide", 3,
                                             [&](std::size_t, int, Stop) {
                                                 wide.enter();
                                                 inside.add();
                                                 EXPECT_TRUE(inside.reaches(3));
                                                 wide.leave();
                                             }},
                                            {"narrow", 1, [&](std::size_t, int, Stop) {
                                                 narrow.enter();
                                                 std::this_thread::yield();
                                                 narrow.leave();
                                             }}};
    const PipelineRun run = runPipeline(20, stages, {.items = 10}, [](std::size_t, const std::exception_ptr&) {});
    std::set<int> workers;
    for (const WorkInterval& work : run.intervals)
        if (work.stage == 0) workers.insert(work.worker);
    EXPECT_EQ(workers, (std::set<int>{0, 1, 2}));
    EXPECT_EQ(wide.most(), 3);
    EXPECT_EQ(narrow.most(), 1);
}

/// The first item waits in its stage until as many are in flight as may be.
TEST(Pipeline, noMoreItemsAreInFlightThanMayBe) {
    const auto mostInFlight = [](PipelineBounds bounds, int expected) {
        AtOnce inFlight;
        Happened begun;
        const std::vector<PipelineStage> stages{{"begin", 2,
                                                 [&](std::size_t item, int, Stop) {
                                                     inFlight.enter();
                                                     begun.add();
                                                     EXPECT_TRUE(item > 0 || begun.reaches(expected));
                                                 }},
                                                {"end", 1, [](std::size_t, int, Stop) {}}};
        runPipeline(30, stages, bounds, [&](std::size_t, const std::exception_ptr&) { inFlight.leave(); });
        return inFlight.most();
    };
    EXPECT_EQ(mostInFlight({.items = 4}, 4), 4);
    EXPECT_EQ(mostInFlight({.items = 1}, 1), 1);
    const auto ten = [](std::size_t) { return std::int64_t{10}; };
    EXPECT_EQ(mostInFlight({.items = 9, .bytes = 35, .weight = ten}, 3), 3);
    EXPECT_EQ(mostInFlight({.items = 9, .bytes = 5, .weight = ten}, 1), 1) << "a single one may be larger";
}

/// It holds what it holds until its turn to be delivered comes.
TEST(Pipeline, whatFailedWeighsUntilItIsDelivered) {
    AtOnce inFlight;
    Happened begun;
    const std::vector<PipelineStage> stages{{"begin", 2, [&](std::size_t item, int, Stop) {
                                                 inFlight.enter();
                                                 begun.add();
                                                 if (item > 0) throw std::runtime_error("bad");
                                                 EXPECT_TRUE(begun.reaches(2));
                                                 // Time for those that there is no room for.
                                                 for (int i = 0; i < 2000; ++i) std::this_thread::yield();
                                             }}};
    runPipeline(8, stages, {.items = 9, .bytes = 25, .weight = [](std::size_t) { return std::int64_t{10}; }},
                [&](std::size_t, const std::exception_ptr&) { inFlight.leave(); });
    EXPECT_EQ(inFlight.most(), 2);
}

TEST(Pipeline, whatFailsInAnyStageCostsItselfAlone) {
    std::atomic<int> last = 0;
    const auto failing = [](std::size_t bad) {
        return [bad](std::size_t item, int, Stop) {
            if (item == bad) throw std::runtime_error("bad");
        };
    };
    const std::vector<PipelineStage> stages{
        {"a", 2, failing(2)}, {"b", 1, failing(3)}, {"c", 2, [&](std::size_t item, int, Stop) {
                                                         ++last;
                                                         if (item == 5) throw 7;
                                                     }}};
    Delivered delivered;
    EXPECT_EQ(runPipeline(9, stages, {.items = 3}, delivered.taking()).delivered, 9U);
    EXPECT_EQ(delivered.order, upTo(9));
    EXPECT_EQ(delivered.failed, (std::set<std::size_t>{2, 3, 5}));
    EXPECT_EQ(last, 7);
}

TEST(Pipeline, afterAStopNoStageTakesAnotherItem) {
    for (const std::size_t items : {1U, 12U}) {
        std::stop_source source;
        std::atomic<int> begunAfter = 0;
        Happened waiting;
        const std::size_t last = std::min<std::size_t>(items - 1, 4);
        const std::vector<PipelineStage> stages{{"waits", 2,
                                                 [&](std::size_t item, int, Stop stop) {
                                                     if (source.stop_requested()) ++begunAfter;
                                                     if (item <= last) return;
                                                     // As a codec's exchange: until it is asked to stop.
                                                     std::mutex mutex;
                                                     std::unique_lock lock(mutex);
                                                     std::condition_variable_any never;
                                                     waiting.add();
                                                     never.wait(lock, stop, [] { return false; });
                                                     throw std::runtime_error("stopped");
                                                 }},
                                                {"stops", 1,
                                                 [&](std::size_t item, int, Stop stop) {
                                                     if (item != last) return;
                                                     EXPECT_TRUE(items == 1 || waiting.reaches(2));
                                                     source.request_stop();
                                                     EXPECT_TRUE(stop.stop_requested());
                                                 }},
                                                {"never", 1, [&](std::size_t item, int, Stop) {
                                                     if (item >= last) ++begunAfter;
                                                 }}};
        Delivered delivered;
        const PipelineRun run = runPipeline(items, stages, {.items = 9}, delivered.taking(), source.get_token());
        EXPECT_LE(run.delivered, last);
        EXPECT_EQ(delivered.order, upTo(run.delivered));
        EXPECT_TRUE(delivered.failed.empty()) << "what the stop ended has not failed";
        EXPECT_EQ(begunAfter, 0);
    }
}

TEST(Pipeline, whatAStopEndsIsNotDeliveredAsFailed) {
    std::stop_source source;
    const std::vector<PipelineStage> stages{{"a", 1, [&](std::size_t, int, Stop) {
                                                 source.request_stop();
                                                 throw std::runtime_error("stopped");
                                             }}};
    for (const std::size_t items : {1U, 5U}) {
        Delivered delivered;
        EXPECT_EQ(runPipeline(items, stages, {}, delivered.taking(), source.get_token()).delivered, 0U);
        EXPECT_TRUE(delivered.order.empty());
        source = {};
    }
}

TEST(Pipeline, whatDeliveringThrowsEndsItAndIsPassedOn) {
    for (const std::size_t items : {1U, 20U}) {
        bool thrown = false;
        const auto deliver = [&](std::size_t, const std::exception_ptr&) {
            if (!std::exchange(thrown, true)) throw std::runtime_error("full");
        };
        EXPECT_THROW(runPipeline(items, {{"a", 2, [](std::size_t, int, Stop) {}}}, {.items = 3}, deliver),
                     std::runtime_error);
    }
}

TEST(Pipeline, oneItemStartsNoThreadAndNoneDoesNothing) {
    const auto here = std::this_thread::get_id();
    const std::vector<PipelineStage> stages{
        {"a", 4, [&](std::size_t, int, Stop) { EXPECT_EQ(std::this_thread::get_id(), here); }}};
    Delivered one, none;
    EXPECT_EQ(runPipeline(1, stages, {}, one.taking()).intervals.size(), 1U);
    EXPECT_EQ(one.order, upTo(1));
    EXPECT_EQ(runPipeline(0, stages, {}, none.taking()).delivered, 0U);
    EXPECT_TRUE(none.order.empty());
}

}  // namespace warplens::gpu
