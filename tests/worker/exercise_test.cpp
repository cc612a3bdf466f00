// SPDX-License-Identifier: Apache-2.0
// Every exercise that is shipped, what is handed in, and a class.
#include "app/worker/client.hpp"
#include "gpu/core/error.hpp"
#include "gpu/exercise/hand_in.hpp"
#include "gpu/lessons/lesson.hpp"
#include "gpu/run/runner.hpp"
#include "io/file.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace warplens::gpu::exercise {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path kFolder = WARPLENS_EXERCISES;

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder))
        all.push_back(entry.path().filename().string());
    std::ranges::sort(all);
    return all;
}

Judgement judgementOf(const Exercise& exercise, const std::string& text) {
    Runner runner;
    return judge(exercise, worker::makeKernel(fileOf(exercise), text), runner);
}

std::string told(const Judgement& judgement) {
    std::string text = judgement.reason;
    for (const GoalState& goal : judgement.goals) text += (goal.reached ? " +" : " -") + goal.now;
    return text;
}

class ShippedExercise : public ::testing::TestWithParam<std::string> {
protected:
    const std::filesystem::path m_folder = kFolder / GetParam();
    Exercise m_exercise = load(m_folder);
};

TEST_P(ShippedExercise, ObeysItsSchemaAndHasWhatItsPageShows) {
    EXPECT_EQ(test::violation("exercise", io::readText((m_folder / "exercise.json").string())), "");
    for (const std::string& text : {m_exercise.title, m_exercise.chapter, m_exercise.story, m_exercise.task})
        EXPECT_FALSE(text.empty());
    EXPECT_GE(m_exercise.hints.size(), 2U);
    EXPECT_EQ(m_exercise.goals.at(0).metric, Goal::kVerified);
    EXPECT_EQ(m_exercise.goals.at(1).metric, Goal::kClean);
}

TEST_P(ShippedExercise, SolutionReachesAllGoals) {
    const Judgement judgement = judgementOf(m_exercise, m_exercise.solution);
    EXPECT_TRUE(judgement.allReached()) << told(judgement);
}

TEST_P(ShippedExercise, StartMissesAGoal) {
    const Judgement judgement = judgementOf(m_exercise, m_exercise.start);
    EXPECT_FALSE(judgement.allReached()) << told(judgement);
}

TEST_P(ShippedExercise, WastefulWayIsRightAndMissesAGoal) {
    if (std::ranges::none_of(m_exercise.goals, &Goal::counted)) GTEST_SKIP() << "nothing is counted";
    m_exercise.cases.resize(1);
    const Judgement judgement = judgementOf(m_exercise, io::readText((m_folder / "wasteful.cuh").string()));
    EXPECT_TRUE(judgement.goals.at(0).reached) << told(judgement);
    EXPECT_FALSE(judgement.allReached()) << told(judgement);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedExercise, ::testing::ValuesIn(names()), [](const auto& shipped) {
    std::string name = shipped.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(Exercises, AreFoundInOrderAndWhatIsNoneIsTold) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "b");
    test::writeText(folder / "b/exercise.json", "{}");
    std::filesystem::copy(kFolder / "050-missing-barrier", folder / "c");
    std::filesystem::copy(kFolder / "010-first-index", folder / "a");
    const Exercises found = loadAll(std::filesystem::path(folder / "."));
    ASSERT_EQ(found.list.size(), 2U);
    EXPECT_EQ(found.list[0].name, "a");
    EXPECT_EQ(found.list[1].kind, Kind::repair);
    ASSERT_EQ(found.problems.size(), 1U);
    EXPECT_THAT(found.problems[0], HasSubstr("b/exercise.json: no exercise: the field 'title' is missing"));
}

