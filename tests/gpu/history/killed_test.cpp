// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/history/kept.hpp"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <new>
#include <random>
#include <signal.h>
#include <sys/mman.h>
#include <thread>

namespace warplens::test {
namespace {

using gpu::history::Bounds;
using gpu::history::Store;

/// What a child tells before it is killed.
struct Told {
    std::atomic<std::int64_t> kept = 0;  ///< the id of the last comparison that it was told is kept
    std::atomic<int> begun = 0;          ///< how many it began to add
};

TEST(HistoryStore, SurvivesKillAt200RandomMoments) {
    const TemporaryFolder folder;
    const std::string file = folder / "history.sqlite";
    void* shared = mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    Told& told = *new (shared) Told;
    std::mt19937 random(7);
    // Of many pages, so that most of the time is spent writing them.
    gpu::Report report = reportOf("picture");
    for (int i = 0; i < 40'000; ++i) report.input.name += static_cast<char>('a' + random() % 26);
    for (int kill = 0; kill < 200; ++kill) {
        const int before = told.begun;
        const pid_t child = inChild([&] {
            while (true) {
                // Room for few, so that removing is killed as well as adding.
                Store store(file, Bounds{.comparisons = 4});
                for (int i = 0; i < 5; ++i) {
                    ++told.begun;
                    told.kept = store.add(report);
                }
            }
            return 0;
        });
        siginfo_t ended{};
        // Counted in additions, as a slow machine may take longer for one than any time that is slept here.
        const int additions = std::uniform_int_distribution(1, 3)(random);
        while (told.begun < before + additions &&
               waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0)
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution(0, 10'000)(random)));
        ::kill(child, SIGKILL);
        ASSERT_EQ(statusOf(child), -1) << "it ended by itself";
        Store store(file);
        const auto all = store.list();
        ASSERT_TRUE(store.notices().empty()) << store.notices().front();
        ASSERT_LE(all.size(), 4U);
        ASSERT_TRUE(told.kept == 0 || (!all.empty() && all.front().id >= told.kept)) << "after kill " << kill;
        if (!all.empty()) {
            ASSERT_EQ(store.report(all.front().id).input.name, report.input.name);
        }
        if (kill % 10 != 9 || told.kept == 0) continue;  // opening it looked at every page, but not at the index
        const gpu::history::sqlite::Database database(file);
        gpu::history::sqlite::Statement check(database, "PRAGMA integrity_check");
        ASSERT_TRUE(check.step());
        ASSERT_EQ(check.text(0), "ok") << "after kill " << kill;
    }
    EXPECT_GT(told.kept, 1);
    EXPECT_EQ(filesWith(folder.path(), "damaged"), 0);
    munmap(shared, sizeof told);
}

}  // namespace
}  // namespace warplens::test
