// SPDX-License-Identifier: Apache-2.0
// Drafts and versions of a kernel's text, what its head says, and what is said of its mistakes.
#include "gpu/user/kept_texts.hpp"

#include "gpu/user/problem.hpp"
#include "gpu/user/source.hpp"
#include "io/file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

namespace warplens::gpu::user {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(KeptTexts, ADraftIsTakenUpByTheNextAndByNoneWhileItsProgramLives) {
    const test::TemporaryFolder folder;
    KeptTexts next;
    next.setFolder(folder.path());
    {
        KeptTexts first;
        first.setFolder(folder.path());
        KeptTexts::write(first.draftFile(), {"my.cuh", "saved", "typed \xE2\x80\x93 here"});
        EXPECT_FALSE(next.takeUp());
    }
    const auto draft = next.takeUp();
    ASSERT_TRUE(draft);
    EXPECT_EQ(draft->path, "my.cuh");
    EXPECT_EQ(draft->saved, "saved");
    EXPECT_EQ(draft->text, "typed \xE2\x80\x93 here");
    KeptTexts third;
    third.setFolder(folder.path());
    EXPECT_FALSE(third.takeUp());
    EXPECT_NE(third.draftFile(), next.draftFile());
}

TEST(KeptTexts, VersionsAreKeptOnceNewestFirstUpToTheirNumber) {
    const test::TemporaryFolder folder;
    KeptTexts texts;
    texts.keep("nowhere", "my.cuh", "verified");
    texts.setFolder(folder.path());
    for (int i = 0; i < KeptTexts::kMostVersions + 3; ++i) {
        texts.keep(std::to_string(i), "mine/my.cuh", "wrong");
        texts.keep(std::to_string(i), "mine/my.cuh", "verified");
    }
    const auto all = texts.versions();
    // Of one thousandth of a second the last stays.
    ASSERT_LE(all.size(), static_cast<std::size_t>(KeptTexts::kMostVersions));
    ASSERT_GE(all.size(), 2U);
    EXPECT_EQ(io::readText(all.front().file.string()), std::to_string(KeptTexts::kMostVersions + 2));
    EXPECT_THAT(all.front().title, EndsWith("  my wrong"));
    EXPECT_EQ(all.front().title.size(), std::string("2026-11-30 01:47:40  my wrong").size());
    EXPECT_GT(all.front().file, all.back().file);
}

TEST(KernelSource, ANumberOfTheHeadIsChangedOrPutThere) {
    Tunable width;
    width.id = "block_width";
    width.minimum = 1;
    width.maximum = 1024;
    const std::string declared =
        "// An idea.\n//  tunable block_width_2 = 4 (4)\n//tunable block_width =  32 (8, 32)\ncode\n";
    EXPECT_EQ(withTunable(declared, width, 8),
              "// An idea.\n//  tunable block_width_2 = 4 (4)\n//tunable block_width =  8 (8, 32)\ncode\n");
    EXPECT_EQ(withTunable("// An idea.\ncode\n", width, 9),
              "// An idea.\n// tunable block_width = 9 (1..1024)\ncode\n");
    EXPECT_EQ(withTunable("code", width, 9), "// tunable block_width = 9 (1..1024)\ncode");
}

TEST(KernelProblem, HasTheLinesOfASentenceAndWordsForIt) {
    const KernelProblem unknown =
        problemOf("my+1.cuh:12: error: 'sums' was not declared in this scope", "my+1.cuh", true);
    EXPECT_EQ(unknown.line, 12);
    EXPECT_EQ(unknown.otherLine, 0);
    EXPECT_TRUE(unknown.error);
    EXPECT_EQ(unknown.message, "error: 'sums' was not declared in this scope");
    EXPECT_THAT(unknown.explanation, HasSubstr("has not met this name"));
    const KernelProblem race = problemOf("data race: my.cuh:7 writes what my.cuh:9 reads", "my.cuh", false);
    EXPECT_EQ(race.line, 7);
    EXPECT_EQ(race.otherLine, 9);
    EXPECT_EQ(race.message, "data race: line 7 writes what line 9 reads");
    EXPECT_THAT(race.explanation, StartsWith("Two threads use the same place"));
    EXPECT_EQ(problemOf("nobody knows", "my.cuh", true).explanation, "");
}

}  // namespace
}  // namespace warplens::gpu::user
