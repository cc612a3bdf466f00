// SPDX-License-Identifier: Apache-2.0
// The exit statuses and messages that scripts rely on.
#include "gpu/core/registry.hpp"
#include "io/program_path.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {

using testing::HasSubstr;

namespace {

const std::string kPicture = "gen:zoneplate:40x30:u8";

struct Refusal {
    const char* name;
    std::vector<std::string> arguments;
    int status;
    const char* says;
};

/// The name of the test, in place of the object's bytes.
void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

const Refusal kRefusals[] = {
    {"nothing", {}, 2, "subcommand"},
    {"unknownCommand", {"paint"}, 2, "see warplens-cli --help"},
    {"compareWithoutFamily", {"compare", kPicture}, 2, "an INPUT and a FAMILY"},
    {"unknownFamily", {"compare", kPicture, "sorcery"}, 2, "sorcery"},
    {"unknownOption", {"compare", kPicture, "convolution", "--fliter", "box"}, 2, "--fliter"},
    {"unknownFilter", {"run", kPicture, "convolution", "--filter", "blurr"}, 2, "blurr"},
    {"radiusNotANumber", {"run", kPicture, "convolution", "--radius", "two"}, 2, "two"},
    {"radiusOutOfRange", {"run", kPicture, "convolution", "--radius", "99"}, 2, "99"},
    {"unknownBorder", {"run", kPicture, "convolution", "--border", "torn"}, 2, "torn"},
    {"unknownVariant", {"run", kPicture, "convolution", "--variant", "magic"}, 2, "magic"},
    {"unknownVariantInAList", {"compare", kPicture, "convolution", "--variants", "naive,magic"}, 2, "magic"},
    {"variantRefused",
     {"run", kPicture, "convolution", "--filter", "laplacian8", "--variant", "separable"},
     2,
     "separable"},
    {"runWithAnUnknownTunable", {"run", kPicture, "convolution", "--variant", "naive@colour=3"}, 2, "colour"},
    {"runWithATunableOutOfRange", {"run", kPicture, "convolution", "--variant", "naive@block_width=0"}, 2, "1 to 1024"},
    {"runWithATunableWithoutAValue", {"run", kPicture, "convolution", "--variant", "naive@block_width"}, 2, "VARIANT@"},
    {"autoWithATunable", {"run", kPicture, "convolution", "--variant", "auto@block_width=8"}, 2, "--set"},
    {"theSameRunTwice",
     {"compare", kPicture, "convolution", "--variants", "naive@block_width=8,constant,naive@block_width=8"},
     2,
     "naive@block_width=8 is named twice"},
    {"theSameVariantTwice",
     {"compare", kPicture, "convolution", "--variants", "naive,naive"},
     2,
     "naive is named twice"},
    {"autoTwice", {"compare", kPicture, "convolution", "--variants", "auto,auto"}, 2, "auto is named twice"},
    {"theSameRunTwiceInExplain", {"explain", kPicture, "convolution", "--variants", "naive,naive"}, 2, "named twice"},
    {"theSameRunTwiceInSweep", {"sweep", "convolution", "--variants", "naive,naive"}, 2, "named twice"},
    {"setWithoutValue", {"run", kPicture, "convolution", "--set", "block_width"}, 2, "KEY=INTEGER"},
    {"setNotANumber", {"run", kPicture, "convolution", "--set", "block_width=8x"}, 2, "KEY=INTEGER"},
    {"setUnknown", {"run", kPicture, "convolution", "--variant", "naive", "--set", "colour=3"}, 2, "colour"},
    {"reportOfUnknownFormat", {"run", kPicture, "convolution", "--report", "r.pdf"}, 2, ".json, .csv, .md or .html"},
    {"malformedGenerator", {"info", "gen:noise:0x4:u8"}, 2, "0x4"},
    {"unknownList", {"list", "colours"}, 2, "colours"},
    {"missingFile", {"info", "/nonexistent/photo.npy"}, 3, "/nonexistent/photo.npy"},
    {"missingFileInRun", {"run", "/nonexistent/photo.npy", "convolution"}, 3, "/nonexistent/photo.npy"},
    {"unwritableOutput",
     {"run", kPicture, "convolution", "-o", "/nonexistent/folder/x.npy"},
     3,
     "/nonexistent/folder/x.npy"},
    {"unwritableReport",
     {"run", kPicture, "convolution", "--report", "/nonexistent/folder/x.json"},
     3,
     "/nonexistent/folder"},
    {"outputOfUnknownFormat", {"run", kPicture, "convolution", "-o", "/tmp/x.psd"}, 3, "psd"},
    {"unknownSuite", {"bench", "--suite", "speed"}, 2, "speed"},
    {"seedWithoutRandom", {"bench", "--suite", "stencil", "--seed", "3"}, 2, "--suite random"},
    {"randomBesideAnother", {"bench", "--suite", "random,stencil"}, 2, "run alone"},
    {"randomScaled", {"bench", "--suite", "random", "--scale", "4"}, 2, "--largest"},
    {"randomOfNoSize", {"bench", "--suite", "random", "--largest", "much"}, 2, "--largest much"},
    {"unknownCase", {"bench", "--suite", "stencil", "--case", "convolution-*"}, 2, "convolution-*"},
    {"benchReportOfUnknownFormat", {"bench", "--report", "b.csv"}, 2, ".json or .md"},
    {"missingPeers", {"bench", "--merge", "/nonexistent/p.json"}, 3, "/nonexistent/p.json"},
    {"tuneWithoutFamily", {"tune"}, 2, "a FAMILY"},
    {"noSuchExercise", {"exercise", "show", "nothing"}, 2, "choose one of 005-vector-sum"},
    {"noFolderOfExercises", {"exercise", "list", "--folder", "nowhere"}, 2, "is no folder"},
    {"nothingIsCounted", {"explain", kPicture, "convolution", "--variants", "none"}, 2, "give --kernel"},
    {"movementWithoutFamily", {"movement", "gen:noise:8x8:u8"}, 2, "a FAMILY"},
    {"movementOfNoWay",
     {"movement", "gen:noise:8x8:u8", "convolution", "--device", "cpu", "--ways", "fast"},
     2,
     "choose one of pageable"},
    {"tuneFromMissing", {"tune", "--from", "/nonexistent/b.json"}, 3, "/nonexistent/b.json"},
    {"autoInExplain", {"explain", kPicture, "convolution", "--variants", "auto"}, 2, "auto"},
    {"emptyOutput", {"run", kPicture, "convolution", "-o", ""}, 2, "the name is empty"},
    {"emptyReport", {"compare", kPicture, "convolution", "--report", ""}, 2, "the name is empty"},
    {"emptyFrom", {"bench", "--from", ""}, 2, "the name is empty"},
    // What cannot be written is told before anything is read.
    {"outputOfUnknownFormatFirst", {"run", "/nonexistent/a.npy", "convolution", "-o", "/tmp/x.psd"}, 3, ".psd"},
    {"outputOfAPictureAsText", {"run", "/nonexistent/a.npy", "convolution", "-o", "/tmp/x.txt"}, 3, ".txt"},
    {"outputOfCountsAsPng", {"run", "/nonexistent/a.npy", "histogram", "-o", "/tmp/x.png"}, 2, ".csv"},
    {"outputWithoutAFormat", {"run", "/nonexistent/a.npy", "convolution", "-o", "/tmp/x"}, 3, "which format"},
    {"unwritableOutputFirst", {"run", "/nonexistent/a.npy", "convolution", "-o", "/nonexistent/b.npy"}, 3, "b.npy"},
    {"unwritableReportFirst",
     {"explain", "/nonexistent/a.npy", "convolution", "--report", "/nonexistent/r.md"},
     3,
     "r.md"},
    {"reportOverAFolder", {"run", kPicture, "convolution", "--report", "/tmp/../tmp/."}, 2, ".json, .csv"},
    {"outputWithoutFrom", {"tune", "convolution", "-o", "/tmp/t.json"}, 2, "--from"},
    {"fromWithACase", {"bench", "--from", "/nonexistent/b.json", "--case", "x"}, 2, "--case"},
    {"budgetOfNan", {"bench", "--budget", "nan"}, 2, "nan"},
    {"budgetOfNoTimeInCompare", {"compare", "gen:noise:8x8:u8", "reduction", "--budget", "0"}, 2, "0.001"},
    {"budgetOfInfinity", {"tune", "convolution", "--budget", "inf"}, 2, "inf"},
    {"budgetOfNanInTune", {"tune", "convolution", "--budget=-nan"}, 2, "nan"},
    {"listOfAnUnknownSuite", {"bench", "--list", "--suite", "speed"}, 2, "speed"},
    {"listOfAnUnknownCase", {"bench", "--list", "--case", "convolutoin-*"}, 2, "convolutoin-*"},
    {"axesOfAGeneratedPicture", {"run", kPicture, "convolution", "--axes", "abc"}, 2, "axes"},
    {"axesOfARawFile", {"info", "raw:/etc/hostname", "--axes", "yx"}, 2, "axes"},
    {"customFilterWithoutAMatrix", {"run", kPicture, "convolution", "--filter", "custom"}, 2, "give --matrix"},
    {"customStencilWithoutValues", {"compare", kPicture, "stencil", "--stencil", "custom"}, 2, "give --coefficients"},
    {"missingReport", {"diff", "/nonexistent/a.json", "/nonexistent/b.json"}, 3, "/nonexistent/a.json"},
    {"noSuchDevice", {"run", kPicture, "convolution", "--device", "cuda:99"}, 4, "cuda:99"},
    {"noSuchDeviceInCompare", {"compare", kPicture, "convolution", "--device", "GPU-no"}, 4, "GPU-no"},
    {"noSuchDeviceOfSeveral", {"run", kPicture, "convolution", "--device", "cpu,cuda:99"}, 4, "cuda:99"},
    {"emptyNameOfADevice", {"run", kPicture, "convolution", "--device", "cpu,,cpu"}, 2, "a name is empty"},
    {"severalDevicesForWhatIsOneThing", {"run", kPicture, "components", "--device", "cpu,cpu"}, 2, "all of its input"},
    {"severalDevicesForSumsOfFloats",
     {"run", "gen:noise:20x10:f32", "reduction", "--device", "cpu,cpu"},
     2,
     "sums of floats would be rounded otherwise"},
    {"exchangeOnOneDevice",
     {"run", "gen:noise:20x10:f32", "stencil", "--device", "cpu", "--exchange", "peer"},
     2,
     "one device has no halos to exchange"},
    {"exchangeWhereNothingIsExchanged",
     {"run", kPicture, "histogram", "--device", "cpu,cpu", "--exchange", "peer"},
     2,
     "histogram exchanges no halos"},
    {"exchangeByAnUnknownWay",
     {"run", "gen:noise:20x10:f32", "stencil", "--device", "cpu,cpu", "--exchange", "wire"},
     2,
     "--exchange"},
    {"severalDevicesForALibrary",
     {"run", "gen:noise:20x10:f32", "stencil", "--variant", "opencv", "--device", "cpu,cpu"},
     2,
     "runs on the host: name one device"},
    {"severalInCompare", {"compare", kPicture, "distance", "--device", "cpu,cpu"}, 2, "all of its input"},
    {"severalInExplain", {"explain", kPicture, "convolution", "--device", "cpu,cpu"}, 2, "explain works on one device"},
    {"severalInSweep", {"sweep", "convolution", "--device", "cuda:all"}, 2, "sweep works on one device"},
    {"severalInBench", {"bench", "--device", "cpu,cpu"}, 2, "bench works on one device"},
    {"severalInTune", {"tune", "convolution", "--device", "cuda:all"}, 2, "tune works on one device"},
    {"severalInMovement", {"movement", kPicture, "convolution", "--device", "cpu,cpu"}, 2, "movement works on one"},
};

class Refuses : public testing::TestWithParam<Refusal> {};

}  // namespace

