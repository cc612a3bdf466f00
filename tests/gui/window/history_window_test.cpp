// SPDX-License-Identifier: Apache-2.0
// The history: what was compared is kept, searched, opened beside others, pinned and deleted.
#include "gui/reports/history_window.hpp"

#include "gui/compare/results_panel.hpp"
#include "gui/reports/reports_window.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>

namespace warplens::gui::test {
namespace {

class HistoryWindowTest : public WindowTest {
protected:
    void SetUp() override {
        qputenv("WARPLENS_HISTORY", "");
        qputenv("XDG_DATA_HOME", folder.path().toUtf8());
        WindowTest::SetUp();
    }
    void TearDown() override {
        WindowTest::TearDown();
        qputenv("WARPLENS_HISTORY", "off");
        qunsetenv("XDG_DATA_HOME");
    }
    /// Compares; waits until it is kept, where it is to be.
    void compare(const QString& input, bool kept = true) {
        for (QDialog* dialog : window->findChildren<QDialog*>()) dialog->close();
        activate();
        open(input);
        QSignalSpy compared(&session().control(), &RunControl::compared);
        QSignalSpy added(window->findChild<KeptComparisons*>(), &KeptComparisons::added);
        QTest::keyClick(window.get(), Qt::Key_F5);
        ASSERT_TRUE(compared.wait(kPatienceMs));
        ASSERT_TRUE(!kept || !added.isEmpty() || added.wait(kPatienceMs))
            << session().activity().notice().toStdString();
        ASSERT_TRUE(idle());
    }
    /// Keys of the main window are heard while it is the active one.
    void activate() {
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    HistoryWindow* history() {
        activate();
        QTest::keyClick(window.get(), Qt::Key_H, Qt::ControlModifier);
        return find<HistoryWindow>("history-window");
    }
    QTableWidget* table() { return find<QTableWidget>("history-table"); }
    bool rows(int count) {
        return QTest::qWaitFor([&] { return table()->rowCount() == count; }, kPatienceMs);
    }
    void click(const char* button) { QTest::mouseClick(find<QPushButton>(button), Qt::LeftButton); }
    void clickRow(int row, Qt::KeyboardModifiers keys = {}) {
        const QRect place = table()->visualItemRect(table()->item(row, 1));
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, keys, place.center());
    }
    gpu::history::Store store() { return gpu::history::Store(gpu::history::defaultFile()); }
};

TEST_F(HistoryWindowTest, WhatWasComparedIsFoundOpenedPinnedAndDeleted) {
    compare("gen:noise:48x40:u8");
    compare("gen:gradient:48x40:u8");
    HistoryWindow* shown = history();
    ASSERT_NE(shown, nullptr);
    ASSERT_TRUE(rows(2));
    EXPECT_EQ(table()->item(0, 1)->text(), "gen:gradient:48x40:u8") << "the newest first";
    EXPECT_FALSE(find<QPushButton>("history-open")->isEnabled()) << "none is chosen";
    EXPECT_EQ(history(), shown) << "there is one window of it";

    auto* text = find<QLineEdit>("history-text");
    EXPECT_TRUE(text->hasFocus() || !QApplication::activeWindow());
    QTest::keyClicks(text, "noise 48");
    ASSERT_TRUE(rows(1));
    QTest::keyClicks(text, " lost");
    ASSERT_TRUE(rows(0));
    EXPECT_TRUE(find<QLabel>("history-said")->text().contains("No comparison"));
    text->clear();
    ASSERT_TRUE(rows(2));

    clickRow(1);
    click("history-pin");
    const auto pinned = [&] { return table()->item(1, 8)->text() == "pinned"; };
    ASSERT_TRUE(QTest::qWaitFor(pinned, kPatienceMs));
    EXPECT_TRUE(store().entry(1).pinned) << "the command line sees the same";
    EXPECT_EQ(find<QPushButton>("history-pin")->text(), "Unpin") << "it is still chosen";

    clickRow(0);  // the event of a double click alone is taken for a press
    QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, table()->visualItemRect(table()->item(0, 1)).center());
    const auto reports = [&] { return window->findChildren<ReportsWindow*>(); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return reports().size() == 1; }, kPatienceMs));
    EXPECT_EQ(reports().front()->reports().reports().front().input.name, "gen:gradient:48x40:u8");
    EXPECT_EQ(reports().front()->reports().origin(0), Origin::recorded);
    reports().front()->close();
    ASSERT_TRUE(QTest::qWaitFor([&] { return reports().isEmpty(); }, kPatienceMs));

    clickRow(0);
    clickRow(1, Qt::ControlModifier);
    EXPECT_EQ(find<QPushButton>("history-open")->text(), "Compare");
    click("history-open");
    ASSERT_TRUE(QTest::qWaitFor([&] { return reports().size() == 1; }, kPatienceMs));
    EXPECT_EQ(reports().front()->reports().reports().size(), 2U);
    EXPECT_EQ(reports().front()->reports().reports().front().input.name, "gen:noise:48x40:u8") << "the earlier is A";
    reports().front()->close();

    clickRow(0);
    table()->setFocus();
    click("history-remove");
    ASSERT_TRUE(rows(1));
    EXPECT_EQ(store().list().size(), 1U);
    EXPECT_FALSE(session().activity().noticeIsError()) << session().activity().notice().toStdString();
}

