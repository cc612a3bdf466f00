// SPDX-License-Identifier: Apache-2.0
// An exercise on the page Kernel, from its start to a file that is handed in, and the class board.
#include "app/worker/client.hpp"
#include "gui/kernel/kernel_page.hpp"
#include "gui/kernel/kernel_text.hpp"
#include "gui/reports/class_board.hpp"
#include "io/file.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QSysInfo>
#include <QTableWidget>
#include <algorithm>
#include <fstream>

namespace warplens::gui::test {
namespace {

const std::string kName = "050-missing-barrier";

class ExercisePageTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        page()->setMaker(worker::makeKernel);
        window->pages()->setCurrent(page());
    }
    void choose() {
        const auto& all = model().all();
        const auto found = std::ranges::find(all, kName, &gpu::exercise::Exercise::name);
        ASSERT_NE(found, all.end());
        model().choose(static_cast<int>(found - all.begin()));
        judged();
    }
    void judged() {
        ASSERT_TRUE(QTest::qWaitFor(
            [this] { return model().now() && model().before() && !page()->model().busy() && !model().busy(); },
            kPatienceMs))
            << find<QLabel>("kernel-state")->text().toStdString();
    }
    KernelPage* page() { return find<KernelPage>("page-kernel"); }
    ExerciseModel& model() { return page()->exercises(); }
    KernelText* text() { return find<KernelText>("kernel-text"); }
    QPushButton* button(const char* name) { return find<QPushButton>(name); }
    QString said(const char* name) { return find<QLabel>(name)->text(); }
};

TEST_F(ExercisePageTest, IsJudgedHintedSolvedAndHandedIn) {
    EXPECT_FALSE(find<QWidget>("exercise-goals")->isVisible());
    choose();
    EXPECT_EQ(text()->toPlainText().toStdString(), model().exercise()->start);
    EXPECT_TRUE(find<QWidget>("exercise-goals")->isVisible());
    EXPECT_EQ(said("exercise-reached"), "2 of 4 reached");
    EXPECT_TRUE(find<QLabel>("kernel-state")->text().contains("emulator"));
    EXPECT_FALSE(find<QWidget>("task-dock")->isVisible());
    EXPECT_FALSE(button("exercise-solution")->isEnabled());

    EXPECT_EQ(said("exercise-opened"), "Hints: 0 of 3 opened");
    QTest::mouseClick(button("exercise-hint"), Qt::LeftButton);
    EXPECT_EQ(said("exercise-opened"), "Hints: 1 of 3 opened");
    EXPECT_TRUE(said("exercise-open-hint").contains("Which thread writes"));

    // The barrier, and all is reached.
    text()->replaceText(QString::fromStdString(model().exercise()->solution));
    EXPECT_FALSE(model().now());
    judged();
    EXPECT_EQ(said("exercise-reached"), "4 of 4 reached");
    EXPECT_TRUE(button("exercise-solution")->isEnabled());
    EXPECT_FALSE(button("exercise-give-up")->isEnabled());

    // Two machines write two names.
    QTest::keyClick(window.get(), Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = find<QFileDialog>("exercise-hand-in-dialog");
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->selectedFiles().value(0).contains(QSysInfo::machineHostName()));
    dialog->reject();
    const QString path = folder.filePath("anna.json");
    model().handIn(path);
    const std::string file = io::readText(path.toStdString());
    const auto handed = gpu::exercise::parseHandIn(file, path.toStdString());
    EXPECT_TRUE(handed.intact);
    EXPECT_EQ(handed.hints, 1);
    EXPECT_EQ(handed.reached(), 4);
    EXPECT_EQ(handed.source, text()->toPlainText().toStdString());

    // The board, with one that was changed and one that is none.
    std::string other = file;
    other.replace(other.find("\"hints\": 1"), 10, "\"hints\": 0");
    std::ofstream(folder.filePath("ben.json").toStdString()) << other;
    std::ofstream(folder.filePath("none.json").toStdString()) << "{}";
    ClassBoard board(window.get());
    board.setAttribute(Qt::WA_DeleteOnClose, false);
    board.open({path, folder.filePath("ben.json")});
    auto* table = board.findChild<QTableWidget*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->rowCount() == 2; }, kPatienceMs));
    EXPECT_EQ(table->item(0, 0)->text(), "anna.json");
    EXPECT_TRUE(board.findChild<QLabel*>("class-said")->text().endsWith("ben.json"));
    EXPECT_TRUE(board.findChild<QLabel*>("class-reached")->text().contains(": 2 of 2"));
    EXPECT_EQ(table->currentRow(), 0);
    QTest::keyClick(table, Qt::Key_Return);
    EXPECT_NE(board.findChild<QDialog*>("class-source"), nullptr);
    board.open({folder.filePath("none.json")});
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return board.findChild<QLabel*>("class-said")->text().contains("none.json: not what"); }, kPatienceMs));
    EXPECT_EQ(board.all().size(), 2U);
}

TEST_F(ExercisePageTest, WhatIsWrongOnAnotherPictureStandsBelowTheText) {
    choose();
    const QString solution = QString::fromStdString(model().exercise()->solution),
                  check = "if (x < width && y < height) ";
    text()->replaceText(QString(solution).remove(check));
    judged();
    EXPECT_TRUE(find<QLabel>("kernel-state")->text().contains("Verified"));
    auto* problems = find<QListWidget>("kernel-problems");
    ASSERT_EQ(problems->count(), 1);
    const int line = static_cast<int>(solution.section(check, 0, 0).count(u'\n')) + 1;
    EXPECT_TRUE(problems->item(0)->text().startsWith(QStringLiteral("Line %1: on gen:noise:61x47:f32: ").arg(line)))
        << problems->item(0)->text().toStdString();
    EXPECT_TRUE(text()->marks().contains(line));
    text()->replaceText(solution);
    judged();
    EXPECT_EQ(problems->count(), 0);
    // As it was handed out, to be written in at once.
    QTest::mouseClick(button("exercise-again"), Qt::LeftButton);
    EXPECT_EQ(window->focusWidget(), text());
    EXPECT_EQ(text()->toPlainText().toStdString(), model().exercise()->start);
}

TEST_F(ExercisePageTest, ProgressStaysAndGivingUpIsSaid) {
    choose();
    text()->replaceText(text()->toPlainText() + "// mine\n");
    judged();
    model().openHint();
    model().giveUp();
    EXPECT_TRUE(button("exercise-solution")->isEnabled());
    reopen();
    page()->setMaker(worker::makeKernel);
    window->pages()->setCurrent(page());
    choose();
    EXPECT_TRUE(text()->toPlainText().endsWith("// mine\n"));
    EXPECT_EQ(said("exercise-opened"), "Hints: 1 of 3 opened");
    EXPECT_TRUE(model().solutionShown());
    model().leave();
    EXPECT_FALSE(find<QWidget>("exercise-goals")->isVisible());
}

}  // namespace
}  // namespace warplens::gui::test
