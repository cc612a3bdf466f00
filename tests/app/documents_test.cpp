// SPDX-License-Identifier: Apache-2.0
// What the program prints and writes obeys its schemas.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace warplens::test {

using testing::HasSubstr;

TEST(Documents, info) {
    const Outcome outcome = cli({"info", "gen:noise:7x5x3:u16", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(violation("info", outcome.out), "");
    const auto document = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(document["width"], 7);
    EXPECT_EQ(document["height"], 5);
    EXPECT_EQ(document["depth"], 3);
    EXPECT_EQ(document["type"], "u16");
}

TEST(Documents, devices) {
    const Outcome outcome = cli({"devices", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(violation("devices", outcome.out), "");
    const auto devices = nlohmann::json::parse(outcome.out)["devices"];
    EXPECT_EQ(devices.back()["id"], "cpu");
}

TEST(Documents, lists) {
    for (const char* what : {"families", "variants", "parameters", "formats", "filters", "stencils"}) {
        const Outcome outcome = cli({"list", what, "--json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(violation("list", outcome.out), "") << what;
        EXPECT_FALSE(nlohmann::json::parse(outcome.out).empty()) << what;
    }
}

TEST(Documents, markdownTablesHaveAsManyCellsInEveryRow) {
    for (const char* what : {"families", "variants", "parameters", "formats", "filters", "stencils"}) {
        std::istringstream lines(cli({"list", what, "--markdown"}).out);
        std::ptrdiff_t bars = -1;
        for (std::string line; std::getline(lines, line);) {
            std::ptrdiff_t here = 0;
            for (std::size_t i = 0; i < line.size(); ++i) here += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
            if (bars < 0) bars = here;
            EXPECT_EQ(here, bars) << what << ": " << line;
        }
        EXPECT_GT(bars, 1) << what;
    }
}

TEST(Documents, compareWritesAReportInEachFormat) {
    const TemporaryFolder folder;
    for (const char* extension : {"json", "csv", "md", "html"}) {
        const std::string name = folder / ("r." + std::string(extension));
        const Outcome outcome = cli({"compare", "gen:gradient:33x9:u8", "convolution", "--device", "cpu", "--variants",
                                     "naive,opencv", "--report", name});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
    }
    const std::string json = readText(folder / "r.json");
    EXPECT_EQ(violation("report", json), "");
    const auto document = nlohmann::json::parse(json);
    ASSERT_EQ(document["runs"].size(), 2U);
    EXPECT_EQ(document["parameters"]["border"], "zero");
    EXPECT_EQ(document["runs"][0]["time"]["clock"], "cpu-simt");
    EXPECT_EQ(document["runs"][1]["kind"], "library");
    EXPECT_EQ(document["runs"][0]["result"].size(), 1U);
    EXPECT_THAT(readText(folder / "r.csv"), HasSubstr("opencv,library,cpu,ok"));
    EXPECT_THAT(readText(folder / "r.md"), HasSubstr("| naive |"));
    const std::string html = readText(folder / "r.html");
    EXPECT_THAT(html, HasSubstr("</html>"));
    EXPECT_THAT(html, HasSubstr(haveCodec() ? "data:image/png;base64," : "There are no pictures here"));
}

TEST(Documents, aVariantIsRacedWithItselfAndMatchedByItsTunables) {
    const TemporaryFolder folder;
    const std::vector<std::string> ids{"naive", "tiled_output@block_height=4@block_width=16",
                                       "tiled_output@block_width=32"};
    for (const char* extension : {"json", "csv", "md", "html"}) {
        // Another order each time: rows stand in the ladder's, and those of one variant as they are named.
        const Outcome outcome =
            cli({"compare", "gen:gradient:33x9:u8", "convolution", "--device", "cpu", "--variants",
                 "tiled_output@block_width=16@block_height=4,tiled_output@block_width=32,naive", "--set",
                 "block_width=8", "-o", folder / "out", "--report", folder / ("r." + std::string(extension))});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        for (const std::string& id : ids) EXPECT_THAT(outcome.out, HasSubstr(id));
    }
    const std::string json = readText(folder / "r.json");
    EXPECT_EQ(violation("report", json), "");
    const auto runs = nlohmann::json::parse(json)["runs"];
    ASSERT_EQ(runs.size(), 3U);
    const int widths[] = {8, 16, 32};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_EQ(runs[i]["id"], ids[i]);
        EXPECT_EQ(runs[i]["variant"], i == 0 ? "naive" : "tiled_output");
        EXPECT_EQ(runs[i]["tunables"]["block_width"], widths[i]) << "--set is for what was not named with another";
        EXPECT_EQ(runs[i]["status"], "ok");
        for (const char* extension : {"csv", "md", "html"}) {
            std::string text = readText(folder / ("r." + std::string(extension)));
            std::erase(text, '\\');  // before what means something in Markdown
            EXPECT_THAT(text, HasSubstr(ids[i])) << extension;
        }
    }
    std::size_t pictures = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder / "out"))
        pictures += file.path().string().find("tiled_output@block") != std::string::npos;
    EXPECT_EQ(pictures, 2U) << "each row has a picture of its own";

    const Outcome other = cli({"compare", "gen:gradient:33x9:u8", "convolution", "--device", "cpu", "--variants",
                               "tiled_output@block_width=32,tiled_output", "--report", folder / "other.json"});
    ASSERT_EQ(other.status, 0) << other.err;
    const Outcome diff = cli({"diff", folder / "r.json", folder / "other.json", "--json"});
    EXPECT_EQ(violation("diff", diff.out), "");
    std::map<std::string, std::string> reasons;
    const auto document = nlohmann::json::parse(diff.out);
    for (const auto& row : document["rows"])
        reasons[row["id"]] = row["reason"].is_null() ? "" : row["reason"].get<std::string>();
    EXPECT_EQ(reasons.size(), 4U);
    EXPECT_EQ(reasons[ids[0]], "only in A");
    EXPECT_EQ(reasons[ids[1]], "only in A");
    EXPECT_EQ(reasons["tiled_output"], "only in B");
    EXPECT_EQ(reasons[ids[2]].find("only in"), std::string::npos) << reasons[ids[2]];
}

TEST(Documents, aRunIsNamedWithItsTunablesInRunAndSweep) {
    const std::string id = "tiled_output@block_width=16";
    const Outcome run = cli({"run", "gen:gradient:33x9:u8", "convolution", "--device", "cpu", "--variant", id});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr(id + " on cpu"));
    const Outcome sweep = cli({"sweep", "convolution", "--device", "cpu", "--variants", id + ",tiled_output", "--radii",
                               "1", "--sizes", "16", "--json"});
    ASSERT_EQ(sweep.status, 0) << sweep.err;
    EXPECT_EQ(violation("sweep", sweep.out), "");
    const auto document = nlohmann::json::parse(sweep.out);
    EXPECT_EQ(document["variants"], (std::vector<std::string>{id, "tiled_output"}));
    EXPECT_EQ(document["cells"][0]["runs"][0]["id"], id);
    EXPECT_EQ(document["cells"][0]["runs"][0]["variant"], "tiled_output");
}

TEST(Documents, withoutACodecTheHtmlReportSaysWhyItHasNoPictures) {
    const TemporaryFolder folder;
    const Outcome outcome =
        cli({"run", "gen:gradient:33x9:u8", "convolution", "--device", "cpu", "--report", folder / "r.html"},
            {{"WARPLENS_CODEC", "/nonexistent/codec"}});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(readText(folder / "r.html"), HasSubstr("There are no pictures here: "));
}

TEST(Documents, jsonOnStandardOutputIsTheReport) {
    const Outcome outcome = cli({"run", "gen:gradient:33x9:u8", "convolution", "--device", "cpu", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(violation("report", outcome.out), "");
}

TEST(Documents, sweepTimesEveryCellAndNamesNoWinnerOnTheCpu) {
    const TemporaryFolder folder;
    const Outcome outcome =
        cli({"sweep", "convolution", "--device", "cpu", "--variants", "naive,tiled_output,opencv", "--radii", "1,3",
             "--sizes", "40,33x9", "--border", "wrap", "--report", folder / "s.sweep.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("no winner"));
    const std::string json = readText(folder / "s.sweep.json");
    EXPECT_EQ(violation("sweep", json), "");
    const auto document = nlohmann::json::parse(json);
    EXPECT_EQ(document["variants"], (std::vector<std::string>{"naive", "tiled_output"}))
        << "libraries have another clock";
    EXPECT_EQ(document["parameters"]["border"], "wrap");
    EXPECT_FALSE(document["parameters"].contains("radius"));
    ASSERT_EQ(document["cells"].size(), 4U);
    EXPECT_EQ(document["cells"][3]["width"], 33);
    EXPECT_EQ(document["cells"][3]["height"], 9);
    EXPECT_EQ(document["cells"][3]["value"], 3);
    for (const auto& cell : document["cells"])
        for (const auto& run : cell["runs"]) EXPECT_EQ(run["time"]["clock"], "cpu-simt");
    EXPECT_EQ(violation("sweep", cli({"sweep", "convolution", "--device", "cpu", "--variants", "naive", "--radii", "0",
                                      "--sizes", "8", "--json"})
                                     .out),
              "");
}

TEST(Documents, sweepGoesOverAnythingAndSaysWhatEachCellRefuses) {
    const TemporaryFolder folder;
    const std::vector<std::string> call{
        "sweep",    "convolution", "--device", "cpu",   "--over",     "block_width=8,64",
        "--over",   "radius=1:2",  "--sizes",  "40x16", "--variants", "naive,tiled_output@block_height=32",
        "--border", "wrap",        "--report"};
    for (const char* name : {"s.sweep.json", "s.csv", "s.md", "s.html"}) {
        auto line = call;
        line.push_back(folder / name);
        const Outcome outcome = cli(line);
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("2048 threads per block"));
    }
    const std::string json = readText(folder / "s.sweep.json");
    EXPECT_EQ(violation("sweep", json), "");
    const auto document = nlohmann::json::parse(json);
    ASSERT_EQ(document["cells"].size(), 4U);
    EXPECT_FALSE(document["parameters"].contains("radius"));
    for (const auto& cell : document["cells"]) {
        const bool wide = cell["at"][0] == "64";
        EXPECT_EQ(cell["runs"][0]["status"], "ok");
        EXPECT_EQ(cell["runs"][1]["id"], "tiled_output@block_height=32");
        EXPECT_EQ(cell["runs"][1]["status"], wide ? "unsupported" : "ok") << cell.dump();
    }
    EXPECT_THAT(readText(folder / "s.csv"), HasSubstr("tiled_output@block_height=32@block_width=64,unsupported,"));
    EXPECT_THAT(readText(folder / "s.md"), HasSubstr("2048 threads per block"));
    EXPECT_THAT(readText(folder / "s.html"), HasSubstr("2048 threads per block"));

    // On a picture of one's own, over one axis; a family without a parameter of its own, over type and tunable.
    for (std::vector<std::string> line :
         {std::vector<std::string>{"convolution", "--over", "border=zero,wrap", "--input", "gen:gradient:33x9:u8",
                                   "--variants", "naive"},
          {"stencil", "--over", "type=u8,f32", "--over", "iterations=1:2", "--sizes", "16", "--variants", "naive"},
          {"histogram", "--over", "size=16,8x4", "--type", "u8", "--bins", "16"},
          {"convolution", "--over", "outputs_per_thread=2,4", "--sizes", "16"}}) {
        line.insert(line.begin(), "sweep");
        line.insert(line.end(), {"--device", "cpu", "--json"});
        const Outcome outcome = cli(line);
        ASSERT_EQ(outcome.status, 0) << line[1] << outcome.err;
        EXPECT_EQ(violation("sweep", outcome.out), "") << line[1];
        const auto swept = nlohmann::json::parse(outcome.out);
        for (const auto& cell : swept["cells"])
            for (const auto& run : cell["runs"]) EXPECT_NE(run["status"], "wrong") << line[1];
    }
}

TEST(Documents, sweepRefusesWhatItCannotVary) {
    const std::vector<std::vector<std::string>> bad{
        {"histogram"},
        {"convolution", "--radii", "1,x"},
        {"convolution", "--radii", "32"},
        {"convolution", "--sizes", "0"},
        {"convolution", "--sizes", "8x"},
        {"convolution", "--radius", "2"},
        {"convolution", "--filter", "sobel-x"},
        {"convolution", "--variants", "opencv"},
        {"convolution", "--report", "s.json"},
        {"convolution", "--type", "f64"},
        {"convolution", "--over", "colour=1"},
        {"convolution", "--over", "radius=1", "--over", "radius=2"},
        {"convolution", "--over", "radius=1", "--radii", "2"},
        {"convolution", "--over", "size=8", "--sizes", "8"},
        {"convolution", "--over", "type=u8", "--type", "u8"},
        {"convolution", "--over", "size=8", "--input", "gen:noise:8x8:u8"},
        {"convolution", "--over", "outputs_per_thread=2", "--variants", "naive"},
        {"convolution", "--over", "block_width=8", "--variants", "naive@block_width=4"},
        {"convolution", "--over", "dimensions=3", "--sizes", "8", "--filter", "sobel_x"}};
    for (std::vector<std::string> arguments : bad) {
        arguments.insert(arguments.begin(), "sweep");
        arguments.insert(arguments.end(), {"--device", "cpu"});
        const Outcome outcome = cli(arguments);
        EXPECT_EQ(outcome.status, 2) << arguments[1] << " " << outcome.err;
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    }
}

TEST(Documents, benchRacesEveryRowOfItsCasesAndWritesBothReports) {
    const TemporaryFolder folder;
    const Outcome outcome = cli({"bench", "--device", "cpu", "--suite", "all", "--case",
                                 "convolution-rgb-1080p-r2,stencil-jacobi-256,histogram-u16-65536-gaussian", "--budget",
                                 "0.001", "--report", folder / "b.json", "--report", folder / "b.md"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const std::string json = readText(folder / "b.json");
    EXPECT_EQ(violation("bench", json), "");
    const auto document = nlohmann::json::parse(json);
    ASSERT_EQ(document["cases"].size(), 3U);
    for (const auto& one : document["cases"]) {
        for (const auto& run : one["report"]["runs"]) {
            if (run["status"] == "unsupported") continue;
            EXPECT_EQ(run["status"], "ok") << run["variant"] << run["reason"];
            EXPECT_EQ(run["verification"]["mismatches"], 0) << run["variant"];
            EXPECT_GE(run["time"]["samples"], 1) << run["variant"];
        }
    }
    EXPECT_THAT(readText(folder / "b.md"), testing::HasSubstr("### RGB u8 1920 x 1080, gaussian radius 2 at 1/64"));
    // Rendered again from its own report.
    const Outcome again = cli({"bench", "--from", folder / "b.json", "--json"});
    EXPECT_EQ(again.out, json);
}

TEST(Documents, benchDrawsTasksRunsThemAndHandsThemToPeers) {
    const std::vector<std::string> drawing{"bench", "--suite",   "random", "--seed",   "4",  "--cases",
                                           "4",     "--largest", "1500B",  "--device", "cpu"};
    const auto with = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = drawing;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return cli(arguments);
    };
    const Outcome listed = with({"--list", "--json"}), raced = with({"--json", "--budget", "0.001"});
    ASSERT_EQ(listed.status, 0) << listed.err;
    ASSERT_EQ(raced.status, 0) << raced.err;
    EXPECT_EQ(violation("bench", raced.out), "");
    const auto tasks = nlohmann::json::parse(listed.out)["cases"];
    const auto document = nlohmann::json::parse(raced.out);
    ASSERT_EQ(tasks.size(), 4U);
    ASSERT_EQ(document["cases"].size(), 4U);
    EXPECT_EQ(document["drawn"]["seed"], 4);
    EXPECT_EQ(document["drawn"]["largest_bytes"], 1500);
    EXPECT_TRUE(document["shares"].is_null()) << "CPU time ranks nothing";
    for (std::size_t i = 0; i < 4; ++i) {
        const auto& report = document["cases"][i]["report"];
        EXPECT_EQ(document["cases"][i]["id"], tasks[i]["id"]);
        EXPECT_EQ(report["input"]["name"], tasks[i]["input"]);
        EXPECT_EQ(report["family"], tasks[i]["family"]);
        bool chosen = false;
        for (const auto& run : report["runs"]) {
            chosen = chosen || run["variant"] == "auto";
            if (run["status"] == "unsupported") continue;
            EXPECT_EQ(run["status"], "ok") << tasks[i] << run["variant"] << run["reason"];
        }
        EXPECT_TRUE(chosen) << "auto's choice is run among them";
    }
}

TEST(Documents, diffOfAReportWithItselfIsTheSame) {
    const TemporaryFolder folder;
    ASSERT_EQ(cli({"run", "gen:gradient:33x9:u8", "convolution", "--device", "cpu", "--samples", "10", "--report",
                   folder / "r.json"})
                  .status,
              0);
    const Outcome outcome = cli({"diff", folder / "r.json", folder / "r.json", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(violation("diff", outcome.out), "");
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["rows"][0]["verdict"], "same");
    EXPECT_THAT(cli({"diff", folder / "r.json", folder / "r.json"}).out, HasSubstr("same"));
}

TEST(Documents, diffRefusesWhatIsNoReport) {
    const TemporaryFolder folder;
    writeText(folder / "r.json", "{\"runs\": []}");
    const Outcome outcome = cli({"diff", folder / "r.json", folder / "r.json"});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
}

TEST(Documents, theCheckerSeesEveryKindOfViolation) {
    const auto schema =
        nlohmann::json::parse(R"({"type": "object", "required": ["a"], "additionalProperties": false, "properties":
        {"a": {"type": "integer", "minimum": 1, "maximum": 3}, "b": {"enum": ["x", null]}, "c": {"type": "array",
         "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
         "d": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}}})");
    for (const char* good : {R"({"a": 1})", R"({"a": 3, "b": null, "c": ["x", "y"], "d": true})"}) {
        EXPECT_EQ(violation(schema, nlohmann::json::parse(good)), "") << good;
    }
    for (const char* bad :
         {"[]", "{}", R"({"a": 0})", R"({"a": 4})", R"({"a": 1.5})", R"({"a": 1, "b": "y"})", R"({"a": 1, "c": []})",
          R"({"a": 1, "c": ["x", "y", "z"]})", R"({"a": 1, "c": [3]})", R"({"a": 1, "d": 3})", R"({"a": 1, "e": 3})"}) {
        EXPECT_NE(violation(schema, nlohmann::json::parse(bad)), "") << bad;
    }
    EXPECT_NE(violation(nlohmann::json{{"pattern", "x"}}, "x"), "");
}

}  // namespace warplens::test
