// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/result.hpp"
#include "gpu/bench/shares.hpp"
#include "gpu/bench/table.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "io/error.hpp"
#include "io/generate.hpp"
#include "tests/gpu/report/sample_comparison.hpp"
#include "tests/support/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace warplens::test {

namespace bench = gpu::bench;
using bench::Metric;
using gpu::Variant;
using testing::HasSubstr;

namespace {

bench::Suites shipped() { return bench::loadSuites(std::string(WARPLENS_SOURCE_DIR) + "/gpu/families"); }

/// A row of the GPU's clock, checked.
gpu::ReportRun row(const std::string& variant, double ms, Variant::Kind kind = Variant::Kind::kernel) {
    gpu::ReportRun run;
    run.record.family = "convolution";
    run.record.variant = variant;
    run.record.kind = kind;
    run.record.runsOn = "cuda:0";
    run.record.time = timing(gpu::Clock::device, ms);
    run.record.bandwidthGbs = 8 * 1024 * 1024 / ms * 1e-6;
    run.record.percentOfLimit = *run.record.bandwidthGbs / 4000 * 100;
    run.record.verification.emplace().checkedShare = 1;
    return run;
}

/// 1,024 x 1,024 f32, 5 x 5 taps: 8 MiB at 4,000 GB/s take 0.0021 ms, 52.4 Mflop at 20 Tflop/s 0.0026 ms.
gpu::Report report() {
    gpu::Report made = gpu::makeReport(cudaComparison());
    made.input.shape = {1024, 1024, 1, 1};
    made.family = "convolution";
    made.device.name = "NVIDIA H200";
    made.work = {.traffic = gpu::Traffic::copy,
                 .bytesRead = 4 << 20,
                 .bytesWritten = 4 << 20,
                 .operations = 2.0 * 25 * (1 << 20)};
    made.limits = gpu::Limits{.copyGbs = 4000, .readGbs = 4500, .writeGbs = 4400, .fmaTflops = 20, .clockMhz = 1980};
    made.runs = {row("naive", 0.010), row("register_blocked", 0.004), row("separable", 0.003),
                 row("cub", 0.008, Variant::Kind::library)};
    return made;
}

bench::Goal goal(Metric metric, double value, std::vector<std::string> rows = {}) {
    return {.what = "any", .rows = std::move(rows), .metric = metric, .value = value};
}

bench::Result result() {
    bench::Result made;
    made.version = "1.2.3";
    made.environment = report().environment;
    made.device = report().device;
    made.limits = report().limits;
    made.goalsOn = "NVIDIA H200";
    made.cases.push_back(
        {.what = {"a", "convolution", "Case A", "gen:x", "convolution", {}, {goal(Metric::medianMs, 0.0035)}},
         .report = report(),
         .problem = {},
         .traits = {}});
    return made;
}

}  // namespace

TEST(BenchSuites, everyCaseIsPossibleAndItsGoalsNameRowsAndCasesThatExist) {
    const bench::Suites suites = shipped();
    std::set<std::string> ids;
    for (const auto& one : suites.cases) {
        EXPECT_TRUE(ids.insert(one.id).second) << one.id;
        const auto& family = gpu::familyOf(one.family);
        const auto picture = std::make_shared<const io::Grid>(io::generate(bench::scaledInput(one.input, 512)));
        const auto make = [](const std::string& name) { return std::make_shared<const io::Grid>(io::generate(name)); };
        EXPECT_NO_THROW(family.pose(picture, bench::withPictures(bench::scaledPictures(one.parameters, 512), make)))
            << one.id;
    }
    for (const auto& one : suites.cases) {
        for (const auto& wanted : one.goals) EXPECT_TRUE(wanted.other.empty() || ids.contains(wanted.other)) << one.id;
    }
    EXPECT_EQ(bench::choose(suites, {"limits"}).size(), suites.cases.size());
    const auto one = bench::choose(suites, {"stencil"}, {"stencil-jacobi-256"});
    ASSERT_EQ(one.size(), 1U);
    EXPECT_THROW(bench::choose(suites, {"speed"}), gpu::Error);
    EXPECT_THROW(bench::choose(suites, {"stencil"}, {"convolution-*"}), gpu::Error);
}

