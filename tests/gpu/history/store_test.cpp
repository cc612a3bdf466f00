// SPDX-License-Identifier: Apache-2.0
#include "gpu/history/store.hpp"

#include "gpu/report/report.hpp"
#include "io/error.hpp"
#include "tests/gpu/history/kept.hpp"

#include <csignal>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace warplens::test {
namespace {

using gpu::history::Bounds;
using gpu::history::Kept;
using gpu::history::Store;
using testing::HasSubstr;

std::vector<std::int64_t> idsOf(const std::vector<Kept>& all) {
    std::vector<std::int64_t> ids;
    for (const Kept& one : all) ids.push_back(one.id);
    return ids;
}

/// What refuses `work`, or nothing.
template <class Work>
std::string refusalOf(Work work) {
    try {
        work();
    } catch (const io::Error& error) {
        return error.what();
    }
    return "";
}

TEST(HistoryStore, KeepsTheWholeReportAndWhatItIsLookedUpBy) {
    const TemporaryFolder folder;
    const gpu::Report report = reportOf("camera.png", true);
    std::int64_t id = 0;
    {
        Store store(folder / "warplens/history.sqlite");
        EXPECT_TRUE(store.list().empty());
        EXPECT_FALSE(std::filesystem::exists(store.file())) << "reading makes no file";
        id = store.add(report);
    }
    Store store(folder / "warplens/history.sqlite");
    EXPECT_EQ(gpu::toJson(store.report(id)), gpu::toJson(report));
    const Kept kept = store.entry(id);
    EXPECT_EQ(kept.date, report.environment.date);
    EXPECT_EQ(kept.input, "camera.png");
    EXPECT_EQ(kept.inputHash, report.input.hash);
    EXPECT_EQ(kept.family, report.family);
    EXPECT_THAT(kept.parameters, HasSubstr("gaussian"));
    EXPECT_EQ(kept.device, "Test GPU");
    EXPECT_EQ(kept.driver, "13.0");
    EXPECT_THAT(kept.build, HasSubstr("0.1.0"));
    EXPECT_EQ(kept.runs, 5);
    EXPECT_EQ(kept.failed, 1);
    EXPECT_EQ(kept.fastest, "constant") << "the wrong run has no time, and OpenCV's is of another clock";
    EXPECT_EQ(kept.fastestMs, 1.0);
    EXPECT_EQ(store.entry(store.add(reportOf("cpu.png"))).fastest, "") << "no winner by the CPU's clock";
    gpu::Report inexact = report;
    for (gpu::ReportRun& run : inexact.runs)
        if (run.record.variant == "constant") run.record.verification->note = "bound 4 times that of single precision";
    EXPECT_NE(store.entry(store.add(inexact)).fastest, "constant") << "it is not exact";
    EXPECT_TRUE(store.notices().empty());
}

TEST(HistoryStore, IsReadableByItsUserAlone) {
    const TemporaryFolder folder;
    Store store(folder / "warplens/history.sqlite");
    store.add(reportOf("a.png"));
    for (const char* name : {"warplens", "warplens/history.sqlite", "warplens/history.sqlite-wal"}) {
        struct stat found {};
        ASSERT_EQ(stat((folder / name).c_str(), &found), 0) << name;
        EXPECT_EQ(found.st_mode & 077, 0U) << name;
    }
}

TEST(HistoryStore, SearchesEveryWord) {
    const TemporaryFolder folder;
    Store store(folder / "history.sqlite");
    const auto a = store.add(reportOf("Camera.png")), b = store.add(reportOf("camera.png", true)),
               c = store.add(reportOf("coins.png"));
    EXPECT_EQ(idsOf(store.list()), (std::vector{c, b, a}));
    EXPECT_EQ(idsOf(store.list("", 2)), (std::vector{c, b}));
    EXPECT_EQ(idsOf(store.list("CAMERA")), (std::vector{b, a}));
    EXPECT_EQ(idsOf(store.list("camera test")), (std::vector{b}));
    EXPECT_EQ(idsOf(store.list("coins gaussian")), (std::vector{c}));
    EXPECT_TRUE(store.list("camera%").empty());
}

TEST(HistoryStore, TheOldestGoFirstAndPinnedOnesNever) {
    const TemporaryFolder folder;
    Store store(folder / "history.sqlite", Bounds{.comparisons = 3});
    const auto first = store.add(reportOf("first.png"));
    store.pin(first, true);
    std::int64_t last = 0;
    for (int i = 0; i < 10; ++i) last = store.add(reportOf("more.png"));
    EXPECT_EQ(idsOf(store.list()), (std::vector{last, last - 1, first}));
    // Not even when they alone are more than there is room for.
    for (const auto id : {last, last - 1}) store.pin(id, true);
    store.pin(store.add(reportOf("fourth.png")), true);
    EXPECT_EQ(store.list().size(), 4U);
    const auto fifth = store.add(reportOf("fifth.png"));
    EXPECT_EQ(store.list().size(), 5U);
    EXPECT_EQ(store.list().front().id, fifth) << "what was just compared stays until the next";
    for (const auto id : {last, last - 1, fifth - 1}) store.pin(id, false);
    store.pin(first, false);
    last = store.add(reportOf("more.png"));
    EXPECT_EQ(idsOf(store.list()), (std::vector{last, last - 1, last - 2}));
    store.remove(last - 1);
    EXPECT_EQ(idsOf(store.list()), (std::vector{last, last - 2}));
    for (const auto& refusal : {refusalOf([&] { store.report(first); }), refusalOf([&] { store.pin(first, true); }),
                                refusalOf([&] { store.remove(first); })}) {
        EXPECT_THAT(refusal, HasSubstr("no comparison " + std::to_string(first)));
    }
}

TEST(HistoryStore, BytesAreBoundedAndWhatIsLargerAloneIsRefused) {
    const TemporaryFolder folder;
    constexpr std::int64_t kBytes = 20'000;
    Store store(folder / "history.sqlite", Bounds{.bytes = kBytes});
    for (int i = 0; i < 60; ++i) store.add(reportOf("picture " + std::to_string(i)));
    EXPECT_GT(store.list().size(), 4U);
    EXPECT_LT(store.list().size(), 40U);
    EXPECT_EQ(store.list().front().input, "picture 59");
    store.prune({}, "");
    EXPECT_LT(std::filesystem::file_size(store.file()), 3 * kBytes);
    Store small(folder / "small.sqlite", Bounds{.bytes = 100});
    EXPECT_THAT(refusalOf([&] { small.add(reportOf("a.png")); }), HasSubstr("too large"));
}

TEST(HistoryStore, PruneSparesWhatIsPinned) {
    const TemporaryFolder folder;
    Store store(folder / "history.sqlite");
    std::vector<std::int64_t> ids;
    for (int month = 1; month <= 6; ++month) {
        gpu::Report report = reportOf("a.png");
        report.environment.date = "2026-0" + std::to_string(month) + "-01T12:00:00Z";
        ids.push_back(store.add(report));
    }
    store.pin(ids[0], true);
    EXPECT_EQ(store.prune({}, "2026-03"), 1);
    EXPECT_EQ(idsOf(store.list()), (std::vector{ids[5], ids[4], ids[3], ids[2], ids[0]}));
    EXPECT_EQ(store.prune(2, ""), 2);
    EXPECT_EQ(idsOf(store.list()), (std::vector{ids[5], ids[4], ids[0]}));
    EXPECT_EQ(store.prune(0, ""), 2);
    EXPECT_EQ(idsOf(store.list()), (std::vector{ids[0]}));
}

TEST(HistoryStore, TwoProgramsFillItAtOnce) {
    const TemporaryFolder folder;
    constexpr int kEach = 60;
    std::vector<pid_t> children;
    for (const char* name : {"one", "two"}) {
        children.push_back(inChild([&] {
            for (int i = 0; i < kEach; ++i) {
                Store store(folder / "history.sqlite");  // opened anew each time, as programs do
                store.add(reportOf(name));
            }
            return 0;
        }));
    }
    for (const pid_t child : children) EXPECT_EQ(statusOf(child), 0);
    Store store(folder / "history.sqlite");
    EXPECT_EQ(store.list("one").size(), std::size_t{kEach});
    EXPECT_EQ(store.list("two").size(), std::size_t{kEach});
    EXPECT_EQ(filesWith(folder.path(), "damaged"), 0);
}

TEST(HistoryStore, ManyProgramsMayBeTheFirst) {
    for (int round = 0; round < 25; ++round) {
        const TemporaryFolder folder;
        std::vector<pid_t> children;
        for (int i = 0; i < 4; ++i) {
            children.push_back(inChild([&] {
                Store store(folder / "history.sqlite");
                store.add(reportOf("a.png"));
                return store.notices().empty() ? 0 : 1;
            }));
        }
        for (const pid_t child : children) ASSERT_EQ(statusOf(child), 0);
        ASSERT_EQ(Store(folder / "history.sqlite").list().size(), children.size());
    }
}

TEST(HistoryStore, AFolderThatTakesNothingIsOneSentence) {
    for (const char* place : {"/proc/nowhere/history.sqlite", "/dev/null/history.sqlite", "/dev/null"})
        EXPECT_THAT(refusalOf([&] { Store(place).add(reportOf("a.png")); }), HasSubstr("WARPLENS_HISTORY=off"))
            << place;
    const TemporaryFolder folder;
    Store(folder / "history.sqlite").add(reportOf("a.png"));
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
    // Root may write anywhere, nobody may not.
    const auto refused = [&](const std::string& name) {
        return statusOf(inChild([&] {
            if (geteuid() == 0 && seteuid(65534) != 0) return 1;
            return refusalOf([&] { Store(folder / name).add(reportOf("b.png")); }).empty() ? 2 : 0;
        }));
    };
    EXPECT_EQ(refused("new.sqlite"), 0);
    EXPECT_EQ(refused("history.sqlite"), 0);
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
    EXPECT_EQ(Store(folder / "history.sqlite").list().size(), 1U);
}

TEST(HistoryStore, AFullDiskIsOneSentenceAndLosesNothing) {
    const TemporaryFolder folder;
    const std::string file = folder / "history.sqlite";
    Store(file).add(reportOf("a.png"));
    // A limit on the size of files stands in for a full disk: at every size on the way to the next comparison.
    for (rlim_t bytes = 0; bytes <= 24'576; bytes += 2048) {
        const int status = statusOf(inChild([&] {
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit small{bytes, bytes};
            if (setrlimit(RLIMIT_FSIZE, &small) != 0) return 1;
            const std::string refusal = refusalOf([&] {
                Store store(file);
                for (int i = 0; i < 20; ++i) store.add(reportOf("b.png"));
            });
            return refusal.find(file) == std::string::npos ? 2 : 0;
        }));
        EXPECT_EQ(status, 0) << bytes << " bytes";
        Store store(file);
        ASSERT_GE(store.list().size(), 1U) << bytes << " bytes";
        EXPECT_EQ(store.report(1).input.name, "a.png");
        EXPECT_EQ(filesWith(folder.path(), "damaged"), 0);
    }
}

TEST(HistoryStore, OneOfANewerVersionIsLeftAlone) {
    const TemporaryFolder folder;
    const std::string file = folder / "history.sqlite";
    Store(file).add(reportOf("a.png"));
    gpu::history::sqlite::Database(file).run("PRAGMA user_version = 2; PRAGMA wal_checkpoint(TRUNCATE);");
    const std::string before = readText(file);
    Store store(file);
    for (const auto& refusal : {refusalOf([&] { store.add(reportOf("b.png")); }), refusalOf([&] { store.list(); }),
                                refusalOf([&] { store.add(reportOf("b.png")); })}) {
        EXPECT_THAT(refusal, HasSubstr("newer Warplens (schema 2, this one knows 1)"));
    }
    EXPECT_EQ(readText(file), before);
    EXPECT_EQ(filesWith(folder.path(), "damaged"), 0);
}

}  // namespace
}  // namespace warplens::test
