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

TEST(Documents, TheirTablesAreThoseOfTheRegistryAndOfTheRecords) {
    const auto expectTable = [](const char* what, const char* document, const std::string& expected) {
        const std::string text = readText(kRoot / document);
        const std::string begin = std::string("<!-- ") + what + ":begin -->\n",
                          end = std::string("<!-- ") + what + ":end -->";
        const auto from = text.find(begin), to = text.find(end);
        ASSERT_NE(from, std::string::npos) << document;
        ASSERT_NE(to, std::string::npos) << document;
        EXPECT_EQ(text.substr(from + begin.size(), to - from - begin.size()), expected)
            << "run scripts/documents, which writes the table of " << what << " in " << document;
    };
    expectTable("variants", "docs/variants.md", cli({"list", "variants", "--markdown"}).out);
    expectTable("formats", "docs/files.md", cli({"list", "formats", "--markdown"}).out);
    expectTable("benchmarks", "docs/benchmarks.md",
                runProgram({"/bin/bash", (kRoot / "scripts/benchmarks").string()}).out);
}

TEST(Documents, ReadmeIsShort) { EXPECT_LE(readText(kRoot / "README.md").size(), 8000U); }

// In the README, and wherever a document leads on from it.
TEST(Documents, WhatTheyLinkToExists) {
    std::vector<std::filesystem::path> documents{kRoot / "README.md", kRoot / "CONTRIBUTING.md"};
    for (const auto& entry : std::filesystem::directory_iterator(kRoot / "docs")) documents.push_back(entry.path());
    for (const auto& document : documents) expectLinksExist(document);
}

}  // namespace warplens::test