TEST(Exercises, OneMayBeNamedItselfAndNoneIsTold) {
    const Exercises one = loadAll(kFolder / "050-missing-barrier");
    ASSERT_EQ(one.list.size(), 1U);
    EXPECT_EQ(one.list[0].name, "050-missing-barrier");
    const test::TemporaryFolder folder;
    const Exercises none = loadAll(std::filesystem::path(folder / "."));
    ASSERT_EQ(none.problems.size(), 1U);
    EXPECT_THAT(none.problems[0], HasSubstr(": no exercises: each is a folder in it, with exercise.json"));
}

TEST(Exercises, MetricThatNothingCountsIsRefused) {
    const test::TemporaryFolder folder;
    std::filesystem::copy(kFolder / "050-missing-barrier", folder / "c");
    std::string text = test::readText(folder / "c/exercise.json");
    text.replace(text.find("\"reuse\""), 7, "\"beauty\"");
    test::writeText(folder / "c/exercise.json", text);
    EXPECT_THAT([&] { load(std::filesystem::path(folder / "c")); },
                ::testing::ThrowsMessage<Error>(HasSubstr("nothing counts \"beauty\"")));
}

/// With a goal in time against our plain variant.
Exercise timedExercise(const test::TemporaryFolder& folder, const std::string& goal) {
    std::filesystem::copy(kFolder / "050-missing-barrier", folder / "timed");
    std::string text = test::readText(folder / "timed/exercise.json");
    text.replace(text.find("\"goals\": ["), 10, "\"goals\": [" + goal + ",");
    test::writeText(folder / "timed/exercise.json", text);
    EXPECT_EQ(test::violation("exercise", text), "");
    return load(std::filesystem::path(folder / "timed"));
}

TEST(Exercises, GoalInTimeIsAPartOfAVariantsTimeInTheSameRun) {
    const test::TemporaryFolder folder;
    const Exercise exercise = timedExercise(
        folder,
        R"({"metric": "time", "at_most": 1000, "against": "naive", "text": "x", "input": "gen:noise:32x32:f32"})");
    EXPECT_EQ(limitOf(exercise.goals[0]), "at most 1000.00 of naive's");
    const auto kernel = worker::makeKernel(fileOf(exercise), exercise.solution);
    Runner runner;
    const Judgement timed = judge(exercise, kernel, runner, {}, {}, "cpu");
    EXPECT_TRUE(timed.allReached()) << told(timed);
    EXPECT_GT(timed.goals[0].value.value_or(0), 0);
    EXPECT_THAT(timed.goals[0].now, HasSubstr(" of naive's"));
    // Where there is no GPU it is left open.
    const Judgement open = judge(exercise, kernel, runner, {}, {}, "");
    EXPECT_EQ(open.goals[0].now, "needs a GPU");
    EXPECT_EQ(open.judged(), static_cast<int>(exercise.goals.size()) - 1);
    EXPECT_TRUE(open.allReached());
    // What is wrong has no time.
    const auto start = worker::makeKernel(fileOf(exercise), exercise.start);
    EXPECT_EQ(judge(exercise, start, runner, {}, {}, "cpu").goals[0].now, "wrong");
}

TEST(Exercises, GoalInTimeNamesAVariantOfTheFamily) {
    for (const char* goal : {R"({"metric": "time", "at_most": 1, "against": "nobody", "text": "x"})",
                             R"({"metric": "time", "against": "naive", "text": "x"})"}) {
        const test::TemporaryFolder folder;
        EXPECT_THROW(timedExercise(folder, goal), Error) << goal;
    }
}

class HandedIn : public ::testing::Test {
protected:
    test::Outcome call(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "exercise");
        const char* cache = std::getenv("XDG_CACHE_HOME");
        return test::cli(std::move(arguments), {{"XDG_CACHE_HOME", cache == nullptr ? "" : cache}});
    }
    std::string file(const std::string& name) const { return m_folder / name; }
    test::TemporaryFolder m_folder;
    const std::string m_solution = (kFolder / "050-missing-barrier" / "solution.cuh").string();
};

