// SPDX-License-Identifier: Apache-2.0
// run --recipe: the same bits as its steps one by one, and one line for what is wrong with it.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace warplens::test {

using testing::HasSubstr;
using testing::StartsWith;

namespace {

const std::string kNoise = "gen:noise:40x30:u8:seed=3";

std::string recipeOf(const std::string& steps) { return R"({"schema": 1, "steps": [)" + steps + "]}"; }

const std::string kMedian = R"({"family": "rank", "parameters": {"radius": 1}, "variant": "naive"})";
const std::string kSharpen = R"({"family": "convolution", "parameters": {"filter": "unsharp", "radius": 1}})";

Outcome onCpu(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), {"--device", "cpu"});
    return cli(arguments);
}

void mustRun(const std::vector<std::string>& arguments) {
    const Outcome outcome = onCpu(arguments);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
}

}  // namespace

TEST(Recipe, theSameBitsAsItsStepsOneByOne) {
    const TemporaryFolder folder;
    mustRun({kNoise, "rank", "--radius", "1", "--variant", "naive", "-o", folder / "1.npy"});
    // Kernels in both, whose times are of one clock.
    const std::vector<std::string> kernels{"--memory-limit", "1GB"};
    mustRun({folder / "1.npy", "convolution", "--filter", "unsharp", "--radius", "1", "-o", folder / "2.npy",
             kernels[0], kernels[1]});
    writeText(folder / "denoise.json", recipeOf(kMedian + ", " + kSharpen));
    EXPECT_EQ(violation("recipe", readText(folder / "denoise.json")), "");
    const Outcome outcome =
        onCpu({kNoise, "--recipe", folder / "denoise.json", "-o", folder / "whole.npy", "--keep-steps", folder / "kept",
               "--report", folder / "r.json", kernels[0], kernels[1]});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("denoise.json, step 1: rank, naive on cpu"));
    EXPECT_THAT(outcome.out, HasSubstr("2 steps: "));
    EXPECT_EQ(readText(folder / "whole.npy"), readText(folder / "2.npy"));
    const std::string stem = folder / "kept/gen_noise_40x30_u8_seed=3";
    EXPECT_EQ(readText(stem + ".step-1.npy"), readText(folder / "1.npy"));
    EXPECT_EQ(readText(stem + ".step-2.npy"), readText(folder / "2.npy"));
    for (const char* report : {"r.step-1.json", "r.step-2.json"})
        EXPECT_EQ(violation("report", readText(folder / report)), "") << report;
    // The text itself instead of a file's name.
    mustRun(
        {kNoise, "--recipe", recipeOf(kMedian + ", " + kSharpen), "-o", folder / "text.npy", kernels[0], kernels[1]});
    EXPECT_EQ(readText(folder / "text.npy"), readText(folder / "2.npy"));
    // By itself the second step is a library's on a CPU, alone and in the recipe.
    mustRun({folder / "1.npy", "convolution", "--filter", "unsharp", "--radius", "1", "-o", folder / "host.npy"});
    const Outcome host = onCpu({kNoise, "--recipe", folder / "denoise.json", "-o", folder / "both.npy"});
    EXPECT_THAT(host.out, HasSubstr("step 2: convolution, opencv on cpu"));
    EXPECT_EQ(host.out.find("2 steps: "), std::string::npos) << "times of two clocks do not add up";
    EXPECT_EQ(readText(folder / "both.npy"), readText(folder / "host.npy"));
}

