// SPDX-License-Identifier: Apache-2.0
// Every lesson that is shipped, counted anew: its claims hold, one answer is right, and no number in it is made up.
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/lessons/measure.hpp"
#include "gpu/lessons/prediction.hpp"
#include "gpu/trace/variant_tracer.hpp"
#include "io/generate.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace warplens::gpu::testing {
namespace {

std::filesystem::path resources(const char* name) {
    return std::filesystem::path(WARPLENS_SOURCE_DIR) / "resources" / name;
}

LessonRecords count(const Lesson& lesson) {
    LessonRecords records;
    for (std::size_t i = 0; i < lesson.runs.size(); ++i) {
        const LessonRun& run = lesson.runs[i];
        const Family& family = familyOf(run.family);
        trace::VariantTracer tracer(family, std::make_shared<const io::Grid>(io::generate(run.input)), run.parameters);
        records.emplace_back();
        for (const std::string& id : variantsOf(lesson, i)) {
            const Variant& variant = variantOf(family, id);
            TunableValues tunables;
            for (const Tunable& tunable : variant.tunables)
                if (const auto chosen = run.tunables.find(tunable.id); chosen != run.tunables.end())
                    tunables.insert(*chosen);
            records.back()[id] = tracer.trace(variant, tunables, {.whole = true}, {}, {});
        }
    }
    return records;
}

TEST(Lessons, EveryClaimHoldsOnCountsTakenNowAndOneAnswerIsRight) {
    const Lessons lessons = loadLessons(resources("families"));
    for (const std::string& problem : lessons.problems) ADD_FAILURE() << problem;
    ASSERT_GE(lessons.all.size(), 15U);
    const RecordedRuns recorded = loadRecorded(resources("recorded"));
    std::set<std::size_t> places;
    for (const Lesson& lesson : lessons.all) {
        SCOPED_TRACE(lesson.id);
        const LessonRecords records = count(lesson);
        for (const auto& run : records)
            for (const auto& [id, record] : run)
                EXPECT_EQ(record.counters ? record.counters->tracedShare : 0, 1) << id << record.reason;
        LessonValues values;
        ASSERT_NO_THROW(values = measureLesson(lesson, records, recorded));
        for (std::size_t i = 0; i < lesson.claims.size(); ++i)
            EXPECT_TRUE(holds(lesson.claims[i], values)) << "claim " << i + 1 << " of " << lesson.claims[i].left
                                                         << " = " << values.at(lesson.claims[i].left).value;
        const auto right = rightAnswers(lesson, values);
        std::string seen;
        for (const auto& [id, value] : values) seen += " " + id + "=" + std::to_string(value.value);
        EXPECT_EQ(right.size(), 1U) << seen;
        if (!right.empty()) places.insert(right.front());
        // Each ends in a counted truth, and tells every number with its origin.
        EXPECT_TRUE(std::ranges::any_of(values, [](const auto& one) { return one.second.origin == Origin::counted; }));
        EXPECT_EQ(lesson.text.size(), 2U);
        EXPECT_FALSE(lesson.explanation.empty());
        for (const std::string& paragraph : lesson.explanation) {
            for (const WhyPiece& piece : tell(paragraph, values).pieces) {
                const std::string words = piece.origin ? std::string() : piece.text;
                EXPECT_EQ(words.find_first_of("0123456789{}"), std::string::npos) << words;
            }
        }
        const Family& next = familyOf(lesson.tryThis.task.family);
        const auto input = std::make_shared<const io::Grid>(io::generate(lesson.tryThis.task.input));
        EXPECT_NO_THROW(next.pose(input, lesson.tryThis.task.parameters));
    }
    EXPECT_GE(places.size(), 3U) << "the right answer must not always stand in the same place";
}

TEST(Lessons, WhatAFormulaSaysStandsBelowNoTitleOfACountThatTheLessonDoesNotTake) {
    for (const Lesson& lesson : loadLessons(resources("families")).all)
        for (const LessonMeasure& one : lesson.measures) {
            if (!one.modelled || figureOf(one.figure)->counted == nullptr) continue;
            EXPECT_TRUE(std::ranges::any_of(
                lesson.measures,
                [&](const LessonMeasure& other) { return other.figure == one.figure && !other.modelled; }))
                << lesson.id << ": " << one.label << " is no " << figureOf(one.figure)->name;
        }
}

TEST(Lessons, ATimeThatNobodyModelledIsRecordedWithItsDeviceAndDate) {
    int noted = 0;
    for (const Lesson& lesson : loadLessons(resources("families")).all) {
        for (const LessonMeasure& one : lesson.measures) {
            // A formula for a time is a rate, which the label names.
            const bool rate = one.label.find(" at ") != std::string::npos;
            EXPECT_TRUE(!one.modelled || one.figure != "time" || rate) << lesson.id << ": " << one.label;
            if (!one.noted) continue;
            ++noted;
            Lesson alone;
            alone.measures = {one};
            const LessonValue value = measureLesson(alone, {}, {}).at(one.id);
            EXPECT_EQ(value.origin, Origin::recorded) << lesson.id << ": " << one.label;
            EXPECT_FALSE(value.device.empty() || value.date.empty()) << lesson.id << ": " << one.label;
        }
    }
    EXPECT_GE(noted, 9);
}

TEST(Lessons, FilesFollowTheirSchemaAndABadOneCostsItselfAlone) {
    const test::TemporaryFolder folder;
    std::filesystem::path first, lessonsOfAFamily;
    for (const Family* family : families()) {
        const std::filesystem::path shipped = resources("families") / family->id() / "lessons";
        if (!std::filesystem::is_directory(shipped)) continue;
        const auto lessons = std::filesystem::path(folder.path()) / family->id() / "lessons";
        std::filesystem::create_directories(lessons);
        for (const auto& entry : std::filesystem::directory_iterator(shipped)) {
            EXPECT_EQ(test::violation("lesson", test::readText(entry.path())), "") << entry.path();
            std::filesystem::copy(entry.path(), lessons);
            if (entry.path().filename() == "01-operations-per-byte.json") {
                first = entry.path();
                lessonsOfAFamily = lessons;
            }
        }
    }
    ASSERT_FALSE(first.empty());
    std::filesystem::copy(resources("families") / "chapters.json", folder.path());
    const std::string good = test::readText(first);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string bad = good;
        bad.replace(bad.find(from), from.size(), to);
        return bad;
    };
    test::writeText(lessonsOfAFamily / "98-no-figure.json", with("operations_per_byte", "speed"));
    test::writeText(lessonsOfAFamily / "99-no-measure.json", with("\"left\": \"naive\"", "\"left\": \"nave\""));
    test::writeText(lessonsOfAFamily / "99-nowhere.json", with("\"global-memory\"", "\"nowhere\""));
    const Lessons lessons = loadLessons(folder.path());
    ASSERT_EQ(lessons.problems.size(), 3U);
    EXPECT_NE(lessons.problems[2].find("there is no chapter \"nowhere\""), std::string::npos) << lessons.problems[2];
    EXPECT_NE(lessons.problems[0].find("there is no figure \"speed\""), std::string::npos) << lessons.problems[0];
    EXPECT_NE(lessons.problems[1].find("there is no measure \"nave\""), std::string::npos) << lessons.problems[1];
    EXPECT_EQ(lessons.all.size(), loadLessons(resources("families")).all.size());
    EXPECT_TRUE(loadLessons(folder / "nowhere").all.empty());
}