TEST_P(Refuses, inOneLineWithItsStatus) {
    const Outcome outcome = cli(GetParam().arguments);
    EXPECT_EQ(outcome.status, GetParam().status) << outcome.err;
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(GetParam().says));
    EXPECT_EQ(outcome.out, "");
}

INSTANTIATE_TEST_SUITE_P(Cli, Refuses, testing::ValuesIn(kRefusals),
                         [](const auto& test) { return std::string(test.param.name); });

/// Each parameter that only matters with a choice is refused with every other one, and with the default where that is
/// one.
TEST(Cli, aParameterWithoutEffectIsRefused) {
    for (const gpu::Family* family : gpu::families()) {
        for (const gpu::Parameter& parameter : family->parameters()) {
            if (parameter.visibleWhen.empty()) continue;
            const auto& all = family->parameters();
            const auto owner = std::ranges::find(all, parameter.visibleWhen, &gpu::Parameter::id);
            ASSERT_NE(owner, all.end());
            for (const std::string& choice : owner->choices) {
                if (std::ranges::find(parameter.visibleWhenIn, choice) != parameter.visibleWhenIn.end()) continue;
                std::vector<std::string> line{"run", kPicture, family->id(), "--device", "cpu"};
                line.insert(line.end(), {"--" + owner->id, choice});
                // What decides over the owner lets it decide.
                for (auto above = owner; !above->visibleWhen.empty();) {
                    line.insert(line.end(), {"--" + above->visibleWhen, above->visibleWhenIn.front()});
                    above = std::ranges::find(all, above->visibleWhen, &gpu::Parameter::id);
                }
                const bool flag = parameter.type == gpu::Parameter::Type::flag;
                const bool picture = parameter.type == gpu::Parameter::Type::picture;
                const std::string fallback = picture ? kPicture : gpu::format(parameter.fallback);
                line.push_back("--" + parameter.id + (flag ? "" : "=" + (fallback.empty() ? "1" : fallback)));
                const Outcome outcome = cli(line);
                EXPECT_EQ(outcome.status, 2) << parameter.id << " " << choice << ": " << outcome.out;
                EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
                EXPECT_THAT(outcome.err, HasSubstr("--" + parameter.id + ": has no effect with")) << choice;
            }
        }
    }
    // Neither where what it depends on has no effect itself.
    EXPECT_THAT(cli({"run", kPicture, "elementwise", "--task", "gamma", "--threshold", "40"}).err,
                HasSubstr("--threshold: has no effect with --task gamma"));
    EXPECT_EQ(
        cli({"run", kPicture, "elementwise", "--device", "cpu", "--task", "threshold", "--threshold", "40"}).status, 0);
    EXPECT_EQ(cli({"run", kPicture, "convolution", "--matrix", "1"}).status, 2);
    EXPECT_EQ(cli({"run", kPicture, "stencil", "--weights27", "abc"}).status, 2);
    // Given coefficients need no stencil.
    EXPECT_EQ(cli({"run", kPicture, "stencil", "--device", "cpu", "--coefficients", "1,0,0,0,0"}).status, 0);
}

