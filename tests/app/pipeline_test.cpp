// SPDX-License-Identifier: Apache-2.0
// Many pictures through decode, compute, verify and encode at once: the files and words of one after the other.
#include "io/generate.hpp"
#include "io/write.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/temporary_folder.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

namespace warplens::test {

using testing::HasSubstr;
using testing::StartsWith;
namespace fs = std::filesystem;

namespace {

constexpr int kPictures = 5;

std::string nameOf(int number) { return "p" + std::to_string(number); }

/// Pictures of several sizes, PNG where there is a codec.
void makePictures(const TemporaryFolder& folder) {
    for (int i = 0; i < kPictures; ++i) {
        const std::string extension = haveCodec() && i % 2 == 0 ? ".png" : ".npy";
        const std::string input = "gen:noise:" + std::to_string(30 + 40 * (i % 3)) + "x50:u8:seed=" + std::to_string(i);
        io::write(io::generate(input), folder / (nameOf(i) + extension));
    }
}

/// Hidden ones, which a killed program may leave in the moment before a file gets its name, are no results.
std::map<std::string, std::string> filesIn(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (const std::string name = entry.path().filename().string(); !name.starts_with('.'))
            files[name] = readText(entry.path().string());
    return files;
}

Outcome runOn(const std::string& input, const std::string& output, std::vector<std::string> more = {}) {
    std::vector<std::string> line{"run", input, "convolution", "--radius", "2", "--device", "cpu", "-o", output};
    line.insert(line.end(), more.begin(), more.end());
    return cli(line);
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// The events of a track must not overlap; how many there are by category.
std::map<std::string, int> countEvents(const std::string& file) {
    const auto document = nlohmann::json::parse(readText(file));
    std::map<int, double> until;
    std::map<std::string, int> count;
    for (const auto& event : document["traceEvents"]) {
        if (event["ph"] != "X") continue;
        double& end = until[event["tid"]];
        EXPECT_GE(event["ts"].get<double>(), end - 1e-3) << event;
        end = event["ts"].get<double>() + event["dur"].get<double>();
        ++count[event["cat"]];
    }
    return count;
}

}  // namespace

TEST(Pictures, manyAtOnceAreTheFilesAndWordsOfOneAfterTheOther) {
    const TemporaryFolder in, out;
    makePictures(in);
    writeText(in / "p2-bad.npy", "no picture");
    for (const auto& [name, bytes] : filesIn(in.path()))
        runOn(in / name, out / "single/", {"--report", out / (fs::path(name).stem().string() + ".csv")});
    const Outcome many = runOn(in.path().string(), out / "many", {"--codecs", "3", "--timeline", out / "t.json"});
    EXPECT_EQ(many.status, 3);
    EXPECT_TRUE(isOneLine(many.err)) << many.err;
    EXPECT_THAT(many.err, HasSubstr("p2-bad.npy"));
    EXPECT_EQ(filesIn(out / "many"), filesIn(out / "single"));
    const auto lines = linesOf(many.out);
    ASSERT_EQ(lines.size(), kPictures + 1U) << many.out;
    for (int i = 0; i < kPictures; ++i) EXPECT_THAT(lines[i], StartsWith(in / nameOf(i))) << many.out;
    EXPECT_THAT(lines.back(),
                testing::ContainsRegex("pictures per second .measured.: 5 in .*critical stage: .*busy .*exposed: "));
    auto count = countEvents(out / "t.json");
    EXPECT_EQ(count["decode"], kPictures + 1);
    for (const char* stage : {"compute", "verify", "encode", "kernel", "download"})
        EXPECT_EQ(count[stage], kPictures) << stage;
    // Without a timeline a script sees no more lines than before.
    EXPECT_EQ(linesOf(runOn(in.path().string(), out / "many").out).size(), std::size_t(kPictures));
}

TEST(Pictures, aRecipeOnManyIsTheSameToo) {
    const TemporaryFolder in, out;
    makePictures(in);
    const auto mend = [](const std::string& input, const std::string& output, const std::vector<std::string>& more) {
        std::vector<std::string> line{
            "run",
            input,
            "--recipe",
            R"({"schema": 1, "steps": [{"family": "rank", "parameters": {"radius": 1}}, {"family": "convolution"}]})",
            "--device",
            "cpu",
            "-o",
            output};
        line.insert(line.end(), more.begin(), more.end());
        return cli(line);
    };
    for (const auto& [name, bytes] : filesIn(in.path())) ASSERT_EQ(mend(in / name, out / "single/", {}).status, 0);
    const Outcome many = mend(in.path().string(), out / "many", {"--codecs", "2", "--timeline", out / "t.json"});
    ASSERT_EQ(many.status, 0) << many.err;
    EXPECT_EQ(filesIn(out / "many"), filesIn(out / "single"));
    EXPECT_EQ(linesOf(many.out).size(), 3U * kPictures + 1) << many.out;
    EXPECT_EQ(countEvents(out / "t.json")["kernel"], 2 * kPictures);
    fs::remove(out.path() / "many/p3.npy");
    const Outcome again = mend(in.path().string(), out / "many", {"--resume"});
    EXPECT_EQ(linesOf(again.out).size(), kPictures - 1U + 3) << again.out;
    EXPECT_EQ(filesIn(out / "many"), filesIn(out / "single"));
}

TEST(Resume, aKilledBatchIsCompletedToTheSameFiles) {
    const TemporaryFolder in, out;
    makePictures(in);
    ASSERT_EQ(runOn(in.path().string(), out / "whole").status, 0);
    {
        Program program(cliCommand(
            {"run", in.path().string(), "convolution", "--radius", "2", "--device", "cpu", "-o", out / "killed"}));
        const auto begun = [&] { return fs::exists(out / "killed") && !filesIn(out / "killed").empty(); };
        while (!begun() && program.waitForWork({})) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        program.signal(SIGKILL);
        program.wait();
    }
    // What stands there is whole, and stays.
    auto before = filesIn(out / "killed");
    const auto whole = filesIn(out / "whole");
    for (const auto& [name, bytes] : before) EXPECT_EQ(bytes, whole.at(name)) << name;
    ASSERT_FALSE(before.empty());
    const fs::path kept = fs::path(out / "killed") / before.begin()->first;
    const auto made = fs::last_write_time(kept);
    const Outcome again = runOn(in.path().string(), out / "killed", {"--resume"});
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(filesIn(out / "killed"), whole);
    EXPECT_EQ(fs::last_write_time(kept), made);
    const auto lines = linesOf(again.out);
    ASSERT_EQ(lines.size(), std::size_t(kPictures)) << again.out;
    for (int i = 0; i < kPictures; ++i) EXPECT_THAT(lines[i], StartsWith(in / nameOf(i)));
    EXPECT_THAT(lines[0], HasSubstr("left out: its result is there: " + kept.string()));
}

TEST(Resume, anInputThatChangedIsDoneAgain) {
    const TemporaryFolder in, out;
    makePictures(in);
    ASSERT_EQ(runOn(in.path().string(), out / "r").status, 0);
    const fs::path stale = out / "r/p1.npy", empty = out / "r/p3.npy";
    const std::string good = readText(stale), other = readText(empty);
    writeText(stale, "of an older input");
    fs::last_write_time(stale, fs::last_write_time(in / "p1.npy") - std::chrono::seconds(1));
    writeText(empty, "");
    const Outcome again = runOn(in.path().string(), out / "r", {"--resume", "--json"});
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(linesOf(again.out).size(), 2U) << again.out;
    EXPECT_EQ(readText(stale), good);
    EXPECT_EQ(readText(empty), other);
}

TEST(Resume, neverTakesAnInputForItsResult) {
    const TemporaryFolder folder;
    makePictures(folder);
    const auto before = filesIn(folder.path());
    const Outcome outcome = runOn(folder.path().string(), folder.path().string(), {"--resume"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("would replace an input"));
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr("left out")));
    EXPECT_EQ(filesIn(folder.path()), before);
    const Outcome nowhere = cli({"run", folder.path().string(), "convolution", "--device", "cpu", "--resume"});
    EXPECT_EQ(nowhere.status, 2);
    EXPECT_TRUE(isOneLine(nowhere.err)) << nowhere.err;
}

}  // namespace warplens::test