/// One run where it keeps the bits: told, and the same as step by step; else two.
TEST(Recipe, neighboursThatOneRunCanDoAreFused) {
    const TemporaryFolder folder;
    const auto turn = [](const std::string& task) {
        return R"({"family": "layout", "parameters": {"task": ")" + task + R"("}})";
    };
    const auto heat = [](int steps, const std::string& more = "") {
        return R"({"family": "stencil", "variant": "fused", "parameters": {"iterations": )" + std::to_string(steps) +
               more + "}}";
    };
    const auto blur = R"({"family": "convolution", "parameters": {"radius": 1}})";
    const std::vector<std::pair<std::string, std::string>> cases{
        {turn("rotate90") + ", " + turn("transpose") + ", " + turn("rotate90"), "steps 1 to 3 as one run"},
        {turn("rotate90") + ", " + turn("flip-x") + ", " + turn("rotate180"), "steps 1 to 2 as one run"},
        {heat(3) + ", " + heat(2), "steps 1 to 2 as one run"},
        {turn("flip-y") + ", " + heat(3) + ", " + heat(4), "steps 2 to 3 as one run"},
        {turn("transpose") + ", " + turn("rotate180"), ""},
        {heat(3) + ", " + heat(2, R"(, "tolerance": 1)"), ""},
        {heat(3, R"(, "output-type": "same")") + ", " + heat(2, R"(, "output-type": "same")"), ""},
        {blur + std::string(", ") + blur, ""},
        // One of them could not take what both are together.
        {R"({"family": "layout", "variant": "read_coalesced", "parameters": {"task": "transpose"}}, )"
         R"({"family": "layout", "variant": "tiled", "parameters": {"task": "transpose"}})",
         ""},
    };
    for (const auto& [steps, told] : cases) {
        const auto run = [&](std::vector<std::string> more) {
            more.insert(more.begin(), {kNoise, "--recipe", recipeOf(steps)});
            const Outcome outcome = onCpu(more);
            EXPECT_EQ(outcome.status, 0) << outcome.err;
            return outcome.out;
        };
        const std::string out = run({"-o", folder / "fused.npy"});
        run({"-o", folder / "single.npy", "--keep-steps", folder / "kept"});
        EXPECT_EQ(readText(folder / "fused.npy"), readText(folder / "single.npy")) << steps;
        if (told.empty())
            EXPECT_EQ(out.find("as one run"), std::string::npos) << out;
        else
            EXPECT_THAT(out, HasSubstr(told));
    }
}

TEST(Recipe, masksFromEarlierStepsAndFiles) {
    const TemporaryFolder folder;
    mustRun({kNoise, "scan", "--task", "threshold", "-o", folder / "mask.npy"});
    mustRun({kNoise, "sparse", "--task", "inpaint", "--mask", folder / "mask.npy", "-o", folder / "inpainted.npy"});
    const std::string mask = R"({"name": "mask", "family": "scan", "parameters": {"task": "threshold"}}, )";
    const auto inpaint = [](const std::string& from) {
        return R"({"family": "sparse", "input": "input", "parameters": {"task": "inpaint", "mask": )" + from + "}}";
    };
    // A file is looked for beside the recipe.
    for (const std::string& steps :
         {mask + inpaint(R"({"step": "mask"})"), mask + inpaint(R"("previous")"), inpaint(R"({"file": "mask.npy"})")}) {
        writeText(folder / "inpaint.json", recipeOf(steps));
        EXPECT_EQ(violation("recipe", recipeOf(steps)), "");
        mustRun({kNoise, "--recipe", folder / "inpaint.json", "-o", folder / "out.npy"});
        EXPECT_EQ(readText(folder / "out.npy"), readText(folder / "inpainted.npy")) << steps;
    }
    mustRun({folder / "mask.npy", "components", "-o", folder / "labels.npy"});
    mustRun({kNoise, "--recipe", recipeOf(mask + R"({"family": "components"})"), "-o", folder / "out.npy"});
    EXPECT_EQ(readText(folder / "out.npy"), readText(folder / "labels.npy"));
}

