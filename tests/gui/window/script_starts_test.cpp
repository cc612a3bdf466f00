// SPDX-License-Identifier: Apache-2.0
// What a script starts ends by itself, with one sentence where nothing comes of it; help needs no display.
#include "tests/gui/window/window_fixture.hpp"
#include "tests/support/program.hpp"

#include <QCoreApplication>
#include <QFile>
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gui::test {
namespace {

class ScriptStarts : public testing::Test {
protected:
    std::string path(const char* name) const { return folder.filePath(QString::fromUtf8(name)).toStdString(); }
    std::string file(const char* name, const QByteArray& bytes) const {
        QFile out(folder.filePath(QString::fromUtf8(name)));
        EXPECT_TRUE(out.open(QIODevice::WriteOnly));
        out.write(bytes);
        return out.fileName().toStdString();
    }
    const std::string program = (QCoreApplication::applicationDirPath() + "/warplens").toStdString();
    QTemporaryDir folder;
};

bool isOneSentence(const std::string& said) {
    return said.starts_with("warplens: ") && said.ends_with('\n') && std::ranges::count(said, '\n') == 1;
}

TEST_F(ScriptStarts, WhatCannotBeReadEndsThemWithOneSentence) {
    const std::string noPicture = file("notes.png", "these are notes"), cut = file("cut.npy", "\x93NUMPY\x01");
    const std::string noSession = file("bad.warplens", "{\"schema\": 1, "), noTimeline = file("bad.json", "[{]");
    const std::string lost = file("lost.warplens", R"({"schema": 1, "warplens": "1", "input": "gone.png",
        "family": "convolution", "families": {}, "current": "naive", "baseline": "naive", "reference": "input",
        "device": "cpu", "page": "compare", "view": {}})");
    const std::string raw = file("scan_8x8.raw", QByteArray(64, 'x'));
    struct Case {
        std::vector<std::string> arguments;
        int status;
    };
    std::vector<Case> cases;
    for (const auto& [input, status] :
         {std::pair(noPicture, 3), std::pair(cut, 3), std::pair(noSession, 3), std::pair(lost, 3),
          std::pair(path("none.png"), 3), std::pair(raw, 2), std::pair(std::string("gen:nothing:8x8:u8"), 2)})
        for (const std::vector<std::string>& how : {std::vector<std::string>{"--screenshot", path("a.png")},
                                                    std::vector<std::string>{"--bench-interactive"}}) {
            if (how.size() == 1 && input != noPicture && input != noSession) continue;  // they are opened alike
            Case one{{program, "--device", "cpu"}, status};
            one.arguments.insert(one.arguments.end(), how.begin(), how.end());
            one.arguments.push_back(input);
            cases.push_back(one);
        }
    cases.push_back({{program, "--screenshot", path("a.png"), noTimeline}, 3});
    cases.push_back({{program, "--screenshot", path("a.png"), "--play", "3", noPicture}, 3});
    for (const Case& one : cases) {
        const auto outcome =
            warplens::test::runProgram(one.arguments, {{"QT_QPA_PLATFORM", "offscreen"},
                                                       {"XDG_CONFIG_HOME", folder.path().toStdString()},
                                                       {"XDG_RUNTIME_DIR", folder.path().toStdString()}});
        const std::string what = one.arguments[one.arguments.size() - 2] + ' ' + one.arguments.back();
        EXPECT_EQ(outcome.status, one.status) << what << ": " << outcome.err;
        EXPECT_TRUE(isOneSentence(outcome.err)) << what << ": " << outcome.err;
        EXPECT_FALSE(QFile::exists(folder.filePath("a.png"))) << what;
    }
}

TEST_F(ScriptStarts, WithoutADisplayHelpAnswersAndAllElseSaysWhy) {
    const std::map<std::string, std::string> none{{"DISPLAY", ""},
                                                  {"WAYLAND_DISPLAY", ""},
                                                  {"QT_QPA_PLATFORM", "xcb"},
                                                  {"XDG_RUNTIME_DIR", folder.path().toStdString()}};
    for (const char* option : {"--help", "-h", "--version", "-v"}) {
        const auto outcome = warplens::test::runProgram({program, option}, none);
        EXPECT_EQ(outcome.status, 0) << option << ": " << outcome.err;
        EXPECT_NE(outcome.out.find("warplens"), std::string::npos) << option << ": " << outcome.out;
        EXPECT_EQ(outcome.err, "") << option;
    }
    EXPECT_NE(warplens::test::runProgram({program, "--help"}, none).out.find("--screenshot"), std::string::npos);
    for (const std::vector<std::string>& how :
         {std::vector<std::string>{program}, {program, "x.png"}, {program, "--screenshot", path("a.png"), "x.png"}}) {
        const auto outcome = warplens::test::runProgram(how, none);
        EXPECT_EQ(outcome.status, 4) << how.back() << ": " << outcome.err;
        EXPECT_TRUE(isOneSentence(outcome.err)) << how.back() << ": " << outcome.err;
    }
}

}  // namespace
}  // namespace warplens::gui::test