TEST(BenchSuites, extentsAreScaledAndNothingElse) {
    EXPECT_EQ(bench::scaledInput("gen:noise:8192x4096:f32", 64), "gen:noise:128x64:f32");
    EXPECT_EQ(bench::scaledInput("gen:noise:512x512x512:u16:c=3:seed=1", 64), "gen:noise:16x16x16:u16:c=3:seed=1");
    EXPECT_EQ(bench::scaledInput("gen:noise:1920x8:u8", 2), "gen:noise:960x8:u8");
    EXPECT_EQ(bench::scaledInput("gen:noise:1920x1080:u8", 1), "gen:noise:1920x1080:u8");
}

TEST(BenchSuites, patternsNameAndLeaveOut) {
    EXPECT_TRUE(bench::matches({}, "naive"));
    EXPECT_TRUE(bench::matches({"separable*"}, "separable_fused"));
    EXPECT_FALSE(bench::matches({"separable*"}, "naive"));
    EXPECT_TRUE(bench::matches({"!separable*"}, "naive"));
    EXPECT_FALSE(bench::matches({"!separable*"}, "separable"));
    EXPECT_FALSE(bench::matches({"s*", "!separable"}, "separable"));
    EXPECT_TRUE(bench::matches({"s*", "!separable"}, "streamed"));
}

TEST(BenchJudge, theFastestIsRightCheckedAndOfTheGpusClock) {
    gpu::Report made = report();
    EXPECT_EQ(bench::fastest(made, Variant::Kind::kernel)->record.variant, "separable");
    EXPECT_EQ(bench::fastest(made, Variant::Kind::kernel, {"!separable*"})->record.variant, "register_blocked");
    EXPECT_EQ(bench::fastest(made, Variant::Kind::kernel, {"tensor*"}), nullptr);
    made.runs[2].record.status = gpu::Status::wrong;
    made.runs[1].record.verification->checkedShare = 0;
    EXPECT_EQ(bench::fastest(made, Variant::Kind::kernel)->record.variant, "naive");
    made.runs.push_back(row("opencv", 0.001, Variant::Kind::library));
    made.runs.back().record.time->clock = gpu::Clock::library;
    EXPECT_EQ(bench::bestPeer(made)->record.variant, "cub");
    made.runs.erase(made.runs.begin() + 3);
    EXPECT_EQ(bench::bestPeer(made)->record.variant, "opencv");
}

TEST(BenchJudge, aRowThatIsNotExactIsTheFastestOnlyWhereItIsAskedForByName) {
    gpu::Report made = report();
    made.runs[2].record.verification->note = "bound 4 times that of single precision";
    EXPECT_EQ(bench::fastest(made, Variant::Kind::kernel)->record.variant, "register_blocked");
    EXPECT_EQ(bench::fastest(made, Variant::Kind::kernel, {"!naive"})->record.variant, "register_blocked");
    EXPECT_EQ(bench::fastest(made, Variant::Kind::kernel, {"separable*"})->record.variant, "separable");
    made.runs.push_back(row("cublas_tf32", 0.001, Variant::Kind::library));
    made.runs.back().record.verification->note = "bound 64 times that of single precision";
    EXPECT_EQ(bench::bestPeer(made)->record.variant, "cub");
    made.runs.erase(made.runs.begin() + 3);
    EXPECT_EQ(bench::bestPeer(made)->record.variant, "cublas_tf32") << "the only peer there is";
}

TEST(BenchJudge, theLimitThatBindsIsTheLargerFloor) {
    const gpu::Report made = report();
    const auto direct = bench::shareOfLimit(made, made.runs[1]);
    ASSERT_TRUE(direct);
    EXPECT_EQ(bench::nameOfLimit(made, *direct), "FMA");
    EXPECT_NEAR(direct->percent, 100 * (2.0 * 25 * (1 << 20) / 20e9) / 0.004, 1e-9);
    // Ten of 25 taps: less than the bytes take.
    const auto separable = bench::shareOfLimit(made, made.runs[2]);
    EXPECT_EQ(bench::nameOfLimit(made, *separable), "copy");
    EXPECT_NEAR(separable->percent, 100 * (8.0 * (1 << 20) / 4e9) / 0.003, 1e-9);
    EXPECT_FALSE(bench::shareOfLimit(made, made.runs[3])->arithmetic) << "how a library sums is not known";
}