TEST(Recipe, aStepSwitchedOffIsSkipped) {
    const TemporaryFolder folder;
    std::string off = kMedian;
    off.insert(off.size() - 1, R"(, "on": false)");
    mustRun({kNoise, "--recipe", recipeOf(kMedian), "-o", folder / "one.npy"});
    mustRun({kNoise, "--recipe", recipeOf(off + ", " + kMedian), "-o", folder / "other.npy"});
    EXPECT_EQ(readText(folder / "one.npy"), readText(folder / "other.npy"));
    EXPECT_THAT(onCpu({kNoise, "--recipe", recipeOf(off)}).err, HasSubstr("no step is switched on"));
}

TEST(Recipe, aFolderIsABatch) {
    const TemporaryFolder in, out;
    for (const char* name : {"a.npy", "b.npy"})
        mustRun({"gen:noise:20x10:u8", "convolution", "--radius", name[0] == 'a' ? "1" : "2", "-o", in / name});
    writeText(in / "bad.npy", "no picture");
    writeText(out / "r.json", recipeOf(kMedian + ", " + kSharpen));
    const Outcome outcome = onCpu(
        {in.path().string(), "--recipe", out / "r.json", "-o", out / "all", "--json", "--report", out / "report.json"});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    std::istringstream lines(outcome.out);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) EXPECT_EQ(violation("report", line), "");
    EXPECT_EQ(count, 4);
    for (const char* name : {"a.npy", "b.npy"}) {
        mustRun({in / name, "--recipe", out / "r.json", "-o", out / "single.npy"});
        EXPECT_EQ(readText(out / ("all/" + std::string(name))), readText(out / "single.npy"));
    }
    EXPECT_TRUE(std::filesystem::exists(out / "report.a.step-2.json"));
}

TEST(Recipe, errorsNameFileStepAndField) {
    const TemporaryFolder folder;
    const std::string path = folder / "r.json";
    const auto second = [](const std::string& step) { return recipeOf(kMedian + ", " + step); };
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"{", ", no JSON"},
        {R"([1])", ", [1] is no object"},
        {R"({"steps": [{"family": "rank"}]})", ", the field 'schema' is missing"},
        {R"({"schema": 2, "steps": [{"family": "rank"}]})", ", schema 2, this version reads 1"},
        {R"({"schema": 1, "steps": []})", ", the field 'steps'"},
        {R"({"schema": 1, "stepps": []})", ", unknown field 'stepps'"},
        {second(R"("rank")"), ", step 2: \"rank\" is no object"},
        {second(R"({"familly": "rank"})"), ", step 2: unknown field 'familly'"},
        {second(R"({"variant": "naive"})"), ", step 2: the field 'family' is missing"},
        {second(R"({"family": "sorcery"})"), ", step 2: "},
        {second(R"({"family": 3})"), ", step 2: family: 3 is no text"},
        {second(R"({"family": "rank", "on": "yes"})"), ", step 2: on: "},
        {second(R"({"family": "rank", "parameters": [1]})"), ", step 2: parameters: "},
        {second(R"({"family": "rank", "parameters": {"radus": 1}})"), ", step 2: no parameter 'radus'"},
        {second(R"({"family": "rank", "parameters": {"radius": 1.5}})"), ", step 2: radius: '1.5' is not possible"},
        {second(R"({"family": "rank", "parameters": {"radius": "1"}})"), ", step 2: radius: "},
        {second(R"({"family": "rank", "parameters": {"radius": 1000}})"), ", step 2: radius: "},
        {second(R"({"family": "rank", "parameters": {"task": 1}})"), ", step 2: task: 1 is no text"},
        {second(R"({"family": "rank", "parameters": {"task": "cook"}})"), ", step 2: task: "},
        {second(R"({"family": "rank", "parameters": {"task": "open", "percentile": 5}})"),
         ", step 2: percentile: has no effect with task open"},
        {second(R"({"family": "rank", "variant": "magic"})"), ", step 2: "},
        {second(R"({"family": "rank", "variant": "naive@block_width=0"})"), ", step 2: "},
        {second(R"({"family": "rank", "input": "before"})"), ", step 2: input: \"before\" is no picture"},
        {second(R"({"family": "rank", "input": {"step": "mask"}})"),
         ", step 2: input: no earlier step is called 'mask'"},
        {second(R"({"name": "a", "family": "rank", "input": {"step": "a"}})"), ", step 2: input: no earlier step"},
        {second(R"({"family": "sparse", "parameters": {"mask": 1}})"), ", step 2: mask: 1 is no picture"},
        {recipeOf(R"({"name": "a", "family": "rank"}, {"name": "a", "family": "rank"})"), ", step 2: name: step 1"},
        {recipeOf(R"({"name": "a", "family": "rank", "on": false}, {"family": "rank", "input": {"step": "a"}})"),
         ", step 2: input: step 1 ('a') is switched off"},
        {recipeOf(R"({"family": "histogram"}, {"family": "rank"})"), ", step 2 (rank): step 1 makes no picture"},
        {second(R"({"family": "sparse", "parameters": {"task": "inpaint"}})"), ", step 2 (sparse): "}};
    for (const auto& [text, says] : wrong) {
        writeText(path, text);
        const Outcome outcome = onCpu({kNoise, "--recipe", path});
        EXPECT_EQ(outcome.status, 2) << text;
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, StartsWith("warplens-cli: " + path + says)) << text;
    }
}

