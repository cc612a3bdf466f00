// SPDX-License-Identifier: Apache-2.0
// The crossover on the page Why: swept, stopped, read; the recorded one.
#include "gui/why/crossover_chart.hpp"
#include "tests/gui/window/why_page_fixture.hpp"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <algorithm>

namespace warplens::gui::test {
namespace {

class CrossoverPageTest : public WhyPageTest {};

TEST_F(CrossoverPageTest, TheCrossoverIsSweptStoppedAndReadByKeys) {
    show();
    CrossoverModel& sweeps = page().sweeps();
    sweeps.setFolder(folder.filePath("sweeps"));
    QTest::keyClick(window.get(), Qt::Key_X);
    ASSERT_TRUE(QTest::qWaitFor([&] { return find<QWidget>("crossover")->isVisible(); }, kPatienceMs));
    const auto type = [this](const char* name, const char* text) {
        auto* field = find<QLineEdit>(name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
    };
    type("sweep-first-values", "1,2");
    type("sweep-second-values", "16,24");
    const std::size_t before = sweeps.entries().size();
    click("crossover-start");
    EXPECT_TRUE(sweeps.busy());
    EXPECT_EQ(find<QPushButton>("crossover-start")->text(), "Cancel");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !sweeps.busy(); }, kPatienceMs));
    ASSERT_EQ(sweeps.entries().size(), before + 1);
    CrossoverChart* chart = find<CrossoverChart>("crossover-chart");
    ASSERT_EQ(chart->map().cells.size(), 4U);
    EXPECT_EQ(chart->map().cells[0].name, "no winner") << "times of a CPU";
    EXPECT_TRUE(find<QLabel>("crossover-hint")->text().contains("no times of a GPU"));
    EXPECT_GE(find<QTableWidget>("crossover-times")->rowCount(), 9);
    QTest::mouseClick(chart, Qt::LeftButton, Qt::NoModifier, chart->cellRect({1, 1}).center().toPoint());
    EXPECT_EQ(chart->chosenCell(), QPoint(1, 1));
    EXPECT_TRUE(find<QLabel>("crossover-cell")->text().startsWith("radius 2, 24"));
    QTest::keyClick(chart, Qt::Key_Left);
    EXPECT_TRUE(find<QLabel>("crossover-cell")->text().startsWith("radius 2, 16"));
    click("crossover-export");
    auto* dialog = find<QFileDialog>("sweep-export-dialog");
    ASSERT_NE(dialog, nullptr);
    const QString path = folder.filePath("swept.csv");
    emit dialog->fileSelected(path);
    dialog->close();
    QFile file(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return file.exists() && !sweeps.busy(); }, kPatienceMs));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readLine().startsWith("family,input,device,radius,"));
    type("sweep-first-values", "1,31");
    type("sweep-second-values", "16,2048");
    click("crossover-start");
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return sweeps.current() != nullptr && sweeps.current()->sweep.axes[0].values.back() == "31"; },
        kPatienceMs));
    QTest::keyClick(&page(), Qt::Key_Escape);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !sweeps.busy(); }, kPatienceMs));
    EXPECT_TRUE(sweeps.current()->sweep.interrupted);
}

