// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace warplens::test {

namespace {

const std::filesystem::path kRoot = WARPLENS_SOURCE_DIR;

void expectLinksExist(const std::filesystem::path& document) {
    const std::string text = readText(document);
    for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
        const std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
        if (target.find("://") != std::string::npos || target.front() == '#') continue;
        EXPECT_TRUE(std::filesystem::exists(document.parent_path() / target)) << document << ": " << target;
    }
}

}  // namespace

TEST(Documents, TheTableOfVariantsIsTheRegistrys) {
    const std::string text = readText(kRoot / "docs/variants.md");
    const std::string begin = "<!-- variants:begin -->\n", end = "<!-- variants:end -->";
    const auto from = text.find(begin), to = text.find(end);
    ASSERT_NE(from, std::string::npos);
    ASSERT_NE(to, std::string::npos);
    EXPECT_EQ(text.substr(from + begin.size(), to - from - begin.size()), cli({"list", "variants", "--markdown"}).out)
        << "paste the output of warplens-cli list variants --markdown between the markers of docs/variants.md";
}

TEST(Documents, ReadmeIsShort) { EXPECT_LE(readText(kRoot / "README.md").size(), 8000U); }

// In the README, and wherever a document leads on from it.
TEST(Documents, WhatTheyLinkToExists) {
    std::vector<std::filesystem::path> documents{kRoot / "README.md", kRoot / "CONTRIBUTING.md"};
    for (const auto& entry : std::filesystem::directory_iterator(kRoot / "docs")) documents.push_back(entry.path());
    for (const auto& document : documents) expectLinksExist(document);
}

}  // namespace warplens::test
