// SPDX-License-Identifier: Apache-2.0
// Kernels compiled on the spot: kept in files that several processes share, and made by a thread of their own.
#if WARPLENS_HAVE_CUDA
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/specialiser.hpp"
#include "gpu/device/lru_cache.hpp"
#include "tests/support/temporary_folder.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warplens::gpu::cuda {
namespace {

namespace fs = std::filesystem;
using warplens::test::TemporaryFolder;

CompiledKernel kernelOf(const std::string& name, std::size_t bytes = 1000) {
    return {.cubin = std::string(bytes, name.back()), .function = name, .constants = {"a", "b"}, .compileMs = 12.5};
}

std::string bytesOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST(KernelCache, GivesBackWhatWasKeptForAKeyAlone) {
    const TemporaryFolder folder;
    const KernelCache cache(folder.path() / "new" / "folder");
    EXPECT_FALSE(cache.find("one"));
    cache.keep("one", kernelOf("f1"));
    cache.keep("two", kernelOf("f2"));
    EXPECT_EQ(cache.find("one"), kernelOf("f1"));
    EXPECT_EQ(cache.find("two"), kernelOf("f2"));
    EXPECT_FALSE(cache.find("three"));
    // The file of another key, wherever it comes from, is no answer.
    fs::copy_file(cache.fileOf("one"), cache.fileOf("three"));
    EXPECT_FALSE(cache.find("three"));
    EXPECT_FALSE(fs::exists(cache.fileOf("three")));
    const KernelCache none{fs::path()};
    none.keep("one", kernelOf("f1"));
    EXPECT_FALSE(none.find("one"));
}

TEST(KernelCache, RemovesADamagedFileWhereverTheDamageLies) {
    const TemporaryFolder folder;
    const KernelCache cache(folder.path());
    cache.keep("key", kernelOf("f", 40));
    const fs::path file = cache.fileOf("key");
    const std::string whole = bytesOf(file);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] ^= 0x10;
        write(file, damaged);
        ASSERT_FALSE(cache.find("key")) << at;
        ASSERT_FALSE(fs::exists(file)) << at;
        write(file, whole.substr(0, at));
        ASSERT_FALSE(cache.find("key")) << at;
    }
    write(file, whole + "x");
    EXPECT_FALSE(cache.find("key"));
    cache.keep("key", kernelOf("f", 40));
    EXPECT_EQ(cache.find("key"), kernelOf("f", 40));
}

TEST(KernelCache, DropsWhatWasNotUsedForLongestBeyondItsBound) {
    const TemporaryFolder folder;
    const KernelCache cache(folder.path(), 5000);
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (int i = 0; i < 4; ++i) {
        cache.keep(std::to_string(i), kernelOf("f"));
        fs::last_write_time(cache.fileOf(std::to_string(i)), old + std::chrono::minutes(i));
    }
    EXPECT_TRUE(cache.find("0"));  // used: it is the youngest now
    write(folder.path() / "notes.txt", std::string(9000, 'x'));
    cache.keep("4", kernelOf("f"));
    EXPECT_TRUE(fs::exists(cache.fileOf("0")));
    EXPECT_FALSE(fs::exists(cache.fileOf("1")));
    EXPECT_TRUE(fs::exists(cache.fileOf("2")));
    EXPECT_TRUE(fs::exists(cache.fileOf("4")));
    EXPECT_TRUE(fs::exists(folder.path() / "notes.txt"));
    cache.keep("large", kernelOf("f", 6000));  // more than all may take
    EXPECT_FALSE(fs::exists(cache.fileOf("large")));
    EXPECT_TRUE(fs::exists(cache.fileOf("4")));
}