TEST_F(HistoryWindowTest, IsSwitchedOffByACheckBoxOrTheEnvironment) {
    history();
    auto* keep = find<QCheckBox>("history-keep");
    ASSERT_TRUE(keep->isChecked());
    QTest::mouseClick(keep, Qt::LeftButton, {}, QPoint(8, keep->height() / 2));
    ASSERT_FALSE(keep->isChecked());
    compare("gen:noise:48x40:u8", false);
    reopen();
    compare("gen:noise:48x40:u8", false);
    EXPECT_TRUE(store().list().empty()) << "remembered";
    history();
    EXPECT_FALSE(find<QCheckBox>("history-keep")->isChecked());
    find<QCheckBox>("history-keep")->setChecked(true);
    qputenv("WARPLENS_HISTORY", "off");
    reopen();
    compare("gen:noise:48x40:u8", false);
    EXPECT_TRUE(store().list().empty());
    history();
    EXPECT_FALSE(find<QCheckBox>("history-keep")->isEnabled());
    EXPECT_TRUE(QTest::qWaitFor([&] { return find<QLabel>("history-said")->text().contains("WARPLENS_HISTORY"); },
                                kPatienceMs));
}

TEST_F(HistoryWindowTest, WhatWasFasterBeforeIsToldBesideTheTimes) {
    compare("gen:noise:48x40:u8");
    auto* slower = window->findChild<QToolButton*>("slower");
    ASSERT_NE(slower, nullptr);
    gpu::Report then = store().report(1);
    then.environment.date = "2026-11-16T08:00:00Z";
    for (gpu::ReportRun& run : then.runs) {
        if (!run.record.time) continue;
        const double ms = run.record.time->medianMs / 1000;
        run.record.time = gpu::Timing{run.record.time->clock, ms, ms, ms, ms, ms, ms, 20, false};
    }
    store().add(then);
    compare("gen:noise:48x40:u8");
    ASSERT_TRUE(idle());
    QTest::qWait(50);
    EXPECT_FALSE(slower->isVisible()) << "times of a CPU rank nothing";
    auto* results = window->findChild<ResultsPanel*>();
    results->setSlower("Slower than on 2026-11-16: naive 3 ms now, 2 ms then (recorded)");
    EXPECT_TRUE(slower->isVisible());
    EXPECT_EQ(slower->text(), "Slower than on 2026-11-16");
    EXPECT_TRUE(slower->toolTip().contains("recorded"));
    QTest::mouseClick(slower, Qt::LeftButton);
    EXPECT_NE(find<HistoryWindow>("history-window"), nullptr);
}

TEST_F(HistoryWindowTest, APlaceThatTakesNothingIsToldAndCostsTheComparisonNothing) {
    qputenv("XDG_DATA_HOME", "/proc/nowhere");
    compare("gen:noise:48x40:u8", false);
    EXPECT_TRUE(QTest::qWaitFor([&] { return session().activity().notice().contains("/proc/nowhere"); }, kPatienceMs));
    EXPECT_NE(session().results().report(), nullptr);
}

// Words that end in an ellipsis give way; no column is cut.
TEST_F(HistoryWindowTest, EveryColumnIsSeenOnAProjectorOf1280Pixels) {
    compare("gen:noise:48x40:u8:c=3:seed=1234567");
    store().pin(1, true);
    window->resize(1280, 720);
    find<QAction>("projector")->setChecked(true);
    window->resize(1280, 720);
    history();
    ASSERT_TRUE(rows(1));
    auto* last = table()->item(0, table()->columnCount() - 1);
    ASSERT_EQ(last->text(), "pinned");
    const auto whole = [&] {
        return table()->horizontalScrollBar()->maximum() == 0 &&
               table()->visualItemRect(last).width() >= table()->fontMetrics().horizontalAdvance(last->text());
    };
    EXPECT_TRUE(QTest::qWaitFor(whole, kPatienceMs)) << table()->horizontalScrollBar()->maximum();
    find<QDialog>("history-window")->close();
    find<QAction>("projector")->setChecked(false);
}

}  // namespace
}  // namespace warplens::gui::test
