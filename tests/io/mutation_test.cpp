// SPDX-License-Identifier: Apache-2.0
// Damaged headers of volumes through the process boundary. WARPLENS_MUTATIONS sets how many (200; 70 under sanitizers,
// where each starts a slow process), WARPLENS_MUTATIONS_FROM where to begin (spread evenly unless set).
#include "io/read.hpp"
#include "tests/io/support/mutations.hpp"
#include "tests/io/support/volume_files.hpp"
#include "tests/support/sanitized.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sys/resource.h>
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
    const auto count = setting("WARPLENS_MUTATIONS", warplens::testing::kSanitized ? 70 : 200);
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
            outcome =
                what.find("fault of Warplens") != std::string::npos || what.find("was killed") != std::string::npos
                    ? "codec crashed"
                : what.find("took longer") != std::string::npos ? "codec stopped"
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

// With sanitizers nobody asks.
[[maybe_unused]] long peakOfChildren() {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return usage.ru_maxrss;  // kB
}

/// Places of lengths of four bytes in a DICOM of explicit little endian: those of kinds with an O.
std::vector<std::size_t> longLengths(const Bytes& file) {
    std::vector<std::size_t> places;
    for (std::size_t at = 132; at + 12 <= file.size(); ++at) {
        const auto byte = [&](std::size_t i) { return std::to_integer<char>(file[at + i]); };
        if (byte(4) == 'O' && (byte(5) == 'B' || byte(5) == 'W') && byte(6) == 0 && byte(7) == 0) {
            places.push_back(at + 8);
        }
    }
    return places;
}

TEST(Mutations, ALengthOfGigabytesInASmallDicomTakesNoMemory) {
    const Folder folder;
    const auto file = makeDicom({.width = 3, .height = 2}, {1, 2, 3, 4, 5, 6});
    const auto places = longLengths(file);
    ASSERT_EQ(places.size(), 2U) << "the version, and the pixels";
    for (const auto at : places) {
        for (const std::uint32_t length : {0x70000000U, 0xf0000000U, 0xfffffffeU, 0xffffffffU}) {
            auto bad = file;
            const auto bytes = little(length, 4);
            std::copy(bytes.begin(), bytes.end(), bad.begin() + static_cast<std::ptrdiff_t>(at));
            const auto path = folder.write("a.dcm", bad);
            // Pixels may be fewer than their element says, as long as they are all there.
            if (const auto error = errorOf([&] { io::read(path); })) {
                EXPECT_EQ(error->kind(), io::Error::Kind::unreadable) << error->what();
                EXPECT_EQ(std::string(error->what()).find("the codec"), std::string::npos) << error->what();
            }
        }
    }
#if !defined(__SANITIZE_ADDRESS__)
    EXPECT_LT(peakOfChildren(), 300 << 10) << "for files of 2 kB";
#endif
}

/// The DICOM library takes the memory that a length asks for and ends its process for what it does not expect.
TEST(Mutations, ADamagedDicomIsOneSentenceAndTakesNoMoreMemoryThanItsPicture) {
    const Folder folder;
    auto seeds = mutationSeeds(folder);
    std::erase_if(seeds, [](const MutationSeed& seed) { return !seed.name.ends_with(".dcm"); });
    ASSERT_FALSE(seeds.empty());
    const auto count = singleMutations(seeds);
    // With the policy as it is for every user, where the process may take 32 GB for a picture of 16.
    int refused = 0;
    for (std::size_t i = 0; i < count; i += setting("WARPLENS_DICOM_STEP", warplens::testing::kSanitized ? 15 : 5)) {
        const auto mutated = mutate(seeds, i);
        const auto error = errorOf([&] { io::read(folder.write(mutated.name, mutated.file)); });
        if (!error) continue;
        ++refused;
        const std::string what = error->what();
        EXPECT_EQ(what.find('\n'), std::string::npos) << mutated.what;
        EXPECT_EQ(what.find("the codec"), std::string::npos) << mutated.what << ": " << what;
        EXPECT_TRUE(error->kind() != io::Error::Kind::argument && error->kind() != io::Error::Kind::cancelled) << what;
    }
    EXPECT_GT(refused, 10);
#if !defined(__SANITIZE_ADDRESS__)
    EXPECT_LT(peakOfChildren(), 300 << 10) << "for files of at most 1 MB";
#endif
}

}  // namespace
}  // namespace warplens::test