TEST(KernelCache, WhatCannotBeKeptIsAsIfItWereNotThere) {
    const TemporaryFolder folder;
    write(folder.path() / "file", "x");
    const KernelCache nowhere(folder.path() / "file" / "below");
    nowhere.keep("one", kernelOf("f1"));
    EXPECT_FALSE(nowhere.find("one"));
    // A limit of a file's size stands in for a disk that is full half-way.
    const KernelCache full(folder.path() / "full");
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{500, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    full.keep("one", kernelOf("f1"));
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_FALSE(full.find("one"));
    EXPECT_TRUE(fs::is_empty(folder.path() / "full"));
    full.keep("one", kernelOf("f1"));
    EXPECT_TRUE(full.find("one"));
}

TEST(KernelCache, IsSharedByProcessesThatKeepAndFindAtOnce) {
    const TemporaryFolder folder;
    const KernelCache cache(folder.path(), 6000);  // so that they remove one another's files as well
    std::vector<pid_t> children;
    for (int child = 0; child < 3; ++child) {
        const pid_t pid = fork();
        if (pid == 0) {
            bool good = true;
            for (int round = 0; round < 40; ++round) {
                const std::string key = std::to_string((round + child) % 7);
                cache.keep(key, kernelOf("f" + key));
                for (int other = 0; other < 7; ++other) {
                    const auto found = cache.find(std::to_string(other));
                    good = good && (!found || *found == kernelOf("f" + std::to_string(other)));
                }
            }
            _exit(good ? 0 : 1);
        }
        ASSERT_GT(pid, 0);
        children.push_back(pid);
    }
    for (const pid_t pid : children) {
        int status = -1;
        waitpid(pid, &status, 0);
        EXPECT_EQ(status, 0);
    }
    std::uintmax_t total = 0;
    for (const auto& file : fs::directory_iterator(folder.path())) total += file.file_size();
    EXPECT_LE(total, 6000U + 2 * 1200U);  // each may have looked just before the others wrote
    EXPECT_GT(total, 0U);
}

CompileRequest requestOf(const std::string& expression) {
    return {.file = "f.cuh", .expression = expression, .constants = {}, .capability = 90};
}

TEST(CompileRequest, EverythingThatDecidesTheCodeIsInTheKey) {
    const CompileRequest request{.file = "a.cuh", .expression = "f<1>", .constants = {"c"}, .capability = 90};
    auto other = request;
    EXPECT_EQ(other.key(), request.key());
    other.file = "b.cuh";
    EXPECT_NE(other.key(), request.key());
    other = request;
    other.expression = "f<2>";
    EXPECT_NE(other.key(), request.key());
    other = request;
    other.constants = {};
    EXPECT_NE(other.key(), request.key());
    other = request;
    other.capability = 75;
    EXPECT_NE(other.key(), request.key());
    other = request;
    other.weights = {1, 0};
    const std::string ofWeights = other.key();
    EXPECT_NE(ofWeights, request.key());
    other.weights = {1, -0.0F};
    EXPECT_NE(other.key(), ofWeights) << "equal, but not by their bits";
    other.weights = {std::nextafter(1.0F, 2.0F), 0};
    EXPECT_NE(other.key(), ofWeights);
    other.weights = {1};
    EXPECT_NE(other.key(), ofWeights);
    EXPECT_NE(request.key().find("nvrtc " + nvrtcVersion()), std::string::npos);
    EXPECT_NE(request.key().find("sources "), std::string::npos);
}

TEST(CompileRequest, WeightsComeBeforeTheFileBitByBit) {
    CompileRequest request{.file = "a.cuh", .expression = "f<1>", .constants = {}, .capability = 90};
    const std::string includes = "#include \"gpu/device/cuda/run_time_environment.cuh\"\n#include \"a.cuh\"\n";
    EXPECT_EQ(request.source(), includes);
    request.weights = {1, -0.0F, 0.1F, 1e-45F};
    EXPECT_EQ(request.source(), "#define WARPLENS_FILTER 0x1p+0f,-0x0p+0f,0x1.99999ap-4f,0x1p-149f\n" + includes);
}

// What another filter left under this name, by whatever accident, is no answer.
TEST(KernelCache, OfAnotherFiltersWeightsIsNotTaken) {
    const TemporaryFolder folder;
    const KernelCache cache(folder.path());
    CompileRequest one{.file = "a.cuh", .expression = "f<1>", .constants = {}, .capability = 90, .weights = {1, 0, 2}};
    CompileRequest other = one;
    other.weights = {1, 0, 3};
    cache.keep(one.key(), kernelOf("f1"));
    EXPECT_FALSE(cache.find(other.key()));
    fs::copy_file(cache.fileOf(one.key()), cache.fileOf(other.key()));
    EXPECT_FALSE(cache.find(other.key()));
    EXPECT_FALSE(fs::exists(cache.fileOf(other.key())));
    EXPECT_EQ(cache.find(one.key()), kernelOf("f1"));
}

TEST(Specialiser, CompilesOnceAndThenReadsTheCache) {
    const TemporaryFolder folder;
    std::atomic<int> compiled = 0;
    const auto compile = [&](const CompileRequest& request, std::stop_token) {
        ++compiled;
        return kernelOf(request.expression);
    };
    {
        Specialiser specialiser(KernelCache(folder.path()), compile);
        for (int i = 0; i < 3; ++i) {
            const auto made = specialiser.ask(requestOf("f"), 60);
            ASSERT_TRUE(made && made->kernel);
            EXPECT_EQ(*made->kernel, kernelOf("f"));
            EXPECT_FALSE(made->cached);
        }
    }
    EXPECT_EQ(compiled, 1);
    Specialiser later{KernelCache(folder.path()), compile};
    const auto made = later.ask(requestOf("f"), 60);
    ASSERT_TRUE(made && made->kernel);
    EXPECT_TRUE(made->cached);
    EXPECT_EQ(made->kernel->compileMs, 12.5);
    EXPECT_EQ(compiled, 1);
    write(KernelCache(folder.path()).fileOf(requestOf("f").key()), "damaged");
    Specialiser last{KernelCache(folder.path()), compile};
    EXPECT_FALSE(last.ask(requestOf("f"), 60)->cached);
    EXPECT_EQ(compiled, 2);
}

TEST(Specialiser, HoldsTheLatestKernelsAndFindsEarlierOnesInTheCache) {
    const TemporaryFolder folder;
    std::atomic<int> compiled = 0;
    Specialiser specialiser(KernelCache(folder.path()), [&](const CompileRequest& request, std::stop_token) {
        ++compiled;
        return kernelOf(request.expression);
    });
    const auto cached = [&](std::size_t i) { return specialiser.ask(requestOf("f" + std::to_string(i)), 60)->cached; };
    constexpr std::size_t kMade = Specialiser::kMostHeld + 2;
    for (std::size_t i = 0; i < kMade; ++i) EXPECT_FALSE(cached(i));
    EXPECT_FALSE(cached(kMade - 2)) << "held as it was made";
    EXPECT_TRUE(cached(0)) << "forgotten, and read again";
    EXPECT_EQ(compiled, static_cast<int>(kMade));
}

TEST(Specialiser, SaysWhyAKernelCouldNotBeMadeAndTriesNoSecondTime) {
    int tried = 0;
    Specialiser specialiser(KernelCache({}), [&](const CompileRequest&, std::stop_token) -> CompiledKernel {
        ++tried;
        throw Error(Error::Kind::unsupported, "no such thing");
    });
    for (int i = 0; i < 2; ++i) {
        const auto made = specialiser.ask(requestOf("f"), 60);
        ASSERT_TRUE(made);
        EXPECT_FALSE(made->kernel);
        EXPECT_EQ(made->failure, "no such thing");
    }
    EXPECT_EQ(tried, 1);
}

TEST(Specialiser, WhateverTheCompilerThrowsIsAReason) {
    Specialiser specialiser(KernelCache({}), [](const CompileRequest&, std::stop_token) -> CompiledKernel {
        throw std::runtime_error("out of memory");
    });
    const auto made = specialiser.ask(requestOf("f"), 60);
    ASSERT_TRUE(made);
    EXPECT_FALSE(made->kernel);
    EXPECT_EQ(made->failure, "out of memory");
}

TEST(Specialiser, TheProgramsOneLivesWhileSomebodyHoldsIt) {
    auto held = Specialiser::ofProgram();
    EXPECT_EQ(Specialiser::ofProgram(), held);
    const std::weak_ptr<Specialiser> seen = held;
    held.reset();
    EXPECT_TRUE(seen.expired());
    EXPECT_TRUE(Specialiser::ofProgram());
}

TEST(Specialiser, TheLatestRequestInterruptsOneThatNobodyWaitsFor) {
    std::atomic<int> interrupted = 0;
    std::atomic<bool> begun = false, hold = true;
    Specialiser specialiser(KernelCache({}), [&](const CompileRequest& request, std::stop_token stop) {
        if (request.expression == "slow") begun = true;
        while (request.expression == "slow" && hold && !stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (stop.stop_requested()) {
            ++interrupted;
            throw Error(Error::Kind::cancelled, "stopped");
        }
        return kernelOf(request.expression);
    });
    EXPECT_FALSE(specialiser.ask(requestOf("slow"), 0));
    while (!begun) std::this_thread::yield();
    const auto quick = specialiser.ask(requestOf("quick"), 60);
    ASSERT_TRUE(quick && quick->kernel);
    EXPECT_EQ(interrupted, 1);
    hold = false;  // it was put back and comes in the end
    EXPECT_TRUE(specialiser.ask(requestOf("slow"), 60));
    // One who stops waiting is let go at once.
    hold = true;
    std::stop_source gone;
    gone.request_stop();
    EXPECT_FALSE(specialiser.ask({.file = "g.cuh", .expression = "slow", .capability = 90}, 60, gone.get_token()));
}

using Names = LruCache<std::shared_ptr<std::string>>;

auto named(const std::string& name) {
    return [name](const std::shared_ptr<std::string>& one) { return *one == name; };
}
bool held(const std::shared_ptr<std::string>& one) { return one.use_count() > 1; }

struct LeastRecentTest : ::testing::Test {
    void add(const std::string& name) { names.add(std::make_shared<std::string>(name)); }
    int trim() {
        int told = 0;
        names.trim(held, [&] { ++told; });
        return told;
    }
    Names names{3};
};

TEST_F(LeastRecentTest, WhatWasNotUsedForLongestGoesFirst) {
    for (const char* name : {"a", "b", "c"}) add(name);
    EXPECT_EQ(trim(), 0);
    EXPECT_EQ(names.size(), 3U);
    EXPECT_EQ(**names.use(named("a")), "a");
    EXPECT_EQ(names.use(named("x")), nullptr);
    EXPECT_TRUE(names.find(named("b"))) << "to look is not to use";
    add("d");
    add("e");
    EXPECT_EQ(trim(), 1) << "told once, before both go";
    EXPECT_FALSE(names.find(named("b")));
    EXPECT_FALSE(names.find(named("c")));
    for (const char* name : {"a", "d", "e"}) EXPECT_TRUE(names.find(named(name))) << name;
}

TEST_F(LeastRecentTest, WhatIsInUseStaysHoweverManyThereAre) {
    add("a");
    auto a = *names.find(named("a"));
    for (int i = 0; i < 20; ++i) {
        add(std::to_string(i));
        trim();
        ASSERT_EQ(names.size(), i < 2 ? i + 2U : 3U);
    }
    EXPECT_TRUE(names.find(named("a")));
    std::vector<std::shared_ptr<std::string>> all{a};
    for (int i = 0; i < 5; ++i) {
        all.push_back(std::make_shared<std::string>("held"));
        names.add(all.back());
    }
    EXPECT_EQ(trim(), 1) << "those that nobody holds";
    EXPECT_EQ(names.size(), 6U) << "more than the bound, as all are held";
    all.clear();
    a.reset();
    EXPECT_EQ(trim(), 1);
    EXPECT_EQ(names.size(), 3U);
}

}  // namespace
}  // namespace warplens::gpu::cuda
#endif
