// SPDX-License-Identifier: Apache-2.0
// A kernel written by keys: verified, wrong where it is wrong, kept through a kill.
#include "gui/kernel/kernel_page.hpp"

#include "app/worker/client.hpp"
#include "gpu/core/registry.hpp"
#include "gui/kernel/kernel_text.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QElapsedTimer>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QProcess>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <vector>

namespace warplens::gui::test {
namespace {

class KernelPageTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        page()->setMaker(worker::makeKernel);
        open("gen:noise:40x32:f32");
        show();
    }
    void show() {
        window->pages()->setCurrent(page());
        ASSERT_TRUE(QTest::qWaitFor([this] { return !text()->toPlainText().isEmpty(); }, kPatienceMs));
        ended();
    }
    void ended() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page()->model().busy(); }, kPatienceMs));
    }
    KernelPage* page() { return find<KernelPage>("page-kernel"); }
    KernelText* text() { return find<KernelText>("kernel-text"); }
    QListWidget* problems() { return find<QListWidget>("kernel-problems"); }
    QString state() { return find<QLabel>("kernel-state")->text(); }
    gpu::Status status() { return page()->model().record() ? page()->model().record()->status : gpu::Status::failed; }
    /// Puts the cursor behind these words and types.
    void typeAfter(const QString& words, const QString& typed) {
        text()->moveCursor(QTextCursor::Start);
        ASSERT_TRUE(text()->findNext(words)) << words.toStdString();
        text()->setFocus();
        QTest::keyClick(text(), Qt::Key_Right);
        QTest::keyClicks(text(), typed);
    }
    /// The line of these words, from 1.
    int lineOf(const QString& words) {
        return static_cast<int>(text()->toPlainText().section(words, 0, 0).count(u'\n')) + 1;
    }
};

TEST_F(KernelPageTest, WhatIsTypedIsVerifiedAndWhatIsWrongIsShownWhereItIs) {
    EXPECT_EQ(status(), gpu::Status::ok) << state().toStdString();
    EXPECT_TRUE(state().contains("Verified")) << state().toStdString();
    EXPECT_TRUE(find<QLabel>("kernel-time")->isVisible());
    EXPECT_FALSE(find<QWidget>("kernel-older")->isVisible());

    // A misspelling: named at its line, and the last result stays.
    typeAfter("float sum", "s");
    EXPECT_TRUE(page()->model().older());
    QTest::keyClick(window.get(), Qt::Key_Return, Qt::ControlModifier);
    ended();
    ASSERT_GT(problems()->count(), 0) << state().toStdString();
    const int line = lineOf("sum += weights");
    EXPECT_TRUE(problems()->item(0)->text().startsWith(QStringLiteral("Line %1: ").arg(line)))
        << problems()->item(0)->text().toStdString();
    EXPECT_TRUE(problems()->item(0)->text().contains("has not met this name"));
    EXPECT_TRUE(text()->marks().contains(line));
    EXPECT_NE(page()->model().shown(), nullptr);
    EXPECT_TRUE(find<QWidget>("kernel-older")->isVisible());
    EXPECT_FALSE(find<QLabel>("kernel-time")->isVisible());
    QTest::keyClick(window.get(), Qt::Key_F8);
    EXPECT_EQ(text()->line(), line);

    // Right again after a pause, without a command.
    typeAfter("float sums", "");
    QTest::keyClick(text(), Qt::Key_Backspace);
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return status() == gpu::Status::ok && !page()->model().older(); }, kPatienceMs))
        << state().toStdString();

    // Off by one: no time, and the pixel.
    typeAfter("out[y * width + x] = sum", " + 1");
    ended();
    EXPECT_EQ(status(), gpu::Status::wrong);
    EXPECT_EQ(page()->model().wrongPixel(), QPoint(0, 0));
    EXPECT_TRUE(state().contains("x 0 y 0")) << state().toStdString();
    EXPECT_FALSE(find<QLabel>("kernel-time")->isVisible());
}

TEST_F(KernelPageTest, HomeGoesToTheFirstWordAndThenToTheMargin) {
    typeAfter("if (x >= width", "");
    const auto column = [this] { return text()->textCursor().positionInBlock(); };
    QTest::keyClick(text(), Qt::Key_Home);
    EXPECT_EQ(column(), 4);
    QTest::keyClick(text(), Qt::Key_Home);
    EXPECT_EQ(column(), 0);
    QTest::keyClick(text(), Qt::Key_Home);
    EXPECT_EQ(column(), 4);
}

TEST_F(KernelPageTest, BeginsWithTheWholeFileOfTheSelectedVariant) {
    window->session().request().setCurrent("tiled_output");
    find<QToolButton>("kernel-new")->menu()->actions().back()->trigger();
    EXPECT_TRUE(text()->toPlainText().contains("// Copy of: convolution/tiled_output\n"));
    ended();
    EXPECT_EQ(status(), gpu::Status::ok) << state().toStdString();
    EXPECT_NE(find<QWidget>("kernel-tunable-block_width"), nullptr);
}

TEST_F(KernelPageTest, AFaultIsNamedWithItsLineAndAVersionIsTakenUpAgain) {
    const QString right = text()->toPlainText();
    typeAfter("out[y * width + x", " + width * height");
    ended();
    ASSERT_EQ(problems()->count(), 1) << state().toStdString();
    const QString said = problems()->item(0)->text();
    EXPECT_TRUE(said.startsWith(QStringLiteral("Line %1: ").arg(lineOf("+ width * height")))) << said.toStdString();
    EXPECT_TRUE(said.contains("beyond the end of out") && said.contains("in block (0, 0, 0), thread (0, 0, 0)"))
        << said.toStdString();
    EXPECT_TRUE(page()->model().older());
    const auto versions = page()->file().versions();
    ASSERT_EQ(versions.size(), 2U);
    EXPECT_TRUE(versions[0].title.endsWith("fault") && versions[1].title.endsWith("verified"));
    EXPECT_EQ(KernelFile::textOf(versions[1]), right);
}

