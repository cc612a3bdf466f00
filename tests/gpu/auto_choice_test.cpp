// SPDX-License-Identifier: Apache-2.0
// What `auto` measures: races among guesses on a device whose clock is scripted, and what is remembered of them.
#include "gpu/core/error.hpp"
#include "gpu/run/auto_selector.hpp"
#include "gpu/run/task_key.hpp"
#include "tests/gpu/scripted_device.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>

namespace warplens::gpu::testing {
namespace {

using ::testing::HasSubstr;

Traits traits(double filter = 5) { return {.kinds = {{"type", "f32"}}, .sizes = {{"filter", {filter, 8}}}}; }

std::shared_ptr<const Tuning> tableOf(std::vector<RankedRow> rows) {
    TuningTable table{.device = "Scripted GPU",
                      .driver = "13.0",
                      .version = "1",
                      .date = "2026-01-31T00:00:00Z",
                      .source = "a test",
                      .entries = {}};
    table.entries.push_back({.family = "convolution", .traits = traits(), .rows = std::move(rows)});
    return std::make_shared<const Tuning>(std::vector{table}, std::vector<TuningTable>());
}

class AutoOnAScript : public ::testing::Test {
protected:
    AutoOnAScript() { m_auto.setTuning(m_tuning); }

    AutoTask task(const std::string& key = "a", std::shared_ptr<const io::Grid> input = nullptr) {
        return {m_family, m_problem, m_device.info(), m_none, key, std::move(input)};
    }
    AutotuneResult race(const AutotuneBudget& budget = {}) {
        return autotune(m_family, m_problem, m_device, {m_session.get()},
                        m_tuning->guesses(m_family, m_problem, m_device.info(), m_none), budget,
                        m_script.stop.get_token());
    }
    Choice measure(const std::string& key = "a", std::shared_ptr<const io::Grid> input = nullptr) {
        return m_auto.measured(task(key, std::move(input)), m_device, {m_session.get()}, {}, m_script.stop.get_token());
    }
    std::size_t launched() const { return m_script.launched.size(); }
    static const AutotuneResult::Row* rowOf(const AutotuneResult& raced, const std::string& variant) {
        const auto at = std::ranges::find(raced.rows, variant, &AutotuneResult::Row::variant);
        return at == raced.rows.end() ? nullptr : &*at;
    }

