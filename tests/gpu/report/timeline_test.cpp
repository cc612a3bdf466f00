// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/timeline.hpp"

#include "gpu/core/error.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace warplens::gpu {

namespace {

/// Two decoders, each busy for 3 s of 10; computing is so for 8 s, and hides 4.5 of the 5.5 s in which any decodes.
Timeline sample() {
    return {.items = {"a.png", "b\xff.png", "c.png"},
            .bytes = {500'000'000, 0, 2'000'000'000},
            .stages = {{"decode", 2}, {"compute", 1}},
            .spans = {{0, 0, 0, 0, 1},
                      {1, 0, 1, 0.5, 3.5},
                      {2, 0, 0, 4, 6},
                      {0, 1, 0, 1, 3},
                      {1, 1, 0, 3.5, 7},
                      {2, 1, 0, 7, 9.5}},
            .parts = {},
            .seconds = 10,
            .done = 3};
}

}  // namespace

TEST(Timeline, namesTheCriticalStageAndWhatItDoesNotHide) {
    const auto shares = stageShares(sample());
    ASSERT_EQ(shares.size(), 2U);
    EXPECT_DOUBLE_EQ(shares[0].busySeconds, 6);
    EXPECT_DOUBLE_EQ(shares[0].share, 0.3);
    EXPECT_DOUBLE_EQ(shares[0].exposedSeconds, 1.5);  // 0 to 1 and 3 to 3.5
    EXPECT_DOUBLE_EQ(shares[1].share, 0.8);
    EXPECT_DOUBLE_EQ(shares[1].exposedSeconds, 0);
    EXPECT_EQ(criticalOf(shares), 1U);
    EXPECT_DOUBLE_EQ(shares[0].aloneRate, 1);  // three in 6 s, two at a time
    EXPECT_DOUBLE_EQ(shares[1].aloneRate, 3 / 8.0);
    using Times = std::vector<std::pair<double, double>>;
    EXPECT_EQ(idleTimes(sample(), 1), (Times{{0, 1}, {3, 3.5}, {9.5, 10}}));
    EXPECT_EQ(summaryOf(sample()),
              "0.300 pictures per second, 0.250 GB/s (measured): 3 in 10.0 s; critical stage: compute, 1 worker, busy "
              "80 % of the time; exposed: decode 1,500 ms");
}

TEST(Timeline, partsLieInTheirOrderWithinTheirStage) {
    RunRecord run;
    run.time = Timing{.medianMs = 100, .samples = 3};
    run.uploadMs = 200;
    run.layoutMs = 0;
    run.downloadMs = 500;
    const auto partsOf = [&](double begin, double end, bool toTheEnd) {
        Timeline timeline = sample();
        addParts(timeline, 1, run, begin, end, toTheEnd);
        std::vector<std::tuple<std::string, double, double>> parts;
        for (const auto& part : timeline.parts) EXPECT_EQ(part.modelled, part.name == "kernel") << "3 samples";
        for (const auto& part : timeline.parts)
            parts.emplace_back(part.name, std::round(part.begin * 1e6) / 1e6, std::round(part.end * 1e6) / 1e6);
        return parts;
    };
    using Parts = std::vector<std::tuple<std::string, double, double>>;
    EXPECT_EQ(partsOf(1, 3, true), (Parts{{"upload", 2, 2.2}, {"kernel", 2.2, 2.5}, {"download", 2.5, 3}}));
    EXPECT_EQ(partsOf(1, 3, false), (Parts{{"upload", 1, 1.2}, {"kernel", 1.2, 1.5}, {"download", 1.5, 2}}));
    EXPECT_EQ(partsOf(1, 1.4, true), (Parts{{"upload", 1, 1.2}, {"kernel", 1.2, 1.4}})) << "what does not fit is cut";
}

/// By what waits for what: the other thread comes on only where it may.
TEST(Timeline, threadsWithTurnsHaveAnEngineEachAtATime) {
    EngineLocks turns;
    std::promise<void> computing, moved;
    std::atomic<bool> left = false, met = true, entered = false;
    std::vector<StageLog::Span> other;
    std::thread beside([&] {
        StageLog log(&turns);
        computing.get_future().get();
        StageLog::during(StageLog::kUpload, [] {});
        StageLog::during(StageLog::kDownload, [] {});
        StageLog::during(StageLog::kVerify, [] {});
        moved.set_value();
        for (const char* stage : {StageLog::kKernel, StageLog::kLayout, StageLog::kHost})
            StageLog::during(stage, [&] { entered = left.load(); });
        other = log.take();
    });
    std::vector<StageLog::Span> heard;
    {
        StageLog log(&turns);
        const auto turn = StageLog::turn(StageLog::kKernel);
        StageLog::during(StageLog::kKernel, [&] {
            computing.set_value();
            met = moved.get_future().wait_for(std::chrono::seconds(60)) == std::future_status::ready;
        });
        heard = log.take();
        left = true;
    }
    beside.join();
    EXPECT_TRUE(met) << "copies go on beside a kernel";
    EXPECT_TRUE(entered) << "another kernel does not";
    ASSERT_EQ(heard.size(), 1U);
    ASSERT_EQ(other.size(), 6U);
    EXPECT_GE(other[3].begin, heard[0].end) << "its time does not count the waiting";
    StageLog none;
    EXPECT_FALSE(StageLog::turn(StageLog::kKernel).owns_lock()) << "alone nobody waits";
}

TEST(Timeline, momentsThatWereHeardAreDrawnWhereTheyWere) {
    const PipelineClock::time_point begin{};
    const auto at = [&](int ms) { return begin + std::chrono::milliseconds(ms); };
    const PipelineRun run{.delivered = 1, .intervals = {{0, 0, 0, at(10), at(90)}}, .begin = at(0), .end = at(100)};
    const std::vector<PipelineStage> stages{{"compute", 1, {}}};
    TimedRun timed{.run = {}, .begin = at(10), .end = at(90)};
    timed.moments = {{StageLog::kUpload, at(20), at(30)},
                     {StageLog::kKernel, at(50), at(55)},
                     {StageLog::kVerify, at(60), at(70)},
                     {StageLog::kDownload, at(80), at(90)}};
    TimedRun later{.run = {}, .begin = at(10), .end = at(90)};
    later.moments = {{StageLog::kUpload, at(5), at(6)}};
    const Timeline timeline = makeTimeline(run, stages, {{"a", true, 100, {timed}}, {"b", true, 100, {later}}});
    std::vector<std::tuple<std::string, double, double>> parts;
    for (const auto& part : timeline.parts) {
        EXPECT_FALSE(part.modelled);
        parts.emplace_back(part.name, part.begin, part.end);
    }
    using Parts = std::vector<std::tuple<std::string, double, double>>;
    EXPECT_EQ(
        parts,
        (Parts{{"upload", 0.005, 0.006}, {"upload", 0.02, 0.03}, {"kernel", 0.05, 0.055}, {"download", 0.08, 0.09}}))
        << "in the order of their begins, whichever item had its turn first";
}

/// What a thread does is heard by its own newest log alone, and drawn where it happened.
TEST(Timeline, rowsOfAComparisonAreDrawnAsTheyHappened) {
    using When = StageLog::Clock::time_point;
    StageLog log;
    EXPECT_EQ(StageLog::during(StageLog::kUpload, [] { return 7; }), 7);
    EXPECT_THROW(StageLog::during(StageLog::kKernel, []() -> int { throw 1; }), int);
    {
        StageLog newer;
        StageLog::during(StageLog::kVerify, [] {});
        EXPECT_EQ(newer.take().size(), 1U);
    }
    const auto heard = log.take();
    ASSERT_EQ(heard.size(), 2U);
    EXPECT_STREQ(heard[0].stage, "upload");
    EXPECT_LE(heard[0].end, heard[1].begin);
    EXPECT_TRUE(log.take().empty()) << "each is told once";
    const auto now = StageLog::Clock::now();
    StageLog::during(StageLog::kKernel, [&] {
        StageLog::tell(StageLog::kUpload, now, now);
        StageLog::tell(StageLog::kKernel, now, now);
    });
    StageLog::during(StageLog::kDownload, [] {});
    const auto told = log.take();
    ASSERT_EQ(told.size(), 3U) << "what was told in a stretch takes its place";
    EXPECT_STREQ(told[2].stage, "download");

    const When begin{};
    const auto at = [&](int ms) { return begin + std::chrono::milliseconds(ms); };
    const std::vector<RowMoments> rows{{"naive",
                                        {{StageLog::kUpload, at(10), at(30)},
                                         {StageLog::kKernel, at(40), at(50)},
                                         {StageLog::kKernel, at(50), at(60)},
                                         {StageLog::kDownload, at(70), at(75)}}},
                                       {"constant", {{StageLog::kKernel, at(80), at(90)}}}};
    const Timeline timeline = makeTimeline(rows, begin, at(100));
    ASSERT_EQ(timeline.stages.size(), 3U);
    EXPECT_EQ(timeline.stages[1].name, "kernel");
    ASSERT_EQ(timeline.spans.size(), 5U);
    EXPECT_DOUBLE_EQ(timeline.spans[3].begin, 0.08);
    EXPECT_EQ(timeline.spans[3].item, 1U);
    EXPECT_DOUBLE_EQ(timeline.seconds, 0.1);
    const auto shares = stageShares(timeline);
    EXPECT_EQ(shares[criticalOf(shares)].name, "kernel") << "30 of 100 ms, the upload 20";
    EXPECT_TRUE(makeTimeline({}, begin, at(1)).stages.empty());

    const std::string json = toChromeTrace(timeline);
    EXPECT_THAT(json, ::testing::HasSubstr("\"variants\":2"));
    EXPECT_THAT(json, ::testing::Not(::testing::HasSubstr("picture")));
    const auto read = fromChromeTrace(json, "t.json");
    ASSERT_EQ(read.size(), 1U);
    EXPECT_TRUE(read[0].timeline.variants);
    EXPECT_EQ(read[0].timeline.items, timeline.items);
    EXPECT_EQ(read[0].timeline.done, 2U);
    ASSERT_EQ(read[0].timeline.spans.size(), 5U);
    EXPECT_NEAR(read[0].timeline.spans[3].begin, 0.08, 1e-9);
}

TEST(Timeline, isTraceEventsWithATrackPerWorker) {
    Timeline timeline = sample();
    timeline.parts = {{0, "kernel", 1.5, 2}};
    const auto document = nlohmann::json::parse(toChromeTrace(timeline));
    std::map<int, std::string> tracks;
    std::map<std::string, std::vector<std::string>> events;
    for (const auto& event : document["traceEvents"]) {
        if (event["name"] == "thread_name") tracks[event["tid"]] = event["args"]["name"];
        if (event["ph"] == "X") events[tracks[event["tid"]]].push_back(event["name"]);
    }
    EXPECT_EQ(events,
              (std::map<std::string, std::vector<std::string>>{{"decode 1", {"a.png", "c.png"}},
                                                               {"decode 2", {"b\xef\xbf\xbd.png"}},
                                                               {"compute", {"a.png", "b\xef\xbf\xbd.png", "c.png"}},
                                                               {"compute: kernel", {"a.png"}}}));
    const auto& last = document["traceEvents"].back();
    EXPECT_EQ(last["args"]["origin"], "duration measured, place by its order");
    timeline.parts.front().modelled = true;
    const auto modelled = nlohmann::json::parse(toChromeTrace(timeline));
    EXPECT_EQ(modelled["traceEvents"].back()["args"]["origin"], "modelled: the median times the number of samples");
    EXPECT_EQ(last["ts"], 1.5e6);
    EXPECT_EQ(last["dur"], 0.5e6);
    EXPECT_EQ(document["otherData"]["critical_stage"], "compute");
    EXPECT_DOUBLE_EQ(document["otherData"]["stages"][0]["exposed_seconds"], 1.5);
}

TEST(Timeline, hasRowsPerDeviceWhereSeveralCompute) {
    Timeline timeline = sample();
    timeline.items[1] = "b.png";
    // The first one of three is idle, so that its row has no event.
    timeline.stages[1] = {"compute", 3, {"cuda:0", "cuda:2", "cuda:1"}};
    for (auto& span : timeline.spans)
        if (span.stage == 1) span.worker = span.item == 1 ? 2 : 1;
    timeline.parts = {
        {0, "kernel", 1.5, 2, false, 1}, {1, "kernel", 1.5, 2, false, 2}, {1, "upload", 1, 1.5, false, 2}};
    EXPECT_EQ(timeline.stages[1].nameOf(1), "compute 2, cuda:2");
    EXPECT_THAT(summaryOf(timeline), ::testing::EndsWith("; shared: cuda:0 0, cuda:2 2, cuda:1 1 pictures"));
    const std::string written = toChromeTrace(timeline);
    const auto document = nlohmann::json::parse(written);
    std::map<int, std::string> tracks;
    std::map<std::string, int> events;
    for (const auto& event : document["traceEvents"]) {
        if (event["name"] == "thread_name") tracks[event["tid"]] = event["args"]["name"];
        if (event["ph"] == "X") ++events[tracks[event["tid"]]];
    }
    EXPECT_EQ(events, (std::map<std::string, int>{{"decode 1", 2},
                                                  {"decode 2", 1},
                                                  {"compute 2, cuda:2", 2},
                                                  {"compute 3, cuda:1", 1},
                                                  {"compute 2, cuda:2: kernel", 1},
                                                  {"compute 3, cuda:1: kernel", 1},
                                                  {"compute 3, cuda:1: upload", 1}}));
    const auto read = fromChromeTrace(written, "t.json");
    EXPECT_EQ(toChromeTrace(read.front().timeline), written);
    EXPECT_EQ(read.front().timeline.stages[1].places, timeline.stages[1].places);
    timeline.stages[1].places = {"cuda:2", "cuda:2", "cuda:1"};
    EXPECT_THAT(summaryOf(timeline), ::testing::EndsWith("; shared: cuda:2 2, cuda:1 1 pictures"));
    timeline.stages[1].places = {"cpu", "cpu", "cpu"};
    EXPECT_THAT(summaryOf(timeline), ::testing::Not(::testing::HasSubstr("shared")));
}

TEST(Timeline, isReadBackAsItWasWritten) {
    Timeline timeline = sample();
    timeline.items[1] = "b.png";
    timeline.parts = {{0, "kernel", 1.5, 2, true}, {0, "download", 2, 3, false}};
    const std::string written = toChromeTrace(timeline);
    const auto all = fromChromeTrace(written, "t.json");
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.front().name, "");
    const Timeline& read = all.front().timeline;
    EXPECT_EQ(read.items, timeline.items);
    EXPECT_EQ(read.bytes, timeline.bytes);
    EXPECT_EQ(read.spans.size(), timeline.spans.size());
    EXPECT_EQ(summaryOf(read), summaryOf(timeline));
    EXPECT_EQ(toChromeTrace(read), written);

