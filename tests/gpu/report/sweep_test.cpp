// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/sweep_document.hpp"
#include "io/error.hpp"
#include "tests/gpu/report/sample_comparison.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
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
    sweep.axes = {{SweepAxis::Kind::parameter, "radius", {"1", "2", "3"}},
                  {SweepAxis::Kind::size, "size", {"256x128"}}};
    sweep.parameters = {{"filter", std::string("gaussian")}, {"sigma", 0.0}};
    sweep.input = "noise";
    sweep.type = "f32";
    sweep.sizes = {{256, 128}};
    sweep.variants = {"naive", "constant", "tiled_input"};
    sweep.cells = {{{"1", "256x128"}, 256, 128, {row("naive", 2), row("constant", 1), row("tiled_input", 4)}},
                   {{"2", "256x128"}, 256, 128, {row("naive", 2), row("constant", 2.01), row("tiled_input", 4)}},
                   {{"3", "256x128"},
                    256,
                    128,
                    {{"naive", Status::wrong, "3 values are wrong", {}},
                     {"constant", Status::unsupported, "too wide", {}},
                     row("tiled_input", 4)}}};
    return sweep;
}

/// Two blocks by two radii of two variants: tiled is refused with the larger block at radius 2, and the fastest of
/// radius 1 with the smaller one.
Sweep tuned() {
    Sweep sweep = sample();
    sweep.axes = {{SweepAxis::Kind::tunable, "block_width", {"8", "64"}},
                  {SweepAxis::Kind::parameter, "radius", {"1", "2"}}};
    sweep.variants = {"naive", "tiled_output@block_height=4"};
    const auto cell = [](const char* width, const char* radius, double naive, std::optional<double> tiled) {
        SweepCell made{{width, radius}, 256, 128, {row("naive", naive)}};
        made.rows.push_back(tiled
                                ? row("tiled_output@block_height=4", *tiled)
                                : SweepRow{"tiled_output@block_height=4", Status::unsupported, "too many threads", {}});
        return made;
    };
    sweep.cells = {cell("8", "1", 4, 2), cell("64", "1", 3, 2.5), cell("8", "2", 9, 8), cell("64", "2", 6, {})};
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
        const SweepCell cpu{{"1"}, 8, 8, {row("naive", 2, clock), row("constant", 1, clock)}};
        EXPECT_FALSE(winnerOf(cpu));
        const SweepCell both{{"1"}, 8, 8, {row("naive", 2), row("constant", 1, clock)}};
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
    for (const char* field : {"cells", "sizes", "device"}) {
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

TEST(Sweep, theBestDoesTheSameWork) {
    const Sweep sweep = tuned();
    const auto one = bestOf(sweep, *sweep.cell(1, 0)), two = bestOf(sweep, *sweep.cell(0, 1));
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->cell, sweep.cell(0, 0)) << "a larger radius is other work, a larger block is not";
    EXPECT_EQ(runAt(sweep, *one->cell, one->row->id), "tiled_output@block_height=4@block_width=8");
    EXPECT_EQ(two->cell, sweep.cell(1, 1));
    EXPECT_EQ(two->row->id, "naive");
    EXPECT_EQ(bestOf(sweep, *sweep.cell(0, 1), {"tiled_output@block_height=4"})->cell, sweep.cell(0, 1));
    EXPECT_EQ(sweep.cell(2, 0), nullptr);
    EXPECT_EQ(sweep.wanted(), 4U);
}

TEST(Sweep, overAnythingIsKeptAndReadInEveryForm) {
    const Sweep sweep = tuned();
    const std::string text = toJson(sweep);
    EXPECT_EQ(test::violation("sweep", text), "");
    EXPECT_FALSE(nlohmann::json::parse(text).contains("parameter")) << "an earlier version cannot read it";
    EXPECT_EQ(parseSweep(text, "here").axes, sweep.axes);
    EXPECT_EQ(toJson(parseSweep(text, "here")), text);
    auto broken = nlohmann::json::parse(text);
    broken["cells"][0]["at"][0] = "x";
    EXPECT_THROW(parseSweep(broken.dump(), "here"), io::Error) << "a tunable is a whole number";
    broken["cells"][0]["at"] = {"8"};
    EXPECT_THROW(parseSweep(broken.dump(), "here"), io::Error);

    for (const std::string& form : {sweepText(sweep), sweepMarkdown(sweep), sweepHtml(sweep)}) {
        for (const char* word : {"tiled_output@block_height=4 2.00x", "tiled_output@block_height=4@block_width=8",
                                 "naive@block_width=64", "too many threads", "block_width 64, radius 2"})
            EXPECT_NE(form.find(word), std::string::npos) << word << "\n" << form;
    }
    const std::string csv = sweepCsv(sweep);
    EXPECT_EQ(std::ranges::count(csv, '\n'), 9) << "a line a run of a cell";
    EXPECT_NE(csv.find("\r\nconvolution,noise,cuda:0,64,2,256,128,tiled_output,"
                       "tiled_output@block_height=4@block_width=64,unsupported,too many threads,,"),
              std::string::npos)
        << csv;
    // Over one axis every variant has its column.
    Sweep one = sweep;
    one.axes = {{SweepAxis::Kind::type, "type", {"u8", "f32"}}};
    one.type = "";
    one.cells.resize(2);
    one.cells[0].at = {"u8"};
    one.cells[1].at = {"f32"};
    EXPECT_EQ(test::violation("sweep", toJson(one)), "");
    EXPECT_EQ(toJson(parseSweep(toJson(one), "here")), toJson(one));
    EXPECT_NE(sweepText(one).find("u8       4.00"), std::string::npos) << sweepText(one);
    // Of one variant the map has times.
    Sweep alone = sweep;
    alone.variants = {"naive"};
    for (SweepCell& cell : alone.cells) cell.rows.resize(1);
    EXPECT_NE(sweepText(alone).find("64           3.00  6.00"), std::string::npos) << sweepText(alone);
}

TEST(Sweep, axesAreReadAsTheyAreTyped) {
    const Family& family = familyOf("convolution");
    const std::vector<std::array<const char*, 2>> good{
        {{"radius=1:4", "radius=1,2,3,4"}},           {{"radius=1:7:3,2", "radius=1,4,7,2"}},
        {{"sigma=0.1:0.5:0.2", "sigma=0.1,0.3,0.5"}}, {{"block_width=8, 16,8", "block_width=8,16"}},
        {{"size=64,32x16", "size=64x64,32x16"}},      {{"type=u8,f32", "type=u8,f32"}},
        {{"border=wrap,zero", "border=wrap,zero"}},   {{"normalise=on,false", "normalise=true,false"}}};
    for (const auto& [text, read] : good) EXPECT_EQ(textOf(parseSweepAxis(family, text)), read);
    for (const char* bad : {"radius", "=3", "radius=", "radius=1:", "radius=3:1", "radius=1:31:0", "radius=1:2:3:4",
                            "radius=64", "sigma=0:1:0.001", "block_width=0", "block_width=8.5", "size=0", "size=8x",
                            "type=f64", "border=none", "matrix=1", "colour=1", "radius=1:nan"})
        EXPECT_THROW(parseSweepAxis(family, bad), Error) << bad;
    for (const Family* each : families())
        for (const SweepAxis& axis : sweepAxes(*each))
            EXPECT_EQ(parseSweepAxis(*each, textOf(axis)), axis) << "what is offered can be taken: " << each->id();
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
