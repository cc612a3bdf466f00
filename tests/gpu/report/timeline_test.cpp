// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/timeline.hpp"

#include "gpu/core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

TEST(Timeline, isReadBackAsItWasWritten) {
    Timeline timeline = sample();
    timeline.items[1] = "b.png";
    timeline.parts = {{0, "kernel", 1.5, 2, true}, {0, "download", 2, 3, false}};
    const std::string written = toChromeTrace(timeline);
    const Timeline read = fromChromeTrace(written, "t.json");
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
                                                          {"\"pictures\":3", "\"pictures\":4"},
                                                          {"\"seconds\":", "\"seconds\":1e99,\"not\":"},
                                                          {"\"bytes\":", "\"bytes\":9000000000000000000,\"not\":"},
                                                          {"\"bytes\":", "\"bytes\":-"}})
        EXPECT_THAT(refused(written, was, is), StartsWith("t.json: no timeline that Warplens wrote: ")) << is;
    EXPECT_THAT(refused("[]", "", ""), StartsWith("t.json: no timeline"));
    EXPECT_THAT(refused("{", "", ""), StartsWith("t.json: no timeline"));
}

}  // namespace warplens::gpu