    const Family& m_family = familyOf("convolution");
    ScriptedDevice m_device;
    Script m_script;
    ScriptedProblem m_problem{m_script, traits()};
    Resident m_resident;
    std::unique_ptr<Session> m_session = m_problem.open(m_device, m_resident);
    std::shared_ptr<const Tuning> m_tuning = tableOf({{"streamed", {}, 1}, {"separable", {}, 1.5}});
    AutoSelector m_auto;
    const TunableValues m_none;
};

TEST_F(AutoOnAScript, ASmallTaskIsRacedByEveryKernelThatCan) {
    m_script.otherwiseMs = 0.02;
    m_script.ms = {{"streamed", 0.018}, {"naive", 0.006}, {"constant", 0.0066}};
    m_script.refused = {"tiled_input"};
    const AutotuneResult raced = race();
    EXPECT_EQ(m_script.launched.front(), "streamed") << "the first guess is the table's";
    EXPECT_EQ(raced.rows.front().variant, "naive");
    EXPECT_NEAR(raced.rows.front().ms, 0.006, 1e-9);
    EXPECT_EQ(raced.rows[1].variant, "constant");
    for (const Variant& variant : m_family.variants()) {
        const bool can = variant.kind == Variant::Kind::kernel && variant.id != "tiled_input";
        EXPECT_EQ(rowOf(raced, variant.id) != nullptr, can) << variant.id;
    }
    EXPECT_LT(raced.kernelMs, 5.0);
    EXPECT_EQ(rowOf(raced, "streamed")->samples, 1) << "three times the best: dropped at once";
    EXPECT_EQ(raced.launches, static_cast<int>(launched()));
}

TEST_F(AutoOnAScript, AtFiveMillisecondsTheRaceIsOver) {
    m_script.otherwiseMs = 0.3;  // all level: nothing parts them
    const AutotuneResult raced = race();
    EXPECT_GE(raced.kernelMs, 5.0);
    EXPECT_LT(raced.kernelMs, 5.31);
}

TEST_F(AutoOnAScript, LongKernelsAreLaunchedTenTimesInAll) {
    m_script.otherwiseMs = 20;
    m_script.ms = {{"separable", 15}};
    const AutotuneResult raced = race();
    EXPECT_LE(raced.launches, 10);
    EXPECT_EQ(raced.rows.front().variant, "separable");
    EXPECT_EQ(raced.rows.size(), 3U)
        << "beyond the milliseconds only what a table puts near the best, and the ladder's end";
}

TEST_F(AutoOnAScript, TheLaddersEndIsTriedWhateverATableSays) {
    m_script.otherwiseMs = 20;
    m_script.ms = {{"separable_ring", 0.2}};
    EXPECT_EQ(race().rows.front().variant, "separable_ring");
}

TEST_F(AutoOnAScript, TheLaddersBeginningDoesNotTakeTheRaceFromTheOthers) {
    m_script.otherwiseMs = 0.2;
    m_script.ms = {{"naive", 450}, {"register_blocked", 0.05}};
    EXPECT_EQ(race().rows.front().variant, "register_blocked");
}

TEST_F(AutoOnAScript, TheLastKernelOfTheLadderThatCanIsAGuessNearTheBest) {
    const auto relativeOf = [&](const std::string& variant) {
        for (const Guess& guess : m_tuning->guesses(m_family, m_problem, m_device.info(), m_none))
            if (guess.choice.variant == variant) return guess.relative;
        return std::optional(-1.0);
    };
    EXPECT_EQ(relativeOf("separable_ring"), 1.0);
    EXPECT_EQ(relativeOf("separable"), 1.5) << "the table's word";
    EXPECT_EQ(relativeOf("separable_streamed"), std::nullopt) << "nobody's word";
    EXPECT_EQ(relativeOf("naive"), std::nullopt) << "the ladder's beginning";
    m_script.refused = {"separable_ring"};
    EXPECT_EQ(relativeOf("separable_ring"), -1.0);
    EXPECT_EQ(relativeOf("separable_streamed"), 1.0) << "the end is what can run";
}

TEST_F(AutoOnAScript, TenLaunchesAreNotMoreWhereATableHasManyRowsNearTheBest) {
    std::vector<RankedRow> rows;
    for (const Variant& variant : m_family.variants())
        if (variant.kind == Variant::Kind::kernel) rows.push_back({variant.id, {}, 1.1});
    ASSERT_GT(rows.size(), 10U);
    m_tuning = tableOf(rows);
    m_script.otherwiseMs = 20;
    EXPECT_LE(race().launches, 10);
}

TEST_F(AutoOnAScript, WhatLoadsItsCodeOrRecordsAGraphIsNotSlowForIt) {
    m_script.otherwiseMs = 0.02;
    m_script.ms = {{"naive", 0.01}};
    m_script.also = [](const std::string& variant, const TunableValues&, int launch) {
        return variant == "naive" && launch <= 2 ? 1.5 : 0.0;
    };
    EXPECT_EQ(race().rows.front().variant, "naive");
}

TEST_F(AutoOnAScript, WhatATablePutsFirstIsNotDroppedForOneLaunchThatWasHeldUp) {
    m_script.otherwiseMs = 0.5;
    m_script.ms = {{"streamed", 0.37}};
    m_script.also = [](const std::string& variant, const TunableValues&, int launch) {
        return variant == "streamed" && launch == 2 ? 2.2 : 0.0;
    };
    EXPECT_EQ(race().rows.front().variant, "streamed");
}

TEST_F(AutoOnAScript, ASlowRowOfALongTaskIsLaunchedOnce) {
    m_tuning = tableOf({{"streamed", {}, 1}, {"separable", {}, 1.2}, {"naive", {}, 1.9}});
    m_script.ms = {{"streamed", 30}, {"separable", 25}, {"separable_ring", 60}, {"naive", 500}};
    const AutotuneResult raced = race();
    EXPECT_EQ(m_script.launches["naive"], 1);
    EXPECT_EQ(raced.rows.front().variant, "separable");
    EXPECT_EQ(raced.rows.back().variant, "naive");
}

TEST_F(AutoOnAScript, ARowThatTakesLongIsLaunchedOnceHoweverShortTheOthersAre) {
    m_script.otherwiseMs = 0.02;
    m_script.ms = {{"streamed", 0.01}, {"naive", 450}};
    EXPECT_EQ(race().rows.front().variant, "streamed");
    EXPECT_EQ(m_script.launches["naive"], 1);
}

TEST_F(AutoOnAScript, TheRaceEndsWhenOneIsClearlyAhead) {
    m_script.otherwiseMs = 0.06;
    m_script.ms = {{"streamed", 0.05}, {"separable", 0.0525}};
    const AutotuneResult raced = race();
    EXPECT_EQ(raced.rows.front().variant, "streamed");
    EXPECT_EQ(rowOf(raced, "separable")->samples, 3) << "its interval has parted";
    EXPECT_EQ(rowOf(raced, "naive")->samples, 2);
}

TEST_F(AutoOnAScript, TunablesOfTheTableRaceBesideTheDefaults) {
    m_tuning = tableOf({{"naive", {{"block_width", 64}}, 1}});
    m_script.also = [](const std::string& variant, const TunableValues& tunables, int) {
        return variant == "naive" && tunables.at("block_width") == 64 ? 0.0 : 0.02;
    };
    m_script.otherwiseMs = 0.02;
    const AutotuneResult raced = race();
    EXPECT_EQ(raced.rows.front().id, "naive@block_width=64");
    EXPECT_EQ(std::ranges::count(raced.rows, "naive", &AutotuneResult::Row::variant), 2);
}

TEST_F(AutoOnAScript, WhatHasNoMemoryIsLeftOutAndALostDeviceEndsIt) {
    m_script.otherwiseMs = 0.02;
    m_script.full = {"streamed"};
    const AutotuneResult raced = race();
    EXPECT_EQ(rowOf(raced, "streamed"), nullptr);
    EXPECT_NE(rowOf(raced, "separable"), nullptr);
    m_script.fault = "separable";
    try {
        race();
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::fault);
        EXPECT_THAT(error.what(), HasSubstr("separable"));
    }
}

TEST_F(AutoOnAScript, AStopEndsTheRaceBeforeTheNextLaunchAndNothingIsRemembered) {
    m_script.otherwiseMs = 0.02;
    m_script.stopAfter = 4;
    try {
        measure();
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::cancelled);
    }
    EXPECT_EQ(launched(), 4U);
    EXPECT_TRUE(m_auto.shouldMeasure(task()));
    EXPECT_EQ(m_auto.known(task()).source, Choice::Source::table);
}