TEST(Cli, benchListsWhatWasAskedFor) {
    const Outcome all = cli({"bench", "--list"}), some = cli({"bench", "--list", "--case", "stencil-*"});
    EXPECT_EQ(all.status, 0) << all.err;
    EXPECT_THAT(all.out, HasSubstr("histogram-"));
    EXPECT_THAT(some.out, HasSubstr("stencil-"));
    EXPECT_THAT(some.out, testing::Not(HasSubstr("histogram-")));
}

TEST(Cli, diffRefusesTimesBelowZero) {
    const TemporaryFolder folder;
    ASSERT_EQ(cli({"run", kPicture, "convolution", "--device", "cpu", "--report", folder / "a.json"}).status, 0);
    const auto good = nlohmann::json::parse(readText(folder / "a.json"));
    const auto refused = [&](const nlohmann::json& bad, const std::string& field) {
        writeText(folder / "b.json", bad.dump());
        const Outcome outcome = cli({"diff", folder / "a.json", folder / "b.json"});
        EXPECT_EQ(outcome.status, 3) << field << outcome.out;
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(field));
    };
    for (const char* field : {"median_ms", "q1_ms", "q3_ms", "min_ms", "low_ms", "high_ms", "samples"}) {
        auto bad = good;
        bad["runs"][0]["time"][field] = -1;
        refused(bad, field);
    }
    for (const char* field : {"upload_ms", "layout_ms", "download_ms", "bandwidth_gbs", "percent_of_limit"}) {
        auto bad = good;
        bad["runs"][0][field] = -0.5;
        refused(bad, field);
    }
}

