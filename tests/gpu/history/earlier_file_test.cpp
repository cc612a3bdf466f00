// SPDX-License-Identifier: Apache-2.0
// A history that the version before wrote is read, and added to.
#include "gpu/history/store.hpp"
#include "tests/gpu/history/kept.hpp"

#include <fstream>
#include <gtest/gtest.h>

namespace warplens::test {
namespace {

using gpu::history::Kept;
using gpu::history::Store;

/// A file as the version before wrote it.
std::string historyIn(const TemporaryFolder& folder) {
    const std::string path = folder / "history.sqlite";
    std::ofstream(path).close();
    const gpu::history::sqlite::Database database(path);
    database.run(readText(std::string(WARPLENS_SOURCE_DIR) + "/tests/gpu/history/earlier/history.sql").c_str());
    return path;
}

TEST(HistoryFileOfTheVersionBefore, ListsEveryColumn) {
    const TemporaryFolder folder;
    Store store(historyIn(folder));
    const auto all = store.list();
    ASSERT_EQ(all.size(), 1U);
    const Kept& kept = all.front();
    EXPECT_EQ(kept.id, 7);
    EXPECT_EQ(kept.date, "2026-11-29T00:28:07Z");
    EXPECT_EQ(kept.input, "gen:gradient:16x8:u8");
    EXPECT_EQ(kept.inputHash, "fnv1a64w:91583ba03585c865");
    EXPECT_EQ(kept.size, "16 × 8, u8");
    EXPECT_EQ(kept.family, "convolution");
    EXPECT_EQ(kept.parameters, "filter gaussian, radius 2");
    EXPECT_EQ(kept.parametersHash, "fnv1a64:5654e7e3a921253f");
    EXPECT_EQ(kept.device, "CPU (SIMT)");
    EXPECT_EQ(kept.driver, "AMD EPYC");
    EXPECT_EQ(kept.build, "0.1.0, gcc 12.2.0");
    EXPECT_EQ(kept.runs, 2);
    EXPECT_EQ(kept.failed, 1);
    EXPECT_EQ(kept.fastest, "tiled_output@block_width=16");
    EXPECT_EQ(kept.fastestMs, 0.25);
    EXPECT_TRUE(kept.pinned);
    EXPECT_TRUE(store.notices().empty());
}

TEST(HistoryFileOfTheVersionBefore, GivesTheReportBack) {
    const TemporaryFolder folder;
    const gpu::Report report = Store(historyIn(folder)).report(7);
    EXPECT_EQ(report.environment.date, "2026-11-29T00:28:07Z");
    ASSERT_EQ(report.runs.size(), 2U);
    EXPECT_EQ(report.runs[0].record.id(), "naive");
    EXPECT_EQ(report.runs[1].record.id(), "tiled_output@block_width=16");
    EXPECT_TRUE(report.runs[1].record.time.has_value());
}

TEST(HistoryFileOfTheVersionBefore, TakesMoreAndFindsWhatIsAlike) {
    const TemporaryFolder folder;
    Store store(historyIn(folder));
    EXPECT_EQ(store.add(reportOf("camera.png")), 8);
    EXPECT_EQ(store.list().size(), 2U);
    EXPECT_EQ(store.alike(store.report(7)).size(), 1U) << "hashes and keys are made as they were";
}

}  // namespace
}  // namespace warplens::test
