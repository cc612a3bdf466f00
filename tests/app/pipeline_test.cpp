// SPDX-License-Identifier: Apache-2.0
// Many pictures through decode, compute, verify and encode at once: the files and words of one after the other.
#include "app/cli/batch.hpp"
#include "io/error.hpp"
#include "io/generate.hpp"
#include "io/write.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/temporary_folder.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
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
    // A kernel, whose stages are told.
    std::vector<std::string> line{"run", input,      "convolution", "--variant", "separable", "--radius",
                                  "2",   "--device", "cpu",         "-o",        output};
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
    EXPECT_THAT(
        lines.back(),
        testing::ContainsRegex("pictures per second, .* GB/s .measured.: 5 in .*critical stage: .*busy .*exposed: "));
    auto count = countEvents(out / "t.json");
    EXPECT_EQ(count["decode"], kPictures + 1);
    for (const char* stage : {"compute", "verify", "encode", "upload", "kernel", "download"})
        EXPECT_EQ(count[stage], kPictures) << stage;
    // Without a timeline a script sees no more lines than before.
    EXPECT_EQ(linesOf(runOn(in.path().string(), out / "many").out).size(), std::size_t(kPictures));
}

TEST(Pictures, whatWasWrittenOutOfTurnIsToldAfterAStop) {
    CLI::App program;
    cli::BatchOptions options(program);
    options.codecs = 2;
    const cli::RequestOptions request(program);
    cli::CallFiles files;
    cli::Batch batch(options, request, {{"gen:noise:4x4:u8", "gen:noise:5x4:u8", "gen:noise:6x4:u8"}, true}, false,
                     files);
    std::stop_source stop;
    std::promise<void> written;
    const auto compute = [&](cli::Picture& picture, const std::stop_token&) {
        const bool first = picture.name == "gen:noise:4x4:u8", second = picture.name == "gen:noise:5x4:u8";
        picture.acts.push_back({.write =
                                    [&, first, second](const std::stop_token& ending) {
                                        if (second) written.set_value();
                                        if (!first) return;
                                        written.get_future().get();
                                        stop.request_stop();
                                        while (!ending.stop_requested()) std::this_thread::yield();
                                        throw io::Error(io::Error::Kind::cancelled, "stopped");
                                    },
                                .said = {.out = picture.name + " is written\n"}});
    };
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    EXPECT_EQ(batch.run({.compute = compute, .verify = {}}, stop.get_token()), 130);
    const std::string out = testing::internal::GetCapturedStdout();
    EXPECT_THAT(out, StartsWith("gen:noise:5x4:u8 is written\n"));
    EXPECT_THAT(out, testing::Not(HasSubstr("gen:noise:4x4:u8")));
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("interrupted"));
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

/// As many as pictures, fewer, and more than there are; each in the batch of a family and of a recipe's steps, whose
/// filters differ while several devices are at work.
TEST(Pictures, severalDevicesShareThemToTheSameFilesAndWords) {
    const TemporaryFolder in, out;
    makePictures(in);
    const std::string steps = R"({"schema": 1, "steps": [{"family": "convolution", "parameters": {"radius": 1}},)"
                              R"( {"family": "convolution", "parameters": {"radius": 3}}, {"family": "convolution"}]})";
    const auto over = [&](const std::string& devices, const std::string& to, std::vector<std::string> more) {
        std::vector<std::string> line{"run", in.path().string(), "--device", devices, "-o", out / to};
        line.insert(line.end(), more.begin(), more.end());
        return cli(line);
    };
    const std::vector<std::string> family{"convolution", "--radius", "2", "--variant", "separable"},
        recipe{"--recipe", steps};
    ASSERT_EQ(over("cpu", "one", family).status, 0);
    ASSERT_EQ(over("cpu", "steps", recipe).status, 0);
    for (const int devices : {2, 3, 7}) {
        std::string names = "cpu";
        for (int i = 1; i < devices; ++i) names += ",cpu";
        auto more = family;
        more.insert(more.end(), {"--timeline", out / "t.json"});
        const Outcome shared = over(names, "several", more);
        ASSERT_EQ(shared.status, 0) << shared.err;
        EXPECT_EQ(filesIn(out / "several"), filesIn(out / "one")) << names;
        const auto lines = linesOf(shared.out);
        ASSERT_EQ(lines.size(), kPictures + 1U) << shared.out;
        for (int i = 0; i < kPictures; ++i) EXPECT_THAT(lines[i], StartsWith(in / nameOf(i))) << shared.out;
        auto count = countEvents(out / "t.json");
        for (const char* stage : {"compute", "verify", "kernel", "download"}) EXPECT_EQ(count[stage], kPictures);
        const auto document = nlohmann::json::parse(readText(out / "t.json"));
        EXPECT_EQ(document["otherData"]["stages"][1]["places"], std::vector<std::string>(2 * devices, "cpu"));
        std::set<std::string> rows;
        for (const auto& event : document["traceEvents"])
            if (event["name"] == "thread_name") rows.insert(event["args"]["name"]);
        for (int i = 1; i <= 2 * devices; ++i) EXPECT_TRUE(rows.contains("compute " + std::to_string(i) + ", cpu"));
        ASSERT_EQ(over(names, "several-steps", recipe).status, 0);
        EXPECT_EQ(filesIn(out / "several-steps"), filesIn(out / "steps")) << names;
    }
    fs::remove(out / "several/p3.npy");
    const Outcome again = over("cpu,cpu", "several", {"convolution", "--radius", "2", "--resume"});
    EXPECT_THAT(again.out, HasSubstr("left out: its result is there"));
    EXPECT_EQ(filesIn(out / "several"), filesIn(out / "one"));
}