TEST(Lessons, StandInChaptersEachAfterWhatItNeeds) {
    const Lessons lessons = loadLessons(resources("families"));
    std::set<std::string> before, used;
    for (const LessonChapter& chapter : lessons.chapters) {
        for (const std::string& needed : chapter.needs) EXPECT_TRUE(before.contains(needed)) << chapter.id << needed;
        EXPECT_TRUE(before.insert(chapter.id).second) << chapter.id;
    }
    std::string last;
    for (const Lesson& lesson : lessons.all) {
        if (lesson.chapter != last) {
            EXPECT_TRUE(used.insert(lesson.chapter).second) << lesson.id << ": parted";
        }
        last = lesson.chapter;
    }
    EXPECT_EQ(used, before) << "no chapter is empty, and each lesson has one";
    EXPECT_EQ(lessons.all.front().chapter, lessons.chapters.front().id);
}

TEST(Lessons, OnesOwnComeAfterThoseThatAreShipped) {
    const std::filesystem::path shipped =
        resources("families") / "convolution" / "lessons" / "01-operations-per-byte.json";
    const std::string good = test::readText(shipped);
    const test::TemporaryFolder folder;
    test::writeText(folder / "00-mine.json", good);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string bad = good;
        const auto at = bad.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return bad.replace(at, from.size(), to);
    };
    test::writeText(folder / "01-no-run.json", with("\"runs\": [", "\"runs\": [], \"spare\": ["));
    test::writeText(folder / "02-tells-nothing.json", with("{naive}", "{nave}"));
    test::writeText(folder / "03-torn.json", good.substr(0, good.size() / 2));
    const Lessons lessons = loadLessons(resources("families"), folder.path());
    ASSERT_EQ(lessons.problems.size(), 3U);
    EXPECT_NE(lessons.problems[0].find("01-no-run.json"), std::string::npos) << lessons.problems[0];
    EXPECT_NE(lessons.problems[1].find("\"nave\", which is not a measure"), std::string::npos) << lessons.problems[1];
    EXPECT_EQ(lessons.all.size(), loadLessons(resources("families")).all.size() + 1);
    EXPECT_EQ(lessons.all.back().id, "00-mine");
}

