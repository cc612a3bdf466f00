// SPDX-License-Identifier: Apache-2.0
// What a call reads is never written, whichever options name it, and no file is written twice.
#include "app/cli/call_files.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "gpu/core/registry.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace warplens::test {

using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

constexpr const char* kPicture = "gen:noise:4x4:u8";
const std::string kValues(16, '\1');  // a raw: picture of 4 x 4

/// A way to make a call read the file at `path`: what lies there, and the words that name it.
struct Reader {
    std::string name;
    std::string content;
    std::vector<std::string> (*words)(const std::string& path, const std::string& option);
    std::string family = "convolution", option{};
    std::vector<std::string> needs{};  ///< what has to be chosen for the option to have an effect
};

std::vector<Reader> readers() {
    std::vector<Reader> all{
        {"input", "no picture",
         [](const std::string& path, const std::string&) { return std::vector<std::string>{path}; }},
        {"raw", kValues,
         [](const std::string& path, const std::string&) {
             return std::vector<std::string>{"raw:" + path + ":4x4:u8"};
         }},
        {"rawWhole", kValues,
         [](const std::string& path, const std::string&) { return std::vector<std::string>{"raw:" + path}; }},
        {"series", "no picture",
         [](const std::string& path, const std::string&) {
             const fs::path file(path);
             return std::vector<std::string>{"series:" + (file.parent_path() / "slice-#.csv").string()};
         }},
        {"detachedHeader", kValues, [](const std::string& path, const std::string&) {
             const fs::path header = fs::path(path).parent_path() / "header.mhd";
             writeText(header, "ObjectType = Image\nElementDataFile = slice-1.csv\n");
             return std::vector<std::string>{header.string()};
         }}};
    for (const gpu::Family* family : gpu::families()) {
        for (const gpu::Parameter& parameter : family->parameters()) {
            const auto picture = [](const std::string& path, const std::string& option) {
                return std::vector<std::string>{kPicture, "--" + option, "raw:" + path + ":4x4:u8"};
            };
            const auto file = [](const std::string& path, const std::string& option) {
                return std::vector<std::string>{kPicture, "--" + option, path};
            };
            std::vector<std::string> needs;
            if (!parameter.visibleWhen.empty()) needs = {"--" + parameter.visibleWhen, parameter.visibleWhenIn.front()};
            if (parameter.type == gpu::Parameter::Type::picture)
                all.push_back({parameter.id, kValues, picture, family->id(), parameter.id, needs});
            else if (parameter.open)
                all.push_back({parameter.id, "0,0,0\n0,1,0\n0,0,0\n", file, family->id(), parameter.id, needs});
        }
    }
    return all;
}

/// The same file by other names.
std::vector<std::string> namesOf(const std::string& path, const TemporaryFolder& folder) {
    const fs::path link = folder / "link.csv", hard = folder / "hard.csv";
    fs::create_symlink(path, link);
    fs::create_hard_link(path, hard);
    const fs::path file(path);
    return {path, fs::relative(path).string(), (file.parent_path() / "." / ".." / "in" / file.filename()).string(),
            link.string(), hard.string()};
}

}  // namespace

TEST(CallFiles, noOptionWritesWhatAnotherReads) {
    const std::vector<std::string> commands{"run", "compare", "explain"}, options{"-o", "--report"};
    for (const Reader& reader : readers()) {
        const TemporaryFolder folder;
        fs::create_directory(folder / "in");
        const std::string path = folder / "in/slice-1.csv";
        writeText(path, reader.content);
        const auto words = reader.words(path, reader.option);
        for (const std::string& name : namesOf(path, folder)) {
            for (const std::string& command : commands) {
                for (const std::string& option : options) {
                    // A folder takes results by names of their own: see Batch.
                    if (option == "-o" && command != "run") continue;
                    std::vector<std::string> line{command};
                    line.push_back(words.front());
                    line.push_back(reader.family);
                    line.insert(line.end(), words.begin() + 1, words.end());
                    line.insert(line.end(), reader.needs.begin(), reader.needs.end());
                    line.insert(line.end(), {option, name});
                    const Outcome outcome = cli(line);
                    const std::string what = reader.name + ", " + command + " " + option + " " + name;
                    EXPECT_EQ(outcome.status, 2) << what << ": " << outcome.err;
                    EXPECT_TRUE(isOneLine(outcome.err)) << what << ": " << outcome.err;
                    EXPECT_THAT(outcome.err, HasSubstr("would replace an input")) << what;
                    EXPECT_EQ(readText(path), reader.content) << what;
                }
            }
        }
    }
}