TEST(Cli, noDocumentIsRefusedInTheWordsOfTheJsonLibrary) {
    const TemporaryFolder folder;
    const std::string path = folder / "a.json";
    for (const char* content : {"", "{", "{}", "[]", "3", R"({"warplens": 3})", R"({"warplens": "1", "cases": 1})",
                                R"({"device": []})", R"({"environment": null})"}) {
        writeText(path, content);
        for (const std::vector<std::string>& line :
             {std::vector<std::string>{"diff", path, path}, {"bench", "--from", path}, {"tune", "--from", path}}) {
            const Outcome outcome = cli(line);
            EXPECT_EQ(outcome.status, 3) << content << outcome.err;
            EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
            EXPECT_THAT(outcome.err, testing::Not(HasSubstr("json.exception"))) << content;
            EXPECT_THAT(outcome.err, HasSubstr("a.json")) << content;
        }
    }
}

/// In a sandbox without /proc the program still finds what lies beside it.
TEST(Cli, knowsItsOwnPlaceWithoutProc) {
    EXPECT_EQ(io::programFile("/nonexistent"), io::programFile());
    EXPECT_FALSE(io::programFile("/nonexistent").empty());
}

TEST(Cli, helpAndVersionAreFine) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"--help"}, {"run", "--help"}, {"compare", "--help"}}) {
        const Outcome outcome = cli(arguments);
        EXPECT_EQ(outcome.status, 0);
        EXPECT_THAT(outcome.out, HasSubstr("Usage: warplens-cli"));
        EXPECT_EQ(outcome.err, "");
    }
    EXPECT_EQ(cli({"--version"}).out, std::string("warplens-cli ") + WARPLENS_VERSION + "\n");
}