TEST(BenchJudge, eachMetricAgainstItsGoal) {
    bench::Result all = result();
    const auto judged = [&](const bench::Goal& wanted) { return bench::judge(wanted, all.cases.front(), all); };
    EXPECT_TRUE(judged(goal(Metric::medianMs, 0.003)).met);
    EXPECT_FALSE(judged(goal(Metric::medianMs, 0.003, {"!separable*"})).met);
    EXPECT_TRUE(judged(goal(Metric::gbs, 2700)).met);
    EXPECT_FALSE(judged(goal(Metric::gbs, 2900)).met);
    EXPECT_TRUE(judged(goal(Metric::percentOfLimit, 69)).met);
    EXPECT_FALSE(judged(goal(Metric::percentOfLimit, 71)).met);
    EXPECT_FALSE(judged(goal(Metric::medianMs, 1, {"tensor*"})).met) << "no such row";
    EXPECT_FALSE(judged(goal(Metric::gcells, 0)).reached) << "no stencil";

    gpu::Report& stencil = *all.cases.front().report;
    stencil.family = "stencil";
    stencil.parameters = {{"iterations", std::int64_t{10}}};
    EXPECT_NEAR(*judged(goal(Metric::gcells, 1)).reached, 10.0 * (1 << 20) / 0.003 * 1e-6, 1e-9);
    EXPECT_NEAR(*judged(goal(Metric::stepUs, 1)).reached, 0.3, 1e-12);

    all.cases.push_back(all.cases.front());
    all.cases.back().what.id = "b";
    all.cases.back().report->runs[2].record.time = timing(gpu::Clock::device, 0.0033);
    bench::Goal factor = goal(Metric::timesCase, 1.11);
    factor.other = "a";
    EXPECT_NEAR(*bench::judge(factor, all.cases.back(), all).reached, 1.1, 1e-12);
    EXPECT_TRUE(bench::judge(factor, all.cases.back(), all).met);
    factor.other = "c";
    EXPECT_FALSE(bench::judge(factor, all.cases.back(), all).met);
}

TEST(BenchJson, goesThereAndBackAndObeysItsSchema) {
    const std::string json = bench::toJson(result());
    EXPECT_EQ(violation("bench", json), "");
    const bench::Result back = bench::parseResult(json, "r.json");
    EXPECT_EQ(bench::toJson(back), json);
    EXPECT_THAT(json, HasSubstr("\"met\": true"));
    EXPECT_THROW(bench::parseResult("{}", "r.json"), io::Error);
    EXPECT_THROW(bench::parseResult("]", "r.json"), io::Error);
}

TEST(BenchJson, peersJoinTheirCaseAndMayBeTheBest) {
    const bench::Result base = result();
    auto json = nlohmann::json::parse(bench::toJson(base));
    nlohmann::json peers{{"peers", "PyTorch"}, {"scale", 1}, {"device", {{"name", "NVIDIA H200"}}}};
    auto fast = json["cases"][0]["report"]["runs"][3];
    fast["variant"] = fast["id"] = "cudnn";
    fast["time"]["median_ms"] = 0.0001;
    peers["cases"] = {{{"id", "a"}, {"runs", {fast}}}, {{"id", "unknown"}, {"runs", {fast}}}};
    bench::Result merged = base;
    bench::mergePeers(merged, peers.dump(), "p.json");
    EXPECT_EQ(bench::bestPeer(*merged.cases[0].report)->record.variant, "cudnn");
    EXPECT_THAT(bench::toText(merged), HasSubstr("Merged: PyTorch"));
    peers["cases"][0]["runs"][0]["time"]["median_ms"] = 0.0002;
    const std::size_t rows = merged.cases[0].report->runs.size();
    bench::mergePeers(merged, peers.dump(), "p2.json");
    EXPECT_EQ(merged.cases[0].report->runs.size(), rows) << "one row, of the later file";
    EXPECT_EQ(bench::bestPeer(*merged.cases[0].report)->record.time->medianMs, 0.0002);
    EXPECT_EQ(merged.peers.size(), 1U);

    const auto refuses = [&](const nlohmann::json& wrong) {
        bench::Result fresh = base;
        EXPECT_ANY_THROW(bench::mergePeers(fresh, wrong.dump(), "p.json"));
    };
    auto other = peers;
    other["device"]["name"] = "NVIDIA A100";
    refuses(other);
    other = peers;
    other["scale"] = 2;
    refuses(other);
    other = peers;
    other["cases"][0]["runs"][0]["kind"] = "kernel";
    refuses(other);
}

