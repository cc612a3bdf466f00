// SPDX-License-Identifier: Apache-2.0
// Where a file is read, a FIFO without a writer must not hang the program, nor a device fill the memory.
#include "gpu/core/registry.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace warplens::test {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPicture = "gen:noise:4x4:u8";

/// Every call that reads `path`, by each option that names a file.
std::vector<std::vector<std::string>> callsThatRead(const std::string& path) {
    std::vector<std::vector<std::string>> calls{{"info", path},
                                                {"info", "raw:" + path + ":4x4:u8"},
                                                {"info", "raw:" + path},
                                                {"run", path, "convolution"},
                                                {"diff", path, path},
                                                {"bench", "--from", path},
                                                {"bench", "--merge", path},
                                                {"tune", "--from", path}};
    for (const gpu::Family* family : gpu::families()) {
        for (const gpu::Parameter& parameter : family->parameters()) {
            if (parameter.type != gpu::Parameter::Type::picture && !parameter.open) continue;
            calls.push_back({"run", kPicture, family->id(), "--device", "cpu", "--" + parameter.id, path});
        }
    }
    return calls;
}

Outcome quick(const std::vector<std::string>& arguments, std::map<std::string, std::string> environment = {}) {
    environment.emplace("XDG_CACHE_HOME", "/proc/nonexistent");
    return Program(cliCommand(arguments), environment).wait(std::chrono::seconds(30));
}

}  // namespace

TEST(SpecialFiles, areRefusedByEveryOptionThatNamesAFile) {
    const TemporaryFolder folder;
    const std::string fifo = folder / "fifo";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    for (const std::string& path : {fifo, std::string("/dev/zero"), folder.path().string()}) {
        for (const auto& call : callsThatRead(path)) {
            const Outcome outcome = quick(call);
            const std::string what = call[0] + " " + call[1] + " " + path;
            EXPECT_TRUE(outcome.status == 2 || outcome.status == 3) << what << ": " << outcome.status << outcome.err;
            EXPECT_TRUE(isOneLine(outcome.err)) << what << ": " << outcome.err;
        }
    }
}

TEST(SpecialFiles, amongTheUsersMeasurementsAndTheRecordedRunsAreToldOnce) {
    const TemporaryFolder folder;
    const std::vector<std::string> line{"run", kPicture, "convolution", "--device", "cpu"};
    fs::create_directories(folder / "warplens/tuning");
    fs::create_directories(folder / "resources/recorded");
    ASSERT_EQ(mkfifo((folder / "warplens/tuning/a.json").c_str(), 0600), 0);
    const Outcome cache = quick(line, {{"XDG_CACHE_HOME", folder.path().string()}});
    EXPECT_EQ(cache.status, 0) << cache.err;
    EXPECT_TRUE(isOneLine(cache.err)) << cache.err;
    ASSERT_EQ(mkfifo((folder / "resources/recorded/a.json").c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", folder / "resources/recorded/b.json");
    const Outcome recorded = quick(line, {{"WARPLENS_RESOURCES", folder / "resources"}});
    EXPECT_EQ(recorded.status, 0) << recorded.err;
    EXPECT_TRUE(isOneLine(recorded.err)) << recorded.err;
    EXPECT_THAT(recorded.err, testing::HasSubstr("and 1 more"));
}

TEST(SpecialFiles, aRecordedRunThatIsCorruptIsTold) {
    const TemporaryFolder folder;
    fs::create_directories(folder / "recorded");
    writeText(folder / "recorded/a.json", "{\"warplens\": ");
    for (const char* command : {"run", "compare"}) {
        const Outcome outcome = cli({command, kPicture, "convolution", "--device", "cpu"},
                                    {{"WARPLENS_RESOURCES", folder.path().string()}});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, testing::HasSubstr("a.json"));
    }
}

}  // namespace warplens::test
