// SPDX-License-Identifier: Apache-2.0
// A family and a variant as the recipes of CONTRIBUTING.md make them run and are verified.
#include "tests/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test {

using testing::HasSubstr;

TEST(Recipes, FamilyAndVariantRunAndAreVerified) {
    const auto cli = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), WARPLENS_RECIPE_CLI);
        return runProgram(arguments, {{"XDG_CACHE_HOME", "/proc/nonexistent"}});
    };
    EXPECT_THAT(cli({"list", "variants", "sloping", "--markdown"}).out,
                HasSubstr("| sloping | wide_rows | one thread, one value | plain |"));
    const Outcome outcome =
        cli({"compare", "gen:noise:50x40:u8:c=3", "sloping", "--variants", "all", "--device", "cpu"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    for (const char* variant : {"plain", "wide_rows", "coarsened"}) EXPECT_THAT(outcome.out, HasSubstr(variant));
    EXPECT_THAT(outcome.out, HasSubstr("verified"));
}

}  // namespace warplens::test