TEST_F(AutoOnAScript, ATaskIsRacedOnceAndSaysWhatWasMeasured) {
    m_script.otherwiseMs = 0.062;
    m_script.ms = {{"separable", 0.05}, {"naive", 0.055}};
    const Choice choice = measure();
    EXPECT_EQ(choice.variant, "separable");
    EXPECT_EQ(choice.source, Choice::Source::measured);
    EXPECT_THAT(choice.why, ::testing::MatchesRegex("measured here: separable 0.05 ms, ahead of naive by 10 %; "
                                                    "[0-9]+ variants raced in [0-9.]+ ms"));
    ASSERT_TRUE(choice.raced);
    const std::size_t before = launched();
    EXPECT_FALSE(m_auto.shouldMeasure(task()));
    EXPECT_EQ(measure().why, choice.why);
    EXPECT_EQ(m_auto.known(task()).variant, "separable");
    EXPECT_EQ(launched(), before) << "known: nothing is launched";
    measure("b");
    EXPECT_GT(launched(), before) << "another task";
}

TEST_F(AutoOnAScript, WhileInstancesAreBeingCompiledNothingIsRemembered) {
    auto tuning = std::make_shared<Tuning>(*m_tuning);
    int kept = 0;
    tuning->keep = [&](const DeviceInfo&, const TuningEntry&) { return ++kept, std::string(); };
    m_auto.setTuning(tuning);
    m_script.otherwiseMs = 0.06;
    m_script.ms = {{"naive", 0.04}};
    m_script.compiling = {"constant"};  // not the fastest: it may become that
    const Choice early = measure();
    EXPECT_EQ(early.variant, "naive");
    ASSERT_TRUE(early.raced);
    EXPECT_TRUE(early.raced->provisional);
    EXPECT_THAT(early.why, HasSubstr("not kept: instances for this very task are still being compiled"));
    EXPECT_EQ(kept, 0) << "on disk";
    EXPECT_TRUE(m_auto.shouldMeasure(task())) << "in this session";
    EXPECT_EQ(m_auto.known(task()).variant, "streamed") << "the guess, as before";
    m_script.compiling.clear();
    m_script.ms["constant"] = 0.02;
    const Choice settled = measure();
    EXPECT_EQ(settled.variant, "constant");
    EXPECT_FALSE(settled.raced->provisional);
    EXPECT_EQ(kept, 1);
    EXPECT_FALSE(m_auto.shouldMeasure(task()));
}

TEST_F(AutoOnAScript, WhatWasLaunchedBeforeARaceSaysNothingOfIt) {
    m_script.otherwiseMs = 0.06;
    m_device.note({.pending = true});
    EXPECT_FALSE(race().provisional);
    // A comparison that was stopped has left as many launches as are noticed at all.
    for (int i = 0; i < 100; ++i) m_device.note({.used = true});
    m_script.compiling = {"streamed"};  // the first to run
    EXPECT_TRUE(race().provisional);
}