namespace {

/// A task of 8 MiB at 4,000 GB/s, 0.002097152 ms, whose multiply-adds take less, with these rows.
bench::CaseResult task(const std::string& id, std::vector<gpu::ReportRun> rows) {
    bench::CaseResult made{.what = {id, "random", "Task " + id, "gen:x", "convolution", {}, {}},
                           .report = report(),
                           .problem = {},
                           .traits = {}};
    made.report->limits->fmaTflops = 1e4;
    made.report->runs = std::move(rows);
    return made;
}

/// What auto took, after a race of so many milliseconds.
gpu::ReportRun chosen(const std::string& variant, double ms, double raceMs) {
    gpu::ReportRun run = row(gpu::kAuto, ms);
    run.record.choice =
        gpu::Choice{.variant = variant, .source = gpu::Choice::Source::measured, .why = "measured here"};
    run.record.choice->raced =
        gpu::AutotuneResult{.rows = {{.variant = variant, .ms = ms, .samples = 3, .id = variant + "@block_width=64"}},
                            .launches = 30,
                            .kernelMs = raceMs,
                            .wallMs = 10 * raceMs};
    return run;
}

/// Five tasks: of the limit 69.9, 52.4, 34.95, 26.2 % and one that has no row of ours.
bench::Result drawn() {
    bench::Result made = result();
    made.cases.clear();
    made.drawn = {.seed = 9, .cases = 5, .largest = 1'000'000'000};
    const auto peer = [](const std::string& name, double ms) { return row(name, ms, Variant::Kind::library); };
    made.cases.push_back(task("a", {row("naive", 0.010), row("separable", 0.003), peer("cub", 0.008),
                                    peer("npp", 0.009), chosen("separable", 0.00312, 2)}));
    made.cases.push_back(task("b", {row("separable", 0.004), peer("npp", 0.00401), chosen("naive", 0.010, 4)}));
    made.cases.push_back(task("c", {row("separable", 0.006), peer("cub", 0.001), chosen("tiled_input", 0.0066, 1)}));
    made.cases.push_back(task("d", {row("separable", 0.008), peer("opencv", 0.001)}));
    made.cases.back().report->runs.back().record.time->clock = gpu::Clock::library;
    made.cases.back().report->input.shape = {2001, 2000, 1, 1};
    made.cases.push_back(task("e", {row("naive", 0.002)}));
    made.cases.back().report->runs.front().record.status = gpu::Status::wrong;
    return made;
}

}  // namespace

TEST(BenchShares, areThoseCountedByHand) {
    const auto shares = bench::sharesOf(drawn());
    ASSERT_TRUE(shares);
    EXPECT_EQ(shares->tasks, 4) << "not e, where no row is right";
    EXPECT_EQ(shares->withAuto, 3);
    EXPECT_EQ(shares->near, 1) << "1.04 times in a; 2.5 in b and 1.1 in c";
    ASSERT_EQ(shares->off.size(), 2U);
    EXPECT_EQ(shares->off[0].id, "b");
    EXPECT_EQ(shares->off[0].chosen, "naive");
    EXPECT_EQ(shares->off[0].best, "separable");
    EXPECT_NEAR(shares->off[0].factor, 2.5, 1e-12);
    EXPECT_NEAR(shares->off[1].factor, 1.1, 1e-12);
    ASSERT_TRUE(shares->races);
    EXPECT_EQ(shares->races->tasks, 3);
    EXPECT_EQ(shares->races->medianKernelMs, 2);
    EXPECT_EQ(shares->races->mostKernelMs, 4);
    EXPECT_EQ(shares->races->medianWallMs, 20);
    EXPECT_EQ(shares->races->mostWallMs, 40);
    // b's intervals of 1 % meet; d's peer ran on the host.
    EXPECT_EQ(shares->withPeer, 3);
    EXPECT_EQ(shares->ahead, 1);
    EXPECT_EQ(shares->same, 1);
    EXPECT_EQ(shares->behind, 1);
    EXPECT_EQ(shares->peers, (std::map<std::string, int>{{"cub", 2}, {"npp", 1}}));
    ASSERT_TRUE(shares->ofLimit && shares->ofLimitLarge);
    // 26.2144, 34.9525, 52.4288, 69.9051: in proportion at 0.75, 1.5 and 2.25 places from the first.
    EXPECT_EQ(shares->ofLimit->tasks, 4);
    EXPECT_NEAR(shares->ofLimit->q1, 26.2144 + 0.75 * (34.95253 - 26.2144), 1e-3);
    EXPECT_NEAR(shares->ofLimit->median, (34.95253 + 52.4288) / 2, 1e-3);
    EXPECT_NEAR(shares->ofLimit->q3, 52.4288 + 0.25 * (69.90507 - 52.4288), 1e-3);
    EXPECT_EQ(shares->ofLimit->binds, (std::map<std::string, int>{{"copy", 4}}));
    EXPECT_EQ(shares->ofLimitLarge->tasks, 1) << "d alone has more than 4,000,000 pixels";
    EXPECT_NEAR(shares->ofLimitLarge->median, 26.2144, 1e-3);
}

TEST(BenchShares, standInEveryReportAndNotWhereTimesRankNothing) {
    bench::Result all = drawn();
    const std::string json = bench::toJson(all);
    EXPECT_EQ(violation("bench", json), "");
    EXPECT_EQ(bench::toJson(bench::parseResult(json, "r.json")), json);
    const auto shares = nlohmann::json::parse(json)["shares"];
    EXPECT_EQ(shares["auto"]["within_5_percent"], 1);
    EXPECT_EQ(shares["auto"]["races"]["most_wall_ms"], 40);
    EXPECT_EQ(shares["peers"]["ahead"], 1);
    EXPECT_EQ(shares["percent_of_limit"]["above_4_mpx"]["tasks"], 1);
    const std::string markdown = bench::toMarkdown(all);
    EXPECT_THAT(markdown, HasSubstr("| auto within 5 % of our best row | 3 | 1 of 3, 33 % |"));
    EXPECT_THAT(markdown, HasSubstr("| its races, kernels: median (maximum) | 3 | 2.00 ms (4.00 ms) | "
                                    "in total 20.0 ms (40.0 ms), including loading code |"));
    EXPECT_THAT(markdown,
                HasSubstr("| our best row ahead of the best peer on the GPU | 3 | 1 of 3, 33 % | cub 2, npp 1 |"));
    EXPECT_THAT(markdown, HasSubstr("| 44 % (33 to 57 %) | copy 4 |"));
    EXPECT_THAT(markdown, HasSubstr("| b, Task b | naive | separable | 2.50\u00d7 |"));
    EXPECT_THAT(bench::toText(all), HasSubstr(" of the 5 tasks of seed 9"));

    all.device.kind = gpu::DeviceKind::simt;
    EXPECT_FALSE(bench::sharesOf(all));
    const std::string cpu = bench::toJson(all);
    EXPECT_EQ(violation("bench", cpu), "");
    EXPECT_TRUE(nlohmann::json::parse(cpu)["shares"].is_null());
    EXPECT_THAT(bench::toText(all), HasSubstr("no shares: they are of times on a GPU"));
    EXPECT_THAT(bench::toText(all), testing::Not(HasSubstr("Shares of the tasks")));
}

TEST(BenchTable, theLastColumnsAreAgainstTheBestPeerAndOfTheLimit) {
    bench::Result all = result();
    const std::string markdown = bench::toMarkdown(all);
    EXPECT_THAT(markdown, HasSubstr("| Against the best peer M | Of the limit M |\n"));
    EXPECT_THAT(markdown, HasSubstr("| Case A: any | separable | 0.00300 | 2,796 GB/s | \u2264 0.00350 ms | met | cub, "
                                    "0.00800 ms | 2.67\u00d7 | 70 % of copy |"));
    EXPECT_THAT(markdown, HasSubstr("1 of 1 goals met"));
    EXPECT_THAT(markdown, HasSubstr("Every row was verified: 4 of them."));
    all.device.name = "Another GPU";
    EXPECT_THAT(bench::toMarkdown(all), testing::Not(HasSubstr("goals met")));
    all.cases[0].report->runs[0].record.verification.reset();
    EXPECT_THAT(bench::toText(all), HasSubstr("3 rows were verified; not so a naive: unverified."));
}

}  // namespace warplens::test
