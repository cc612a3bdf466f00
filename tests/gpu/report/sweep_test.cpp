// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/sweep_document.hpp"
#include "io/error.hpp"
#include "tests/gpu/report/sample_comparison.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace warplens {

using namespace gpu;
using test::timing;

namespace {

SweepRow row(const std::string& variant, double ms, Clock clock = Clock::device) {
    return {variant, Status::ok, "", timing(clock, ms)};
}

/// Radius 1: constant by 2; radius 2: naive and constant overlap; radius 3: naive is wrong, so tiled alone has a time.
Sweep sample() {
    const Comparison comparison = test::cudaComparison();
    Sweep sweep;
    sweep.version = "0.1.0";
    sweep.environment = comparison.environment;
    sweep.device = comparison.device;
    sweep.device.multiprocessor = {2048, 32, 65536, 233472, 1024};
    sweep.limits = Limits{4000, 4400, 4500, 57, 1980, 33000};
    sweep.family = "convolution";
    sweep.parameter = "radius";
    sweep.parameters = {{"filter", std::string("gaussian")}, {"sigma", 0.0}};
    sweep.input = "noise";
    sweep.type = "f32";
    sweep.values = {1, 2, 3};
    sweep.sizes = {{256, 128}};
    sweep.variants = {"naive", "constant", "tiled_input"};
    sweep.cells = {{1, 256, 128, {row("naive", 2), row("constant", 1), row("tiled_input", 4)}},
                   {2, 256, 128, {row("naive", 2), row("constant", 2.01), row("tiled_input", 4)}},
                   {3,
                    256,
                    128,
                    {{"naive", Status::wrong, "3 values are wrong", {}},
                     {"constant", Status::unsupported, "too wide", {}},
                     row("tiled_input", 4)}}};
    return sweep;
}

}  // namespace

TEST(Sweep, namesTheFastestAndItsDistance) {
    const Sweep sweep = sample();
    const auto first = winnerOf(sweep.cells[0]);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->fastest->id, "constant");
    EXPECT_EQ(first->next->id, "naive");
    EXPECT_DOUBLE_EQ(first->ratio, 2);
    EXPECT_EQ(first->verdict, Verdict::faster);
    EXPECT_TRUE(first->same.empty());
    const auto second = winnerOf(sweep.cells[1]);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->verdict, Verdict::same);
    ASSERT_EQ(second->same.size(), 1U);
    EXPECT_EQ(second->same[0]->id, "constant");
    const auto third = winnerOf(sweep.cells[2]);
    ASSERT_TRUE(third);
    EXPECT_EQ(third->fastest->id, "tiled_input") << "a wrong result has no time";
    EXPECT_EQ(third->next, nullptr);
}

TEST(Sweep, onlyThoseAskedForCompete) {
    const SweepCell cell = sample().cells[0];
    const auto winner = winnerOf(cell, {"naive", "tiled_input"});
    ASSERT_TRUE(winner);
    EXPECT_EQ(winner->fastest->id, "naive");
    EXPECT_FALSE(winnerOf(cell, {"separable"}));
}

TEST(Sweep, timesOfACpuNameNobody) {
    for (const Clock clock : {Clock::simulated, Clock::library}) {
        const SweepCell cpu{1, 8, 8, {row("naive", 2, clock), row("constant", 1, clock)}};
        EXPECT_FALSE(winnerOf(cpu));
        const SweepCell both{1, 8, 8, {row("naive", 2), row("constant", 1, clock)}};
        const auto mixed = winnerOf(both);
        ASSERT_TRUE(mixed);
        EXPECT_EQ(mixed->fastest->id, "naive");
    }
}

TEST(Sweep, whatIsNotExactIsNotTheFastestNorHasItsNoteBeenLost) {
    Sweep sweep = sample();
    sweep.cells[0].rows[1].note = "3 of 100 values are not the nearest distance";
    for (const Sweep& one : {sweep, parseSweep(toJson(sweep), "here")}) {
        const auto winner = winnerOf(one.cells[0]);
        ASSERT_TRUE(winner);
        EXPECT_EQ(winner->fastest->id, "naive");
        EXPECT_EQ(winner->next->id, "tiled_input");
    }
}

TEST(Sweep, keepsEverythingInItsDocument) {
    const std::string text = toJson(sample());
    EXPECT_EQ(test::violation("sweep", text), "");
    const Sweep back = parseSweep(text, "here");
    EXPECT_EQ(toJson(back), text);
    EXPECT_EQ(back.limits->sharedGbs, 33000);
    EXPECT_EQ(back.device.multiprocessor, sample().device.multiprocessor);
    EXPECT_EQ(back.sizes, sample().sizes);
    EXPECT_EQ(back.cells[2].rows[0].status, Status::wrong);
    EXPECT_DOUBLE_EQ(back.cells[0].rows[1].time->highMs, sample().cells[0].rows[1].time->highMs);
    Sweep nothing = sample();
    nothing.cells.clear();
    nothing.interrupted = true;
    EXPECT_EQ(test::violation("sweep", toJson(nothing)), "");
    EXPECT_TRUE(parseSweep(toJson(nothing), "here").interrupted);
}

TEST(Sweep, aFileThatIsNoneCostsItselfAlone) {
    const test::TemporaryFolder folder;
    test::writeText(folder / "good.sweep.json", toJson(sample()));
    test::writeText(folder / "broken.sweep.json", toJson(sample()).substr(0, 900));
    test::writeText(folder / "report.json", "{}");
    for (const char* field : {"cells", "values", "device"}) {
        auto document = nlohmann::json::parse(toJson(sample()));
        document.erase(field);
        EXPECT_THROW(parseSweep(document.dump(), "here"), io::Error) << field;
    }
    std::vector<std::string> problems;
    const auto sweeps = loadSweeps(folder.path(), problems);
    ASSERT_EQ(sweeps.size(), 1U);
    EXPECT_EQ(sweeps[0].path.filename(), "good.sweep.json");
    EXPECT_EQ(problems.size(), 1U);
    EXPECT_TRUE(loadSweeps(folder.path() / "missing", problems).empty());
}

TEST(Sweep, readsAsATable) {
    const std::string text = sweepText(sample());
    EXPECT_NE(text.find("constant 2.00x"), std::string::npos) << text;
    EXPECT_NE(text.find("same: naive, constant"), std::string::npos) << text;
    Sweep cpu = sample();
    cpu.device.kind = DeviceKind::simt;
    EXPECT_NE(sweepText(cpu).find("no winner"), std::string::npos);
    EXPECT_EQ(sweepText(cpu).find("2.00x"), std::string::npos);
}

}  // namespace warplens