TEST_F(AutoOnAScript, OnADeviceWhoseTimesRankNothingTheTableDecides) {
    ScriptedDevice cpu("CPU (SIMT)", DeviceKind::simt);
    const auto session = m_problem.open(cpu, m_resident);
    const AutoTask onCpu{m_family, m_problem, cpu.info(), m_none, "a", nullptr};
    EXPECT_FALSE(m_auto.shouldMeasure(onCpu));
    EXPECT_NE(m_auto.measured(onCpu, cpu, {session.get()}, {}, {}).source, Choice::Source::measured);
    EXPECT_EQ(launched(), 0U);
}

TEST_F(AutoOnAScript, WhileValuesChangeOnAPictureTheChoiceStays) {
    const auto one = std::make_shared<const io::Grid>(io::Shape{4, 4}, io::PixelType::u8);
    const auto other = std::make_shared<const io::Grid>(io::Shape{4, 4}, io::PixelType::u8);
    m_script.ms = {{"naive", 0.01}};
    m_script.otherwiseMs = 0.02;
    EXPECT_EQ(m_auto.known(task("a", one)).variant, "streamed") << "the first picture is shown by the guess";
    EXPECT_EQ(measure("a", one).variant, "naive");
    const std::size_t before = launched();
    EXPECT_EQ(m_auto.known(task("b", one)).variant, "naive");
    EXPECT_NE(m_auto.known(task("b", one)).source, Choice::Source::measured) << "nor is it said to be";
    EXPECT_EQ(m_auto.known(task("b", other)).variant, "streamed") << "another picture";
    EXPECT_EQ(launched(), before);
    // At rest.
    m_script.ms = {{"constant", 0.01}};
    EXPECT_EQ(measure("b", one).variant, "constant");
    EXPECT_EQ(m_auto.known(task("a", one)).variant, "naive");
    m_script.refused = {"naive"};
    EXPECT_EQ(m_auto.known(task("c", one)).variant, "streamed") << "what was chosen cannot do this";
}

TEST_F(AutoOnAScript, AnotherPictureInTheSamePlaceIsAnotherPicture) {
    m_script.ms = {{"naive", 0.01}};
    m_script.otherwiseMs = 0.02;
    io::Grid place({4, 4}, io::PixelType::u8);
    const auto pictureThere = [&] { return std::shared_ptr<const io::Grid>(&place, [](const io::Grid*) {}); };
    {
        const auto first = pictureThere();
        EXPECT_EQ(measure("a", first).variant, "naive");
        EXPECT_EQ(m_auto.known(task("b", first)).variant, "naive");
    }
    EXPECT_EQ(m_auto.known(task("b", pictureThere())).variant, "streamed");
}

TEST_F(AutoOnAScript, AWrongRowGivesWayToTheNext) {
    m_script.otherwiseMs = 0.06;
    m_script.ms = {{"naive", 0.01}, {"constant", 0.015}};
    m_script.wrong = {"naive"};
    const Choice choice = measure();
    EXPECT_EQ(choice.variant, "constant");
    EXPECT_THAT(choice.why, HasSubstr("naive was wrong here, at x 0 y 0: 1 instead of 2"));
    EXPECT_EQ(m_script.verified, 2);
    EXPECT_EQ(measure().variant, "constant");
    // One that a later picture shows to be wrong.
    m_auto.reject("a", "constant");
    EXPECT_TRUE(m_auto.shouldMeasure(task()));
    const Choice third = measure();
    EXPECT_NE(third.variant, "constant");
    EXPECT_NE(third.variant, "naive");
}

TEST_F(AutoOnAScript, WhenEveryRowIsWrongTheGuessStaysForTheCheckToTell) {
    for (const Variant& variant : m_family.variants()) m_script.wrong.insert(variant.id);
    m_script.otherwiseMs = 0.02;
    const Choice choice = measure();
    EXPECT_EQ(choice.variant, "streamed");
    EXPECT_NE(choice.source, Choice::Source::measured);
    EXPECT_THAT(choice.why, HasSubstr("no variant could be measured"));
}

