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

TEST(HistoryStore, SurvivesKillAt200RandomMoments) {
    const TemporaryFolder folder;
    const std::string file = folder / "history.sqlite";
    // The id of the last comparison that the child was told is kept, which outlives the child.
    void* shared =
        mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    auto& kept = *new (shared) std::atomic<std::int64_t>(0);
    std::mt19937 random(7);
    constexpr int kKills = 200;
    for (int kill = 0; kill < kKills; ++kill) {
        const pid_t child = inChild([&] {
            while (true) {
                // Room for few, so that removing is killed as well as adding.
                Store store(file, Bounds{.comparisons = 20});
                for (int i = 0; i < 5; ++i) kept = store.add(reportOf("picture", i % 2 == 0));
            }
            return 0;
        });
        const std::chrono::microseconds moment(std::uniform_int_distribution(0, 6000)(random));
        std::this_thread::sleep_for(moment);
        ::kill(child, SIGKILL);
        ASSERT_EQ(statusOf(child), -1) << "it ended by itself";
        if (kept == 0) continue;
        Store store(file);
        ASSERT_EQ(store.report(kept).input.name, "picture") << "after kill " << kill;
        ASSERT_LE(store.list().size(), 20U);
        ASSERT_TRUE(store.notices().empty()) << store.notices().front();
    }
    EXPECT_GT(kept, 1);
    EXPECT_EQ(filesWith(folder.path(), "damaged"), 0);
    munmap(shared, sizeof kept);
}

}  // namespace
}  // namespace warplens::test