TEST_F(KernelPageTest, FieldsChangeTheHeadAndAFileElsewhereIsReadAgain) {
    const QString path = folder.filePath("mine.cuh");
    page()->file().save(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->file().path() == path; }, kPatienceMs));
    const QString text = page()->model().withTunable("block_width", 16);
    EXPECT_TRUE(text.contains("// tunable block_width = 16 (8, 16, 32, 64)")) << text.toStdString();
    QString elsewhere = text;
    elsewhere.replace("// tunable block_height = 8 (1, 2, 4, 8, 16)\n", "");
    std::ofstream(path.toStdString()) << elsewhere.toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return this->text()->toPlainText() == elsewhere; }, kPatienceMs));
    EXPECT_FALSE(page()->file().changed());
    ended();
    // One that the head does not declare is put there.
    auto* height = find<QSpinBox>("kernel-tunable-block_height");
    height->setFocus();
    QTest::keyClick(height, Qt::Key_Up);
    EXPECT_TRUE(this->text()->toPlainText().contains("// tunable block_height = 9 (1..1024)"))
        << this->text()->toPlainText().toStdString();
    ended();
    ASSERT_TRUE(page()->model().record() && page()->model().record()->launch) << state().toStdString();
    EXPECT_EQ(page()->model().record()->launch->block[0], 16U);
    EXPECT_EQ(page()->model().record()->launch->block[1], 9U);
    this->text()->setFocus();
    this->text()->undo();
    EXPECT_EQ(this->text()->toPlainText(), elsewhere) << "one step";
}

TEST_F(KernelPageTest, ATaskThatNoSuchKernelDoesSaysSo) {
    session().request().setFamily(gpu::familyOf("rank"));
    session().parameters().set("task", std::string("open"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return state().contains("two passes"); }, kPatienceMs))
        << state().toStdString();
}

// A benchmark, run by hand: WARPLENS_DEVICE=cuda:0 for a GPU.
TEST_F(KernelPageTest, DISABLED_FromTheLastKeyToThePicture) {
    const QString device = qEnvironmentVariable("WARPLENS_DEVICE", "cpu");
    worker::keepSpares();
    session().devices().choose(device.toStdString());
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().devices().chosen()->id == device.toStdString(); }, kPatienceMs));
    session().inputs().open(device == "cpu" ? "gen:noise:512x512:f32" : "gen:noise:1024x1024:f32");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !session().activity().busy(); }, kPatienceMs));
    const auto right = [this] { return status() == gpu::Status::ok && !page()->model().older() && page()->settled(); };
    const auto median = [](std::vector<qint64> all) {
        std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
        return all[all.size() / 2];
    };
    typeAfter("// ", "x");
    ASSERT_TRUE(QTest::qWaitFor(right, kPatienceMs)) << state().toStdString();
    std::vector<qint64> shown, stopped;
    for (int i = 0; i < 21; ++i) {
        QTest::keyClicks(text(), QString::number(i % 10));
        QElapsedTimer since;
        since.start();
        ASSERT_TRUE(QTest::qWaitFor(right, kPatienceMs)) << state().toStdString();
        shown.push_back(since.elapsed());
        // A newer text ends the run of the older one.
        QTest::keyClick(window.get(), Qt::Key_Return, Qt::ControlModifier);
        QTest::qWait(100);
        since.restart();
        session().activity().cancel();
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page()->model().busy(); }, kPatienceMs));
        stopped.push_back(since.elapsed());
    }
    std::printf(
        "%s: %lld ms from the last key to the picture, the pause of %d ms in it; stopped within %lld ms; medians "
        "of %zu\n",
        device.toUtf8().data(), median(shown), KernelModel::kPauseMs, median(stopped), shown.size());
}

constexpr const char* kDraftFolder = "WARPLENS_TEST_DRAFT_FOLDER";
const QString kTyped = QStringLiteral("// typed until the end");

class KernelDraft : public WindowTest {};

// Run by the test below in a process of its own.
TEST(KernelDraftWriter, DISABLED_TypesAndIsKilled) {
    Activity activity;
    KernelFile file(activity);
    file.setFolder(qEnvironmentVariable(kDraftFolder));
    KernelText text;
    QObject::connect(&text, &QPlainTextEdit::textChanged, &file, [&] { file.type(text.toPlainText()); });
    QTest::keyClicks(&text, kTyped);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !file.busy(); }, kPatienceMs));
    ::raise(SIGKILL);
}

TEST_F(KernelDraft, SurvivesAKill) {
    QProcess writer;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(kDraftFolder, folder.filePath("kernels"));
    writer.setProcessEnvironment(environment);
    writer.start(QCoreApplication::applicationFilePath(),
                 {"--gtest_filter=KernelDraftWriter.*", "--gtest_also_run_disabled_tests"});
    ASSERT_TRUE(writer.waitForFinished(kPatienceMs));
    ASSERT_EQ(writer.exitStatus(), QProcess::CrashExit);
    auto* page = find<KernelPage>("page-kernel");
    window->pages()->setCurrent(page);
    EXPECT_EQ(find<KernelText>("kernel-text")->toPlainText(), kTyped);
    EXPECT_TRUE(page->file().changed()) << "no file has it";
    // And through an end in order.
    reopen();
    window->pages()->setCurrent(find<KernelPage>("page-kernel"));
    EXPECT_EQ(find<KernelText>("kernel-text")->toPlainText(), kTyped);
}

}  // namespace
}  // namespace warplens::gui::test