TEST(CallFiles, norInABatchOrASweepOrABenchOrATune) {
    const TemporaryFolder folder;
    writeText(folder / "r.raw_q.csv", kValues);
    writeText(folder / "q.csv", kValues);
    writeText(folder / "k.sweep.json", "0,0,0\n0,1,0\n0,0,0\n");
    writeText(folder / "b.json", "{}");
    writeText(folder / "own.csv", "__global__ void own(const float* in, float* out, int width, int height) {}\n");
    const std::vector<std::vector<std::string>> lines{
        {"compare", "raw:" + folder / "q.csv" + ":4x4:u8", "raw:" + folder / "r.raw_q.csv" + ":4x4:u8", "convolution",
         "--report", folder / "r.csv"},
        {"sweep", "convolution", "--filter", folder / "k.sweep.json", "--report", folder / "k.sweep.json"},
        {"sweep", "convolution", "--over", "radius=1", "--input", "raw:" + folder / "q.csv" + ":4x4:u8", "--report",
         folder / "q.csv"},
        {"compare", kPicture, "convolution", "--kernel", folder / "own.csv", "--report", folder / "own.csv"},
        {"bench", "--from", folder / "b.json", "--report", folder / "b.json"},
        {"bench", "--merge", folder / "b.json", "--report", folder / "b.json"},
        {"tune", "--from", folder / "b.json", "-o", folder / "b.json"}};
    for (const auto& line : lines) {
        const Outcome outcome = cli(line);
        EXPECT_EQ(outcome.status, 2) << line.front() << ": " << outcome.err;
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("would replace an input")) << line.front();
    }
    EXPECT_EQ(readText(folder / "r.raw_q.csv"), kValues);
    EXPECT_EQ(readText(folder / "b.json"), "{}");
}

TEST(CallFiles, twoResultsOfOneNameAreRefused) {
    const TemporaryFolder folder;
    fs::create_symlink("r.csv", folder / "dangling.csv");
    const std::vector<std::string> run{"run", kPicture, "histogram",      "--device",
                                       "cpu", "-o",     folder / "r.csv", "--report"};
    for (const std::string& name :
         {folder / "r.csv", folder / "./r.csv", fs::relative(folder / "r.csv").string(), folder / "dangling.csv"}) {
        auto line = run;
        line.push_back(name);
        const Outcome outcome = cli(line);
        EXPECT_EQ(outcome.status, 2) << name << ": " << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("another result of this call goes there too"));
        EXPECT_FALSE(fs::exists(folder / "r.csv"));
    }
    writeText(folder / "b.json", "{}");
    const Outcome bench =
        cli({"bench", "--from", folder / "b.json", "--report", folder / "x.md", "--report", folder / "./x.md"});
    EXPECT_EQ(bench.status, 2) << bench.err;
}

TEST(CallFiles, aFolderOfDicomFilesIsReadFileByFile) {
    const TemporaryFolder folder;
    const std::string head = std::string(128, '\0') + "DICM";
    writeText(folder / "one.npy", head);
    cli::CallFiles files;
    files.reads(folder.path().string());
    EXPECT_THROW(files.writes("-o", folder / "one.npy"), cli::ArgumentError);
    EXPECT_NO_THROW(files.writes("-o", folder / "two.npy"));
}

TEST(CallFiles, aPatternInADetachedHeaderNamesItsFiles) {
    const TemporaryFolder folder;
    writeText(folder / "v.nhdr", "NRRD0004\ndata file: slice-%03d.raw 1 2 1\n");
    writeText(folder / "slice-001.raw", "1");
    writeText(folder / "other.raw", "1");
    cli::CallFiles files;
    files.reads(folder / "v.nhdr");
    EXPECT_THROW(files.writes("-o", folder / "slice-001.raw"), cli::ArgumentError);
    EXPECT_NO_THROW(files.writes("-o", folder / "other.raw"));
}

/// A new option that names a file has to be thought of here.
TEST(CallFiles, everyOptionThatNamesAFileIsReadOrWrittenAsTheseTestsSay) {
    std::set<std::string> parameters;
    for (const gpu::Family* family : gpu::families())
        for (const gpu::Parameter& parameter : family->parameters())
            if (parameter.type == gpu::Parameter::Type::picture) parameters.insert("--" + parameter.id);
    CLI::App program;
    for (const auto add : {cli::addInfo, cli::addDevices, cli::addList, cli::addRun, cli::addCompare, cli::addBench,
                           cli::addTune, cli::addExplain, cli::addSweep, cli::addDiff, cli::addMovement, cli::addKernel,
                           cli::addExercise, cli::addAssembly, cli::addFilm}) {
        add(program);
    }
    std::set<std::string> found;
    for (const CLI::App* command : program.get_subcommands({})) {
        for (const CLI::Option* option : command->get_options()) {
            const std::string type = option->get_type_name();
            const bool file = type.find("FILE") != std::string::npos || type.find("FOLDER") != std::string::npos ||
                              type.find(".json") != std::string::npos;
            if (file && !parameters.contains(option->get_name()))
                found.insert(command->get_name() + " " + option->get_name());
        }
    }
    EXPECT_EQ(
        found,
        (std::set<std::string>{
            "run --report",     "run --output",     "run --recipe",     "run --keep-steps",    "run --error-picture",
            "run --timeline",   "run --kernel",     "compare --kernel", "sweep --kernel",      "assembly --kernel",
            "explain --kernel", "compare --report", "compare --output", "explain --report",    "bench --merge",
            "bench --from",     "bench --report",   "tune --from",      "tune --output",       "sweep --input",
            "sweep --report",   "diff A",           "diff B",           "movement --timeline", "film --output",
            "film --kernel"}));
}

}  // namespace warplens::test
