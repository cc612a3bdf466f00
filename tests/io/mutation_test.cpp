// SPDX-License-Identifier: Apache-2.0
// Damaged headers of volumes through the process boundary. WARPLENS_MUTATIONS sets how many (200),
// WARPLENS_MUTATIONS_FROM where to begin (spread evenly unless set).
#include "io/read.hpp"
#include "tests/io/support/mutations.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <unistd.h>

namespace warplens::test {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t setting(const char* name, std::size_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::size_t residentBytes() {
    std::ifstream in("/proc/self/statm");
    std::size_t size = 0;
    std::size_t resident = 0;
    in >> size >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(Mutations, ADamagedHeaderCostsOneFileAndNoTime) {
    const Folder folder;
    const auto seeds = mutationSeeds(folder);
    io::ReadOptions options;
    options.limits.bytes = 64 << 20;
    for (const auto& seed : seeds) {
        // Unharmed, each is read; and with that the memory of the first reads is taken.
        const auto path = folder.write(seed.name, seed.packed ? mutate({seed}, 5).file : seed.file);
        if (!seed.packed) {
            EXPECT_NO_THROW(io::read(path, options)) << seed.name;
        } else {
            EXPECT_TRUE(errorOf([&] { io::read(path, options); })) << seed.name << " without its header's size";
        }
    }
    const auto single = singleMutations(seeds);
    const auto count = setting("WARPLENS_MUTATIONS", 200);
    const bool spread = std::getenv("WARPLENS_MUTATIONS_FROM") == nullptr && count < single;
    const auto from = setting("WARPLENS_MUTATIONS_FROM", 0);
    const auto before = residentBytes();
    std::map<std::string, int> outcomes;
    double longest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto mutated = mutate(seeds, spread ? i * single / count : from + i);
        const auto path = folder.write(mutated.name, mutated.file);
        const auto begin = Clock::now();
        std::string outcome = "read";
        if (const auto error = errorOf([&] { io::read(path, options); })) {
            const std::string what = error->what();
            EXPECT_EQ(what.find('\n'), std::string::npos) << mutated.what;
            outcome = what.find("codec crashed") != std::string::npos || what.find("was killed") != std::string::npos
                          ? "codec crashed"
                      : what.find("codec took longer") != std::string::npos ? "codec stopped"
                                                                            : "refused";
            if (outcome == "codec crashed") std::printf("%s: %s\n", mutated.what.c_str(), what.c_str());
        }
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        longest = std::max(longest, seconds);
        // Two seconds are asked for where nothing else runs; a busy machine or a sanitizer takes longer, a hang for
        // ever.
        ASSERT_LT(seconds, 20) << mutated.what << " took long: " << outcome;
        ++outcomes[outcome];
    }
    for (const auto& [outcome, times] : outcomes) std::printf("%s: %d\n", outcome.c_str(), times);
    std::printf("longest: %.3f s\n", longest);
    // 64 MiB are one volume of the policy that the allocator may keep.
    EXPECT_LT(residentBytes(), before + (80U << 20)) << "the parent grew";
    EXPECT_GT(outcomes["refused"], 0);
}

}  // namespace
}  // namespace warplens::test