// Over one thing and over two, chosen by keys: what a cell refuses is told, and a cell is taken by a click.
TEST_F(CrossoverPageTest, AnythingIsSweptAndWhatIsRefusedIsTold) {
    show();
    CrossoverModel& sweeps = page().sweeps();
    sweeps.setFolder(folder.filePath("sweeps"));
    session().variants().setChecked({"naive", "tiled_output"});
    QTest::keyClick(window.get(), Qt::Key_X);
    const auto choose = [this](const char* name, const char* id) {
        auto* box = find<QComboBox>(name);
        box->setFocus();
        const int wanted = box->findData(QString::fromLatin1(id));
        ASSERT_GE(wanted, 0) << id;
        while (box->currentIndex() != wanted)
            QTest::keyClick(box, box->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
    };
    const auto type = [this](const char* name, const char* text) {
        auto* field = find<QLineEdit>(name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
    };
    choose("sweep-first", "block_width");
    EXPECT_EQ(find<QLineEdit>("sweep-first-values")->text(), "4,8,16,32") << "values to begin with";
    choose("sweep-second", "block_height");
    type("sweep-first-values", "16,64");
    type("sweep-second-values", "4,32");
    EXPECT_TRUE(
        find<QPushButton>("crossover-start")->toolTip().contains("--over block_width=16,64 --over block_height"));
    QTest::keyClick(find<QLineEdit>("sweep-second-values"), Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !sweeps.busy(); }, kPatienceMs));
    ASSERT_NE(sweeps.current(), nullptr) << sweeps.problem().toStdString();
    const gpu::Sweep& sweep = sweeps.current()->sweep;
    ASSERT_EQ(sweep.cells.size(), 4U);
    EXPECT_EQ(sweep.input, "gen:noise:64x48:f32") << "the open picture";
    CrossoverChart* chart = find<CrossoverChart>("crossover-chart");
    ASSERT_EQ(chart->map().cells.size(), 4U);
    EXPECT_EQ(chart->map().cells[3].name, "refused");
    EXPECT_TRUE(chart->map().cells[3].spoken.contains("64 x 32 = 2048 threads"))
        << chart->map().cells[3].spoken.toStdString();
    EXPECT_EQ(chart->map().cells[0].name, "no winner");
    EXPECT_FALSE(find<QPushButton>("sweep-use-best")->isEnabled()) << "a CPU's times name no best";
    choose("crossover-show", "tiled_output");
    EXPECT_EQ(chart->map().cells[0].name, "verified");
    QTest::mouseClick(chart, Qt::LeftButton, Qt::NoModifier, chart->cellRect({0, 0}).center().toPoint());
    click("sweep-use-row");
    EXPECT_EQ(session().request().current(), "naive@block_height=4@block_width=16");

    choose("sweep-second", "");
    type("sweep-first-values", "8:10");
    click("crossover-start");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !sweeps.busy(); }, kPatienceMs));
    EXPECT_EQ(sweeps.current()->sweep.axes.size(), 1U);
    EXPECT_EQ(sweeps.current()->sweep.cells.size(), 3U);
    EXPECT_EQ(sweeps.current()->sweep.variants, (std::vector<std::string>{"naive", "tiled_output"}));
    EXPECT_EQ(chart->map().rows, (QStringList{"8", "9", "10"}));
    EXPECT_FALSE(find<SweepCurve>("sweep-curve")->isVisible()) << "curves would rank a CPU's times";
    type("sweep-first-values", "8,x");
    click("crossover-start");
    EXPECT_TRUE(sweeps.problem().contains("'x'")) << sweeps.problem().toStdString();
}

TEST_F(CrossoverPageTest, TheRecordedCrossoverNamesWinnersAmongThoseThatCompete) {
    show();
    click("why-part-crossover");
    CrossoverModel& sweeps = page().sweeps();
    if (sweeps.current() == nullptr) GTEST_SKIP() << "no recorded sweep is shipped";
    EXPECT_EQ(sweeps.current()->origin, Origin::recorded);
    const auto named = [&](const QString& name) {
        return std::ranges::count(find<CrossoverChart>("crossover-chart")->map().cells, name,
                                  &CrossoverChart::Cell::name);
    };
    const auto all = find<CrossoverChart>("crossover-chart")->map().cells.size();
    EXPECT_EQ(all, sweeps.current()->sweep.cells.size());
    const auto first = std::ranges::find_if(find<CrossoverChart>("crossover-chart")->map().cells,
                                            [](const CrossoverChart::Cell& cell) { return cell.idea.has_value(); });
    ASSERT_NE(first, find<CrossoverChart>("crossover-chart")->map().cells.end());
    EXPECT_TRUE(first->figure.endsWith("×"));
    const QString winner = first->name;
    EXPECT_GT(named(winner), 0);
    click(qPrintable("competes-" + winner));
    EXPECT_EQ(named(winner), 0) << "who is left out wins nowhere";
}

}  // namespace
}  // namespace warplens::gui::test
