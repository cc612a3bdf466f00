// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <gtest/gtest.h>

namespace warplens::test {

namespace {

const std::filesystem::path kRoot = WARPLENS_SOURCE_DIR;

}  // namespace

TEST(Readme, itsTableOfVariantsIsTheRegistrys) {
    const std::string text = readText(kRoot / "README.md");
    const std::string begin = "<!-- variants:begin -->\n", end = "<!-- variants:end -->";
    const auto from = text.find(begin), to = text.find(end);
    ASSERT_NE(from, std::string::npos);
    ASSERT_NE(to, std::string::npos);
    EXPECT_EQ(text.substr(from + begin.size(), to - from - begin.size()), cli({"list", "variants", "--markdown"}).out)
        << "paste the output of warplens-cli list variants --markdown between the markers";
}

TEST(Readme, whatItLinksToExists) {
    const std::string text = readText(kRoot / "README.md");
    for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
        const std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
        if (target.find("://") != std::string::npos || target.front() == '#') continue;
        EXPECT_TRUE(std::filesystem::exists(kRoot / target)) << target;
    }
}

}  // namespace warplens::test
