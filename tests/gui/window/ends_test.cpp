// SPDX-License-Identifier: Apache-2.0
// Ended from outside, the window leaves no crash to recover from.
#include "gui/window/session_keeper.hpp"
#include "io/generate.hpp"
#include "tests/gui/window/window_fixture.hpp"
#include "tests/support/program.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QSignalSpy>
#include <csignal>

namespace warplens::gui::test {
namespace {

QStringList filesIn(const QString& folder) { return QDir(folder).entryList(QDir::Files | QDir::Hidden); }

class EndsTest : public WindowTest {
protected:
    QString autosave() { return folder.filePath("autosave"); }
    /// Waits until a copy of the session is kept.
    void keepACopy() {
        open("gen:noise:48x40:f32");
        window->keeper().setInterval(10);
        ASSERT_TRUE(QTest::qWaitFor([this] { return QFile::exists(window->keeper().copy()); }, kPatienceMs));
    }
};

TEST_F(EndsTest, SignalsEndTheProgramAsItsUserDoes) {
    const std::string program = (QCoreApplication::applicationDirPath() + "/warplens").toStdString();
    for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
        const QTemporaryDir home;
        const QString kept = home.filePath("warplens/autosave");
        warplens::test::Program running(
            {program, "--device", "cpu", "gen:noise:64x64:u8"},
            {{"QT_QPA_PLATFORM", "offscreen"}, {"XDG_CONFIG_HOME", home.path().toStdString()}});
        ASSERT_TRUE(QTest::qWaitFor([&] { return !filesIn(kept).isEmpty(); }, kPatienceMs));
        running.signal(signal);
        const auto outcome = running.wait();
        EXPECT_EQ(outcome.status, 0) << strsignal(signal) << ": " << outcome.err;
        EXPECT_EQ(filesIn(kept), QStringList()) << strsignal(signal);
        QSettings left(home.filePath("warplens/warplens.conf"), QSettings::IniFormat);
        EXPECT_TRUE(left.contains("window/geometry")) << strsignal(signal) << ": settings are kept as by Quit";
    }
}

TEST_F(EndsTest, APictureForAScriptThatDidNotComeIsNoSuccess) {
    const std::string program = (QCoreApplication::applicationDirPath() + "/warplens").toStdString();
    warplens::test::Program running(
        {program, "--device", "cpu", "--screenshot", folder.filePath("a.png").toStdString(), "gen:noise:6000x4000:f32"},
        {{"QT_QPA_PLATFORM", "offscreen"},
         {"XDG_CONFIG_HOME", folder.path().toStdString()},
         {"TMPDIR", folder.path().toStdString()}});
    const auto scratch = [&] { return QDir(folder.path()).entryList({"warplens-*"}, QDir::Dirs); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return !scratch().isEmpty(); }, kPatienceMs)) << "it has begun";
    running.signal(SIGTERM);
    EXPECT_EQ(running.wait().status, 130);
    EXPECT_FALSE(QFile::exists(folder.filePath("a.png")));
    EXPECT_EQ(scratch(), QStringList());
}

TEST_F(EndsTest, TheEndOfTheDesktopSessionLeavesNothingToRecover) {
    keepACopy();
    window->keeper().setInterval(3'600'000);
    window->keeper().rest();
    const QString lock = QFileInfo(window->keeper().copy()).fileName() + ".lock";
    EXPECT_TRUE(QTest::qWaitFor([&] { return filesIn(autosave()) == QStringList{lock}; }, kPatienceMs))
        << filesIn(autosave()).join(' ').toStdString();
    // It was called off: work goes on, and is kept.
    window->keeper().setInterval(10);
    EXPECT_TRUE(QTest::qWaitFor([&] { return QFile::exists(window->keeper().copy()); }, kPatienceMs));
    window.reset();
    EXPECT_EQ(filesIn(autosave()), QStringList());
}

TEST_F(EndsTest, NoCopyOutlivesAWindowThatEndsWhileItIsWritten) {
    open("gen:noise:48x40:f32");
    session().inputs().derive("computed", "made",
                              [](const std::stop_token&) { return io::generate("gen:noise:3000x2000:f32"); });
    ASSERT_TRUE(QTest::qWaitFor([this] { return session().document().derived(); }, kPatienceMs));
    window->keeper().setInterval(1);
    const QString lock = QFileInfo(window->keeper().copy()).fileName() + ".lock";
    ASSERT_TRUE(QTest::qWaitFor([&] { return filesIn(autosave()) != QStringList{lock}; }, kPatienceMs));
    window.reset();
    EXPECT_EQ(filesIn(autosave()), QStringList());
}

}  // namespace
}  // namespace warplens::gui::test