TEST_F(AutoOnAScript, TheMemoryIsBounded) {
    m_script.otherwiseMs = 0.5;
    m_script.refused.clear();
    for (const Variant& variant : m_family.variants())
        if (variant.id != "streamed" && variant.id != "naive") m_script.refused.insert(variant.id);
    for (std::size_t i = 0; i <= AutoSelector::kMostRemembered; ++i) {
        measure(std::to_string(i));
        m_auto.known(task("0"));  // asked for time and again
    }
    EXPECT_FALSE(m_auto.shouldMeasure(task("0")));
    EXPECT_TRUE(m_auto.shouldMeasure(task("1"))) << "the one that was not asked for longest";
    EXPECT_FALSE(m_auto.shouldMeasure(task("2")));
}

TEST_F(AutoOnAScript, WhatAnotherSessionMeasuredIsTakenWithoutARace) {
    TuningTable cache{.device = "Scripted GPU",
                      .driver = "13.0",
                      .version = "1",
                      .date = "2026-01-31T00:00:00Z",
                      .source = "a test",
                      .entries = {}};
    cache.entries.push_back({.family = "convolution",
                             .traits = traits(),
                             .rows = {{"tiled_output", {{"block_width", 16}}, 1}, {"naive", {}, 1.25}},
                             .task = "a",
                             .date = "2026-02-03T10:00:00Z",
                             .bestMs = 0.04});
    auto tuning = std::make_shared<Tuning>(std::vector<TuningTable>(), std::vector{cache});
    std::vector<TuningEntry> kept;
    tuning->keep = [&](const DeviceInfo& device, const TuningEntry& entry) -> std::string {
        EXPECT_EQ(device.name, "Scripted GPU");
        kept.push_back(entry);
        return "the disk is full";
    };
    m_auto.setTuning(tuning);
    const Choice known = m_auto.known(task("a"));
    EXPECT_EQ(known.variant, "tiled_output");
    EXPECT_EQ(known.tunables, (TunableValues{{"block_width", 16}}));
    EXPECT_EQ(known.source, Choice::Source::measured);
    EXPECT_EQ(known.why, "measured here on 2026-02-03: tiled_output@block_width=16 0.04 ms, ahead of naive by 25 %");
    EXPECT_EQ(launched(), 0U);
    m_script.refused = {"tiled_output"};
    m_script.otherwiseMs = 0.02;
    m_script.ms = {{"constant", 0.01}, {"naive", 0.0105}};
    const Choice other = measure("b");
    EXPECT_THAT(other.why, HasSubstr("not kept for other sessions: the disk is full"));
    ASSERT_EQ(kept.size(), 1U);
    EXPECT_EQ(kept[0].task, "b");
    EXPECT_EQ(kept[0].rows.front().variant, "constant");
    EXPECT_NEAR(kept[0].bestMs, 0.01, 1e-9);
    EXPECT_NEAR(kept[0].rows[1].relative, 1.05, 1e-9);
    EXPECT_LE(kept[0].rows.size(), 6U);
}

TEST(TaskKey, TellsTasksApartThatMayTakeAnotherTime) {
    const Family& convolution = familyOf("convolution");
    const io::Grid picture({40, 30}, io::PixelType::u8), turned({30, 40}, io::PixelType::u8),
        floats({40, 30}, io::PixelType::f32);
    std::set<std::string> keys;
    const auto key = [&](const ParameterValues& values, const io::Grid& input, const TunableValues& wanted = {},
                         std::int64_t cap = 0) {
        return keys.insert(taskKey(convolution, values, input, wanted, cap)).second;
    };
    EXPECT_TRUE(key({}, picture));
    EXPECT_FALSE(key({{"border", valueOf(convolution.parameters(), {}, "border")}}, picture)) << "the default";
    EXPECT_TRUE(key({{"radius", std::int64_t{4}}}, picture));
    EXPECT_TRUE(key({}, turned));
    EXPECT_TRUE(key({}, floats));
    EXPECT_TRUE(key({}, picture, {{"block_width", 64}}));
    EXPECT_TRUE(key({}, picture, {}, 1000));
    for (const std::string& one : keys) EXPECT_EQ(one.size(), 16U);
}

TEST(TaskKey, LooksAtValuesOnlyWhereTheyDecideTheTime) {
    io::Grid dark({300, 200}, io::PixelType::u8), bright({300, 200}, io::PixelType::u8);
    std::fill_n(dark.data(), dark.bytes(), std::byte{0});
    std::fill_n(bright.data(), bright.bytes(), std::byte{200});
    const auto same = [&](const char* family) {
        return taskKey(familyOf(family), {}, dark, {}, 0) == taskKey(familyOf(family), {}, bright, {}, 0);
    };
    EXPECT_TRUE(same("convolution"));
    EXPECT_FALSE(same("histogram"));
}

}  // namespace
}  // namespace warplens::gpu::testing