    // What another program wrote, or nobody should have, is one line.
    const auto refused = [](std::string json, const std::string& was, const std::string& is) {
        if (!was.empty()) json.replace(json.find(was), was.size(), is);
        try {
            fromChromeTrace(json, "t.json");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    using testing::StartsWith;
    for (const auto& [was, is] :
         std::vector<std::pair<std::string, std::string>>{{"\"traceEvents\"", "\"events\""},
                                                          {"\"picture\":1", "\"picture\":0"},
                                                          {"\"picture\":1", "\"picture\":99999999999"},
                                                          {"\"dur\":", "\"dur\":-"},
                                                          {"\"workers\":2", "\"workers\":1"},
                                                          {"\"workers\":2", "\"workers\":2000000000"},
                                                          {"\"worker\":2", "\"worker\":2000"},
                                                          {"\"worker\":1", "\"worker\":-1"},
                                                          {"\"workers\":2", "\"workers\":2,\"places\":[\"cpu\"]"},
                                                          {"\"pictures\":3", "\"pictures\":4"},
                                                          {"\"seconds\":", "\"seconds\":1e99,\"not\":"},
                                                          {"\"bytes\":", "\"bytes\":9000000000000000000,\"not\":"},
                                                          {"\"bytes\":", "\"bytes\":-"}})
        EXPECT_THAT(refused(written, was, is), StartsWith("t.json: no timeline that Warplens wrote: ")) << is;
    EXPECT_THAT(refused("[]", "", ""), StartsWith("t.json: no timeline"));
    EXPECT_THAT(refused("{", "", ""), StartsWith("t.json: no timeline"));
}

TEST(Timeline, severalStandBesideEachOtherAndAreReadBack) {
    Timeline other = sample();
    other.spans.resize(4);
    other.items[1] = "b.png";
    other.clock = "the device's events";
    Timeline first = sample();
    first.items[1] = "b.png";
    const std::string written = toChromeTrace({{"Pinned memory", first}, {"Ring of three", other}});
    const auto read = fromChromeTrace(written, "t.json");
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[0].name, "Pinned memory");
    EXPECT_EQ(read[0].timeline.spans.size(), 6U);
    EXPECT_EQ(read[1].name, "Ring of three");
    EXPECT_EQ(read[1].timeline.spans.size(), 4U);
    EXPECT_EQ(read[1].timeline.clock, "the device's events");
    EXPECT_EQ(toChromeTrace(read), written);
    const auto document = nlohmann::json::parse(written);
    std::set<std::string> processes;
    for (const auto& event : document["traceEvents"])
        if (event["name"] == "process_name") processes.insert(event["args"]["name"]);
    EXPECT_EQ(processes, (std::set<std::string>{"Pinned memory", "Ring of three"}));
}

}  // namespace warplens::gpu