TEST(Cli, helpListsEveryParameterOfTheFamily) {
    const std::string help = cli({"compare", "--help"}).out;
    for (const char* option : {"--filter", "--radius", "--sigma", "--border", "--output-type", "--set", "--device"}) {
        EXPECT_THAT(help, HasSubstr(option));
    }
}

TEST(Cli, runSaysInOneLineWhatItDidAndIsSilentOnStderr) {
    const TemporaryFolder folder;
    const Outcome outcome =
        cli({"run", kPicture, "convolution", "--device", "cpu", "--radius", "1", "-o", folder / "out.npy"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr(" on cpu: "));
    EXPECT_THAT(outcome.out, HasSubstr("ms (measured, cpu-library), verified"));
    EXPECT_THAT(outcome.out, HasSubstr("; auto: a library on the CPU, where kernels are emulated; "));
    EXPECT_THAT(outcome.out, HasSubstr("; wrote " + folder / "out.npy\n"));
    EXPECT_EQ(readText(folder / "out.npy").substr(1, 5), "NUMPY");
}

TEST(Cli, runTakesAKernelThatTheFilterAllows) {
    const Outcome outcome = cli({"run", kPicture, "convolution", "--device", "cpu", "--filter", "laplacian8"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(" on cpu"));
    EXPECT_THAT(outcome.out, testing::Not(testing::ContainsRegex("convolution, separable")));
}

TEST(Cli, compareOnTheCpuHasEveryRowRightAndNoWinner) {
    const Outcome outcome =
        cli({"compare", "gen:noise:50x41:f32", "convolution", "--device", "cpu", "--variants", "all"});
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("No winner"));
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr("astest")));
    EXPECT_THAT(outcome.out, HasSubstr("opencv (library)"));
}