TEST(Pictures, whatOneOfSeveralDevicesCannotDoCostsThatPictureAlone) {
    const TemporaryFolder in, out;
    for (const int width : {20, 400, 30, 40}) {
        const std::string size = std::to_string(width);
        io::write(io::generate("gen:noise:" + size + "x" + size + ":f32"), in / (size + ".npy"));
    }
    const Outcome outcome = cli({"run", in.path().string(), "convolution", "--variant", "naive", "--device", "cpu,cpu",
                                 "--memory-limit", "3kB", "-o", out / "r"});
    EXPECT_EQ(outcome.status, 4) << outcome.err;
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("400.npy"));
    EXPECT_EQ(filesIn(out / "r").size(), 3U) << outcome.out;
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

/// Runs the script in the codec's place; "real" in it is the codec itself.
std::map<std::string, std::string> withCodec(const TemporaryFolder& folder, std::string script) {
    const std::string real = (fs::path(WARPLENS_CLI).parent_path() / "warplens-codec").string();
    writeText(folder / "codec", "#!/bin/sh\nreal='" + real + "'\ncd '" + folder.path().string() + "'\n" + script);
    fs::permissions(folder / "codec", fs::perms::owner_all);
    return {{"WARPLENS_CODEC", folder / "codec"}};
}

TEST(Pictures, aFullDiskCostsWhatDoesNotFitAndLeavesNothingTorn) {
    const TemporaryFolder in, out;
    io::write(io::generate("gen:noise:20x20:u8"), in / "a.npy");
    io::write(io::generate("gen:noise:400x300:u8"), in / "b.npy");
    io::write(io::generate("gen:noise:30x20:u8"), in / "c.npy");
    const std::string command = WARPLENS_CLI " run " + in.path().string() + " convolution --device cpu -o ";
    const Outcome full = runProgram({"/bin/sh", "-c", "trap '' XFSZ; ulimit -f 40; exec " + command + (out / "full")});
    EXPECT_EQ(full.status, 3);
    EXPECT_TRUE(isOneLine(full.err)) << full.err;
    EXPECT_THAT(full.err, HasSubstr("b.npy"));
    EXPECT_THAT(full.err, HasSubstr("free space"));
    std::set<std::string> left;
    for (const auto& entry : fs::directory_iterator(out / "full")) left.insert(entry.path().filename());
    EXPECT_EQ(left, (std::set<std::string>{"a.npy", "c.npy"})) << "not even a hidden one";
    const Outcome again = runProgram({"/bin/sh", "-c", "exec " + command + (out / "full") + " --resume"});
    EXPECT_EQ(again.status, 0) << again.err;
    ASSERT_EQ(linesOf(again.out).size(), 3U) << again.out;
    EXPECT_THAT(linesOf(again.out)[1], testing::Not(HasSubstr("left out")));
    ASSERT_EQ(runProgram({"/bin/sh", "-c", "exec " + command + (out / "whole")}).status, 0);
    EXPECT_EQ(filesIn(out / "full"), filesIn(out / "whole"));
}

TEST(Resume, anInputThatChangesOnTheWayIsToldAndDoneAgain) {
    if (!haveCodec()) GTEST_SKIP() << "no codec";
    for (const std::string call : {"1", "2"}) {  // while it is read, and while its result is written
        const TemporaryFolder in, out, codec;
        io::write(io::generate("gen:noise:20x20:u8"), in / "a.npy");
        io::write(io::generate("gen:noise:30x20:u8"), in / "b.png");
        const auto environment =
            withCodec(codec, "echo >> calls\n[ $(wc -l < calls) != " + call + " ] || touch -d 2035-01-01 '" +
                                 (in / "b.png") + "'\nexec \"$real\" \"$@\"\n");
        const Outcome first =
            cli({"run", in.path().string(), "convolution", "--device", "cpu", "-o", out / "r"}, environment);
        EXPECT_EQ(first.status, 3);
        EXPECT_TRUE(isOneLine(first.err)) << first.err;
        EXPECT_THAT(first.err, HasSubstr("b.png: the file changed while it was "));
        EXPECT_TRUE(fs::exists(out / "r/a.npy"));
        EXPECT_EQ(fs::exists(out / "r/b.png"), call == "2");
        fs::last_write_time(in / "b.png", fs::last_write_time(in / "a.npy"));
        const auto lines = linesOf(runOn(in.path().string(), out / "r", {"--resume"}).out);
        ASSERT_EQ(lines.size(), 2U);
        EXPECT_THAT(lines[0], HasSubstr("left out"));
        EXPECT_THAT(lines[1], testing::Not(HasSubstr("left out"))) << "of the earlier content";
    }
}

TEST(Pictures, aStopEndsACodecThatEncodes) {
    const TemporaryFolder out, codec;
    auto environment = withCodec(codec, "echo $$ > begun\nmv begun pid\nexec sleep 600\n");
    environment["WARPLENS_CODEC_TIMEOUT"] = "86400";
    Program program(cliCommand({"run", "gen:noise:64x64:u8", "convolution", "--device", "cpu", "-o", out / "r.png"}),
                    environment);
    while (!fs::exists(codec / "pid")) {
        ASSERT_TRUE(program.waitForWork({})) << "ended early";
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    program.signal(SIGINT);
    const Outcome outcome = program.wait(std::chrono::seconds(60));
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    EXPECT_EQ(kill(std::stoi(readText(codec / "pid")), 0), -1) << "the codec still runs";
    EXPECT_TRUE(fs::is_empty(out.path()));
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
