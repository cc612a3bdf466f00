// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/history/kept.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <random>

namespace warplens::test {
namespace {

using gpu::history::Store;
using testing::HasSubstr;

constexpr std::size_t kEntries = 6, kHeader = 100, kPage = 4096;

/// A whole history as one file.
std::string wholeFile() {
    const TemporaryFolder folder;
    const std::string file = folder / "history.sqlite";
    {
        Store store(file);
        std::mt19937 random(1);
        for (std::size_t i = 0; i < kEntries; ++i) {
            gpu::Report report = reportOf("before", i % 2 == 0);
            // Reports of several pages, which no other page points into but the one before.
            for (int fact = 0; fact < 900; ++fact) report.facts.push_back(std::to_string(random()));
            store.add(report);
        }
    }
    return readText(file);
}

/// Opens and fills a history of these bytes: afterwards all is there, or the bytes are under another name, or they are
/// of a newer version and untouched.
void expectNothingLost(const std::string& bytes, const std::string& what) {
    const TemporaryFolder folder;
    const std::string file = folder / "history.sqlite";
    writeText(file, bytes);
    Store store(file);
    try {
        store.add(reportOf("after"));
    } catch (const std::exception& error) {
        EXPECT_THAT(error.what(), HasSubstr("newer")) << what;
        EXPECT_EQ(readText(file), bytes) << what;
        return;
    }
    const std::size_t listed = store.list().size();
    if (store.notices().empty()) {
        EXPECT_EQ(listed, bytes.empty() ? 1 : kEntries + 1) << what;
        EXPECT_EQ(filesWith(folder.path(), "damaged"), 0) << what;
        return;
    }
    EXPECT_EQ(listed, 1U) << what;
    ASSERT_EQ(store.notices().size(), 1U) << what;
    EXPECT_THAT(store.notices().front(), HasSubstr(file + ".damaged-")) << what;
    int found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        const std::string name = entry.path().filename().string();
        if (name.find("damaged") == std::string::npos || name.ends_with("-wal") || name.ends_with("-shm")) continue;
        EXPECT_EQ(readText(entry.path()), bytes) << what << ": " << name;
        ++found;
    }
    EXPECT_EQ(found, 1) << what;
}

TEST(HistoryDamage, WhateverIsCutOff) {
    const std::string whole = wholeFile();
    ASSERT_EQ(whole.size() % kPage, 0U);
    ASSERT_GE(whole.size(), 4 * kPage);
    for (std::size_t bytes = 0; bytes < whole.size(); bytes += bytes < kHeader ? 9 : 701)
        expectNothingLost(whole.substr(0, bytes), "cut at " + std::to_string(bytes));
    for (std::size_t bytes = 0; bytes < whole.size(); bytes += kPage)
        expectNothingLost(whole.substr(0, bytes), "cut at " + std::to_string(bytes));
}

TEST(HistoryDamage, WhateverOfItsHeaderIsZeroOrNoise) {
    const std::string whole = wholeFile();
    for (const int filling : {0, 0x5a, 0xff}) {
        for (std::size_t at = 0; at < kHeader; at += 4) {
            std::string broken = whole;
            std::fill_n(broken.begin() + static_cast<std::ptrdiff_t>(at), 4, static_cast<char>(filling));
            expectNothingLost(broken, std::to_string(filling) + " at " + std::to_string(at));
        }
        std::string broken = whole;
        std::fill_n(broken.begin(), kHeader, static_cast<char>(filling));
        expectNothingLost(broken, std::to_string(filling) + " in the whole header");
    }
}

TEST(HistoryDamage, WhateverPageIsZeroOrNoise) {
    const std::string whole = wholeFile();
    std::mt19937 random(3);
    for (std::size_t page = 0; page < whole.size(); page += kPage) {
        std::string zero = whole, noise = whole;
        for (std::size_t i = page; i < page + kPage; ++i) {
            zero[i] = 0;
            noise[i] = static_cast<char>(random());
        }
        for (const std::string& broken : {zero, noise}) {
            // A page that holds nothing but a part of a report is no structure: reading that report tells.
            const TemporaryFolder folder;
            writeText(folder / "history.sqlite", broken);
            Store store(folder / "history.sqlite");
            std::size_t lost = 0;
            for (const auto& kept : store.list()) {
                try {
                    (void)store.report(kept.id);
                } catch (const std::exception& error) {
                    EXPECT_THAT(error.what(), HasSubstr("history prune"));
                    ++lost;
                }
            }
            EXPECT_TRUE(!store.notices().empty() || (lost > 0 && store.list().size() == kEntries)) << "page " << page;
        }
    }
}

TEST(HistoryDamage, ADatabaseOfAnotherProgramIsSetAside) {
    const TemporaryFolder folder;
    const std::string file = folder / "history.sqlite";
    writeText(file, "");
    gpu::history::sqlite::Database(file).run("CREATE TABLE theirs(a); INSERT INTO theirs VALUES(1);");
    const std::string theirs = readText(file);
    expectNothingLost(theirs, "another program's");
    expectNothingLost(std::string(5000, 'x'), "a text");
}

}  // namespace
}  // namespace warplens::test