TEST(Lessons, PredictionsOfAClassAreCountedByTheirWords) {
    const test::TemporaryFolder folder;
    const Lesson lesson{.id = "tiles", .title = "Tiles", .answers = {{.text = "more"}, {.text = "fewer"}}};
    const Lesson other{.id = "trees", .title = "Trees", .answers = {{.text = "more"}}};
    const Lesson later{.id = "tiles", .title = "Tiles", .answers = {{.text = "fewer"}, {.text = "as many"}}};
    std::vector<std::string> paths;
    const auto add = [&](const std::string& text) {
        paths.push_back(folder / (std::to_string(paths.size()) + ".json"));
        test::writeText(paths.back(), text);
    };
    for (const int answer : {1, 0, 1}) add(predictionOf(lesson, answer));
    add(predictionOf(later, 0));
    add(predictionOf(other, 0));
    add(predictionOf(later, 1));
    add("{}");
    add("more");
    paths.push_back(folder / "gone.json");
    const Votes votes = votesIn(lesson, paths);
    EXPECT_EQ(votes.counts, (std::vector<int>{1, 3}));
    ASSERT_EQ(votes.problems.size(), 5U);
    EXPECT_EQ(votes.problems[0], paths[4] + ": a prediction for another lesson, \"Trees\"");
    EXPECT_NE(votes.problems[1].find("has no answer \"as many\""), std::string::npos) << votes.problems[1];
    for (const std::string& problem : votes.problems) {
        EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
        EXPECT_NE(problem.find(folder.path()), std::string::npos) << problem;
    }
}

TEST(Lessons, AClaimThatDoesNotHoldIsSeen) {
    LessonValues values;
    values["a"] = {.value = 2, .low = 1.9, .high = 2.1, .text = {}};
    values["b"] = {.value = 2.05, .low = 2.0, .high = 2.2, .text = {}};
    using R = LessonClaim::Relation;
    const auto claim = [&](R relation, std::variant<std::string, double> right, double factor = 1, double within = 0) {
        return holds({.left = "a", .relation = relation, .right = std::move(right), .factor = factor, .within = within},
                     values);
    };
    EXPECT_TRUE(claim(R::same, "b"));
    EXPECT_FALSE(claim(R::below, "b"));
    EXPECT_FALSE(claim(R::above, "b"));
    EXPECT_TRUE(claim(R::below, "b", 2));
    EXPECT_TRUE(claim(R::above, 1.5));
    EXPECT_FALSE(claim(R::above, 1.95)) << "the interval reaches below";
    EXPECT_TRUE(claim(R::equal, 2.0));
    EXPECT_FALSE(claim(R::equal, 2.05));
    EXPECT_TRUE(claim(R::equal, 2.05, 1, 0.05));
    EXPECT_THROW(tell("so {c} it is", values), Error);
}

}  // namespace
}  // namespace warplens::gpu::testing
