// SPDX-License-Identifier: Apache-2.0
// The crossover on the page Why: swept, stopped, read; the recorded one.
#include "gui/why/crossover_chart.hpp"
#include "gui/why/crossover_panel.hpp"
#include "tests/gui/window/why_page_fixture.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <algorithm>

namespace warplens::gui::test {
namespace {

class CrossoverPageTest : public WhyPageTest {};

TEST_F(CrossoverPageTest, TheCrossoverIsSweptStoppedAndReadByKeys) {
    show();
    CrossoverPanel* panel = page().crossoverPanel();
    panel->model().setFolder(folder.filePath("sweeps"));
    QTest::keyClick(window.get(), Qt::Key_X);
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel->isVisible(); }, kPatienceMs));
    const auto type = [this](const char* name, const char* text) {
        auto* field = find<QLineEdit>(name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
    };
    type("crossover-radii", "1,2");
    type("crossover-sizes", "16,24");
    const std::size_t before = panel->model().entries().size();
    click("crossover-start");
    EXPECT_TRUE(panel->model().busy());
    EXPECT_EQ(find<QPushButton>("crossover-start")->text(), "Cancel");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel->model().busy(); }, kPatienceMs));
    ASSERT_EQ(panel->model().entries().size(), before + 1);
    CrossoverChart* chart = panel->chart();
    ASSERT_EQ(chart->map().cells.size(), 4U);
    EXPECT_EQ(chart->map().cells[0].name, "no winner") << "times of a CPU";
    EXPECT_TRUE(find<QLabel>("crossover-hint")->text().contains("not those of a GPU"));
    EXPECT_GE(find<QTableWidget>("crossover-times")->rowCount(), 9);
    QTest::mouseClick(chart, Qt::LeftButton, Qt::NoModifier, chart->cellRect({1, 1}).center().toPoint());
    EXPECT_EQ(chart->chosen(), QPoint(1, 1));
    EXPECT_TRUE(find<QLabel>("crossover-cell")->text().startsWith("radius 2, 24"));
    QTest::keyClick(chart, Qt::Key_Left);
    EXPECT_TRUE(find<QLabel>("crossover-cell")->text().startsWith("radius 2, 16"));
    type("crossover-radii", "1,31");
    type("crossover-sizes", "16,2048");
    click("crossover-start");
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return panel->model().current() != nullptr && panel->model().current()->sweep.values.back() == 31; },
        kPatienceMs));
    QTest::keyClick(&page(), Qt::Key_Escape);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel->model().busy(); }, kPatienceMs));
    EXPECT_TRUE(panel->model().current()->sweep.interrupted);
}

TEST_F(CrossoverPageTest, TheRecordedCrossoverNamesWinnersAmongThoseThatCompete) {
    show();
    click("why-part-crossover");
    CrossoverPanel* panel = page().crossoverPanel();
    if (panel->model().current() == nullptr) GTEST_SKIP() << "no recorded sweep is shipped";
    EXPECT_EQ(panel->model().current()->origin, Origin::recorded);
    const auto named = [&](const QString& name) {
        return std::ranges::count(panel->chart()->map().cells, name, &CrossoverChart::Cell::name);
    };
    const auto all = panel->chart()->map().cells.size();
    EXPECT_EQ(all, panel->model().current()->sweep.cells.size());
    const auto first = std::ranges::find_if(panel->chart()->map().cells,
                                            [](const CrossoverChart::Cell& cell) { return cell.idea.has_value(); });
    ASSERT_NE(first, panel->chart()->map().cells.end());
    EXPECT_TRUE(first->figure.endsWith("×"));
    const QString winner = first->name;
    EXPECT_GT(named(winner), 0);
    click(qPrintable("competes-" + winner));
    EXPECT_EQ(named(winner), 0) << "who is left out wins nowhere";
}

}  // namespace
}  // namespace warplens::gui::test