TEST_F(HandedIn, FilesAreMergedAndAChangedOneIsNamed) {
    const test::Outcome start = call({"start", "050-missing-barrier"});
    EXPECT_EQ(start.status, 0) << start.err;
    test::writeText(file("start.cuh"), start.out);
    const test::Outcome missed = call({"check", "050-missing-barrier", file("start.cuh")});
    EXPECT_EQ(missed.status, 1) << missed.err;
    EXPECT_THAT(missed.out, HasSubstr("2 of 4 goals reached."));
    EXPECT_THAT(missed.out, HasSubstr("data race: blur"));
    const test::Outcome good =
        call({"hand-in", "050-missing-barrier", m_solution, "--hints", "2", "-o", file("anna.json")});
    EXPECT_EQ(good.status, 0) << good.err;
    const std::string anna = test::readText(file("anna.json"));
    EXPECT_EQ(test::violation("hand_in", anna), "");
    std::string changed = anna;
    changed.replace(changed.find("\"hints\": 2"), 10, "\"hints\": 0");
    test::writeText(file("ben.json"), changed);

    const test::Outcome board = call({"class", file("anna.json"), file("ben.json"), "-o", file("class.csv")});
    EXPECT_EQ(board.status, 0) << board.err;
    EXPECT_THAT(board.err, HasSubstr("ben.json: was changed after it was handed in"));
    EXPECT_THAT(board.err, ::testing::Not(HasSubstr("anna.json")));
    EXPECT_THAT(board.out, HasSubstr("4 of 4"));
    EXPECT_THAT(test::readText(file("class.csv")), HasSubstr("ben.json,050-missing-barrier,barriers,"));
    EXPECT_EQ(call({"class", m_solution}).status, 2);
    EXPECT_EQ(call({"check", "nothing", m_solution}).status, 2);
}

TEST(Exercises, StandInTheChaptersOfTheLessonsThatEndInThem) {
    const Lessons lessons = loadLessons(kFolder.parent_path() / "families");
    std::map<std::string, std::string> titles;  // of chapters, by id
    for (const LessonChapter& chapter : lessons.chapters) titles[chapter.id] = chapter.title;
    std::map<std::string, std::string> chapters;  // by exercise
    for (const Exercise& one : loadAll(kFolder).list) {
        chapters[one.name] = one.chapter;
        EXPECT_TRUE(std::ranges::any_of(titles, [&](const auto& title) { return title.second == one.chapter; }))
            << one.name << " is of no chapter: " << one.chapter;
    }
    std::set<std::string> ending;
    for (const Lesson& lesson : lessons.all) {
        if (lesson.exercise.empty()) continue;
        ASSERT_TRUE(chapters.contains(lesson.exercise)) << lesson.id << ": " << lesson.exercise;
        EXPECT_EQ(chapters[lesson.exercise], titles[lesson.chapter]) << lesson.id;
        ending.insert(titles[lesson.chapter]);
    }
    for (const auto& [name, chapter] : chapters) EXPECT_TRUE(ending.contains(chapter)) << name;
}

TEST_F(HandedIn, ExercisesOfAFolderAndHintsAreShown) {
    std::filesystem::copy(kFolder / "080-seams", file("seams"));
    const test::Outcome list = call({"list", "--folder", file("")});
    EXPECT_EQ(list.status, 0) << list.err;
    EXPECT_THAT(list.out, HasSubstr("Seams in the blur"));
    EXPECT_THAT(list.out, ::testing::Not(HasSubstr("110-median")));
    const test::Outcome shown = call({"show", "seams", "--hints", "1", "--folder", file("")});
    EXPECT_THAT(shown.out, HasSubstr("Hint 1 of 3: "));
    EXPECT_THAT(shown.out, HasSubstr("1 of 3 hints opened"));
    EXPECT_THAT(shown.out, HasSubstr("(load_sectors at most 1,800)"));
}

}  // namespace
}  // namespace warplens::gpu::exercise
