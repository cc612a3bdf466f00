// SPDX-License-Identifier: Apache-2.0
// Names that are no UTF-8 or hold control characters: reports stay valid and lossless, terminals are not spoken to.
#include "gpu/report/report.hpp"
#include "io/printable.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace warplens::test {

using testing::HasSubstr;
using testing::Not;

namespace {

const std::string kNames[] = {"\x1b]0;owned\x07.npy",
                              "\xff\xfe.npy",
                              "a\nb.npy",
                              "\xc2\x9b"
                              "31m.npy",
                              "\x7f.npy",
                              "\xe2\x80\xae"
                              "gpn.npy"};

/// No control character but line breaks (of CSV, two), as plain bytes or as UTF-8, and nothing that is no UTF-8.
bool harmless(const std::string& text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n' && c != '\r') || byte == 0x7f) return false;
    }
    return io::isUtf8(text) && text.find("\xc2\x9b") == std::string::npos;
}

}  // namespace

TEST(Printable, leavesNamesAloneThatCanBeShown) {
    for (const char* name : {"photo.png", "Grüße 日本.npy", "a\\b.npy", "emoji \xf0\x9f\x98\x80"})
        EXPECT_EQ(io::printable(name), name);
}

TEST(Printable, escapesEveryOtherByteAndKeepsNamesApart) {
    EXPECT_EQ(io::printable("\x1b[2J"), "\\x1B[2J");
    EXPECT_EQ(io::printable("\xff\\"), "\\xFF\\\\");
    EXPECT_EQ(io::printable("\\xFF"), "\\\\xFF");
    std::set<std::string> shown;
    for (int byte = 1; byte < 256; ++byte) {
        const std::string name(1, static_cast<char>(byte));
        EXPECT_TRUE(harmless(io::printable(name))) << byte;
        EXPECT_TRUE(shown.insert(io::printable(name)).second) << byte;
    }
    // Overlong, surrogate, cut off, beyond the last character.
    for (const char* wrong : {"\xc0\xaf", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80"}) {
        EXPECT_FALSE(io::isUtf8(wrong));
        EXPECT_TRUE(harmless(io::printable(wrong)));
    }
}

TEST(Names, ofInputsAreHarmlessInEveryOutput) {
    for (const std::string& name : kNames) {
        const TemporaryFolder folder;
        const std::string path = folder / name, shown = io::printable(path);
        ASSERT_EQ(cli({"run", "gen:noise:6x5:u8", "convolution", "--device", "cpu", "-o", path}).status, 0);
        for (const std::vector<std::string>& line :
             {std::vector<std::string>{"info", path},
              {"run", path, "convolution", "--device", "cpu", "-o", folder / ("out" + name)},
              {"compare", path, "convolution", "--device", "cpu", "--variants", "naive"}}) {
            const Outcome outcome = cli(line);
            EXPECT_EQ(outcome.status, 0) << shown << outcome.err;
            EXPECT_TRUE(harmless(outcome.out)) << shown;
            EXPECT_EQ(outcome.err, "");
        }
        for (const char* extension : {".json", ".csv", ".md", ".html"}) {
            const std::string report = folder / (std::string("r") + extension);
            EXPECT_EQ(cli({"run", path, "convolution", "--device", "cpu", "--report", report}).status, 0);
            EXPECT_TRUE(harmless(readText(report))) << shown << extension;
        }
        EXPECT_EQ(violation("report", readText(folder / "r.json")), "");
        EXPECT_EQ(nlohmann::json::parse(readText(folder / "r.json"))["input"]["name"], shown);
        const Outcome json = cli({"run", path, "convolution", "--device", "cpu", "--json"});
        EXPECT_EQ(nlohmann::json::parse(json.out)["input"]["name"], shown);
        EXPECT_TRUE(harmless(json.out)) << shown;
        // The message names the file.
        const Outcome missing = cli({"info", path + "missing"});
        EXPECT_EQ(missing.status, 3);
        EXPECT_TRUE(harmless(missing.err) && isOneLine(missing.err)) << shown;
    }
}

TEST(Names, ofFiltersAndMasksAreLosslessInReports) {
    const TemporaryFolder folder;
    const std::string filter = folder / "\xffk.csv", mask = folder / "\xffm.bin";
    writeText(filter, "0,0,0\n0,1,0\n0,0,0\n");
    writeText(mask, std::string(16, '\1'));
    const auto parametersOf = [](const Outcome& outcome) { return nlohmann::json::parse(outcome.out)["parameters"]; };
    EXPECT_EQ(parametersOf(cli({"run", "gen:noise:4x4:u8", "convolution", "--device", "cpu", "--filter", filter,
                                "--json"}))["filter"],
              io::printable(filter));
    EXPECT_EQ(parametersOf(cli({"run", "gen:noise:4x4:u8", "histogram", "--device", "cpu", "--mask",
                                "raw:" + mask + ":4x4:u8", "--json"}))["mask"],
              io::printable("raw:" + mask + ":4x4:u8"));
}

TEST(Names, inAReportSpeakToNoTerminalThroughDiff) {
    const TemporaryFolder folder;
    ASSERT_EQ(cli({"run", "gen:noise:6x5:u8", "convolution", "--device", "cpu", "--report", folder / "a.json"}).status,
              0);
    auto report = nlohmann::json::parse(readText(folder / "a.json"));
    for (const char* field : {"variant", "id"}) report["runs"][0][field] = "\x1b]0;owned\x07";
    report["device"]["name"] = "\x1b[31mGPU";
    writeText(folder / "b.json", report.dump());
    const Outcome outcome = cli({"diff", folder / "a.json", folder / "b.json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(harmless(outcome.out)) << outcome.out;
}

}  // namespace warplens::test