TEST(Cli, anUnsupportedRowInCompareIsNoError) {
    const Outcome outcome = cli({"compare", kPicture, "convolution", "--device", "cpu", "--filter", "laplacian8"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("unsupported: "));
}

TEST(Cli, valuesMayBeNegativeAndAFilterAFile) {
    const TemporaryFolder folder;
    writeText(folder / "edge.csv", "0,0,0\n-1,0,1\n0,0,0\n");
    const Outcome outcome =
        cli({"run", kPicture, "convolution", "--device", "cpu", "--filter", folder / "edge.csv", "--offset", "-5"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(Cli, aTunableReachesTheLaunch) {
    const Outcome outcome = cli({"run", kPicture, "convolution", "--device", "cpu", "--variant", "naive", "--set",
                                 "block_width=16", "--set", "block_height=4", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto run = nlohmann::json::parse(outcome.out)["runs"][0];
    EXPECT_EQ(run["tunables"]["block_width"], 16);
    EXPECT_EQ(run["launch"]["block"], nlohmann::json({16, 4, 1}));
}

TEST(Cli, shuffledOrderGivesTheSameResult) {
    const TemporaryFolder folder;
    for (const char* seed : {"0", "7"}) {
        const Outcome outcome = cli({"run", kPicture, "convolution", "--device", "cpu", "--variant", "tiled_output",
                                     "--shuffle", seed, "-o", folder / (std::string(seed) + ".npy")});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
    }
    EXPECT_EQ(readText(folder / "0.npy"), readText(folder / "7.npy"));
}

TEST(Cli, anEmptyListOfGpusLeavesTheCpuAndSaysWhy) {
    const std::map<std::string, std::string> none{{"CUDA_VISIBLE_DEVICES", ""}};
    const Outcome devices = cli({"devices"}, none);
    EXPECT_EQ(devices.status, 0) << devices.err;
    EXPECT_EQ(devices.out.rfind("cpu  ", 0), 0U) << devices.out;
    const auto document = nlohmann::json::parse(cli({"devices", "--json"}, none).out);
    EXPECT_EQ(document["devices"].size(), 1U);
    EXPECT_GT(document["why_no_cuda"].get<std::string>().size(), 10U);
    // Whether a compiler is there has nothing to do with GPUs.
    EXPECT_NE(document["specialising"]["compiler"].is_null(), document["specialising"]["why_not"].is_null());
    const std::map<std::string, std::string> off{{"WARPLENS_SPECIALISE", "off"}};
    EXPECT_EQ(nlohmann::json::parse(cli({"devices", "--json"}, off).out)["specialising"]["why_not"].is_null(), false);
    const Outcome misspelt = cli({"devices"}, {{"WARPLENS_SPECIALISE", "weigths"}});
    EXPECT_EQ(misspelt.status, 2);
    EXPECT_TRUE(isOneLine(misspelt.err)) << misspelt.err;
    EXPECT_NE(misspelt.err.find("WARPLENS_SPECIALISE=weigths"), std::string::npos) << misspelt.err;
    const Outcome refused = cli({"run", kPicture, "convolution", "--device", "cuda"}, none);
    EXPECT_EQ(refused.status, 4);
    EXPECT_TRUE(isOneLine(refused.err)) << refused.err;
    EXPECT_EQ(cli({"run", kPicture, "convolution"}, none).status, 0);
}

TEST(Cli, aFullDiskBehindStandardOutputIsNoticed) {
    const Outcome outcome = runProgram({"/bin/sh", "-c", std::string(WARPLENS_CLI) + " list variants > /dev/full"});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
}

}  // namespace warplens::test