TEST(Recipe, pngOfFloatsIsRefusedBeforeAnythingIsComputed) {
    const TemporaryFolder folder;
    const std::string smooth = R"({"family": "stencil", "parameters": {"iterations": 2)";
    for (const std::string& steps : {smooth + "}}", smooth + "}}, " + R"({"family": "convolution"})"}) {
        const Outcome outcome = onCpu({kNoise, "--recipe", recipeOf(steps), "-o", folder / "a.png"});
        EXPECT_NE(outcome.status, 0);
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("PNG holds 8 or 16 bits"));
        EXPECT_EQ(outcome.out, "") << "no step ran";
    }
    mustRun({kNoise, "--recipe", recipeOf(smooth + R"(, "output-type": "same"}})"), "-o", folder / "a.png"});
}

TEST(Recipe, whatDoesNotGoWithItIsRefused) {
    const TemporaryFolder folder;
    const std::string path = folder / "r.json";
    writeText(path, recipeOf(kMedian));
    const std::vector<std::pair<std::vector<std::string>, std::string>> lines{
        {{"--radius", "2"}, "--radius"},
        {{"--variant", "naive"}, "--variant"},
        {{"--set", "block_width=8"}, "--set"},
        {{"--table", "t", "-o", folder / "t.csv"}, "--table"},
        {{"-o", path}, "would replace an input"},
        {{"-o", folder / "r.xyz"}, "end it in"},
        {{"--report", folder / "r.txt"}, "--report"}};
    for (const auto& [options, says] : lines) {
        std::vector<std::string> line{kNoise, "--recipe", path};
        line.insert(line.end(), options.begin(), options.end());
        const Outcome outcome = onCpu(line);
        EXPECT_NE(outcome.status, 0);
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(says));
    }
    EXPECT_THAT(onCpu({kNoise, "rank", "--keep-steps", folder / "k"}).err, HasSubstr("--keep-steps: give --recipe"));
    EXPECT_EQ(onCpu({kNoise, "--recipe", folder / "none.json"}).status, 3);
    const std::string mask = "k/gen_noise_40x30_u8_seed=3.step-1.npy";
    mustRun({kNoise, "--recipe", path, "--keep-steps", folder / "k"});
    writeText(path, recipeOf(R"({"family": "sparse", "parameters": {"task": "clone", "source": {"file": ")" + mask +
                             R"("}}})"));
    EXPECT_THAT(onCpu({kNoise, "--recipe", path, "--keep-steps", folder / "k"}).err,
                HasSubstr("would replace an input"));
}

}  // namespace warplens::test
