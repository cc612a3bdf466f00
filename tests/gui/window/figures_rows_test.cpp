// SPDX-License-Identifier: Apache-2.0
// A table of regions is put in order, thinned out by area, gone through and written to a file.
#include "gpu/render/label_colour.hpp"
#include "gui/kit/value_spin.hpp"
#include "gui/picture/figures_view.hpp"
#include "gui/picture/pane_grid.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

namespace warplens::gui::test {
namespace {

std::shared_ptr<const gpu::Table> regions() {
    gpu::Table table{.id = "components", .title = "Components", .columns = {}};
    const auto integers = [&](const char* id, gpu::Column::Integers values) {
        table.columns.push_back({.id = id, .title = id, .values = std::move(values)});
    };
    integers("label", {1, 2, 3, 4, 5});
    integers("area", {900, 7, 120, 45, 3000});
    integers("x0", {0, 10, 20, 30, 2});
    integers("y0", {0, 5, 6, 7, 20});
    integers("x1", {3, 12, 29, 33, 11});
    integers("y1", {3, 9, 15, 8, 29});
    return std::make_shared<const gpu::Table>(std::move(table));
}

class FiguresRowsTest : public testing::Test {
protected:
    void SetUp() override {
        view.resize(500, 400);
        view.setTables({regions()});
        view.setVisible(true);
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
        table = view.findChild<QTableView*>();
    }
    void clickHead(int column) {
        QHeaderView* head = table->horizontalHeader();
        QTest::mouseClick(head->viewport(), Qt::LeftButton, {},
                          {head->sectionViewportPosition(column) + 8, head->height() / 2});
    }
    QStringList column(int index) {
        QStringList texts;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            texts << table->model()->index(row, index).data().toString();
        return texts;
    }
    FiguresView view;
    QTableView* table = nullptr;
};

TEST_F(FiguresRowsTest, AClickOnAHeadPutsThemInOrderByNumber) {
    EXPECT_EQ(column(0).join(' ').toStdString(), "1 2 3 4 5") << "as they came";
    clickHead(1);
    const std::string first = column(1).join(' ').toStdString();
    clickHead(1);
    const std::string second = column(1).join(' ').toStdString();
    EXPECT_NE(first, second);
    for (const std::string& order : {first, second})
        EXPECT_TRUE(order == "7 45 120 900 3,000" || order == "3,000 900 120 45 7") << order;
    EXPECT_TRUE(table->model()->headerData(1, Qt::Horizontal).toString().startsWith("area "));
    EXPECT_EQ(table->model()->headerData(0, Qt::Horizontal).toString(), "label");
}

TEST_F(FiguresRowsTest, AreasKeepRows) {
    auto* kept = view.findChild<QLabel*>("rows-kept");
    EXPECT_EQ(kept->text(), "5 of 5");
    view.findChild<ValueSpin*>("least-area")->setValue(40);
    view.findChild<ValueSpin*>("most-area")->setValue(1000);
    EXPECT_EQ(column(1).join(' ').toStdString(), "900 120 45");
    EXPECT_EQ(kept->text(), "3 of 5");
}

TEST_F(FiguresRowsTest, AClickGoesWhereTheRowLies) {
    std::vector<RowPlace> places;
    QObject::connect(&view, &FiguresView::placeChosen, [&](const RowPlace& place) { places.push_back(place); });
    clickHead(1);
    clickHead(1);
    const int row = static_cast<int>(column(0).indexOf("1"));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(row, 1)).center());
    ASSERT_FALSE(places.empty());
    EXPECT_EQ(places.back().box, QRectF(0, 0, 4, 4)) << "of the row that is seen there, in whichever order";
    const std::size_t before = places.size();
    QTest::keyClick(table, row > 0 ? Qt::Key_Up : Qt::Key_Down);
    EXPECT_GT(places.size(), before) << "by keys too";
    EXPECT_EQ(table->model()->index(row, 0).data(Qt::DecorationRole).value<QColor>().rgb() | 0xff000000,
              gpu::render::labelColour(1) | 0xff000000U);
}

TEST_F(FiguresRowsTest, PlacesAreThoseOfBoxesAndOfCentres) {
    EXPECT_EQ(placeOf(*regions(), 1)->box, QRectF(10, 5, 3, 5));
    gpu::Table centres{.id = "c", .title = "c", .columns = {}};
    centres.columns.push_back({.id = "cx", .title = {}, .values = gpu::Column::Reals{4.75}});
    centres.columns.push_back({.id = "cy", .title = {}, .values = gpu::Column::Reals{2.25}});
    EXPECT_EQ(placeOf(centres, 0)->box, QRectF(4, 2, 1, 1));
    centres.columns.push_back({.id = "cz", .title = {}, .values = gpu::Column::Reals{6.6}});
    EXPECT_EQ(placeOf(centres, 0)->slice, 7);
    centres.columns.erase(centres.columns.begin());
    EXPECT_FALSE(placeOf(centres, 0));
}

TEST_F(FiguresRowsTest, AreasAndOrderGoNowhere) {
    std::vector<RowPlace> places;
    QObject::connect(&view, &FiguresView::placeChosen, [&](const RowPlace& place) { places.push_back(place); });
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(1, 0)).center());
    ASSERT_FALSE(places.empty());
    places.clear();
    auto* least = view.findChild<ValueSpin*>("least-area");
    least->setFocus();
    least->selectAll();
    QTest::keyClicks(least, "40");  // the row that was chosen, of 7 pixels, goes
    QTest::keyClick(least, Qt::Key_Return);
    ASSERT_EQ(table->model()->rowCount(), 4);
    clickHead(1);
    view.setTables({regions()});
    EXPECT_TRUE(places.empty()) << "a row was gone to that nobody chose";
}

TEST_F(FiguresRowsTest, OrderAndAreasStayForTheNextResult) {
    clickHead(1);
    view.findChild<ValueSpin*>("least-area")->setValue(40);
    const std::string order = column(1).join(' ').toStdString();
    ASSERT_TRUE(order == "45 120 900 3,000" || order == "3,000 900 120 45") << order;
    view.setTables({regions()});
    EXPECT_EQ(column(1).join(' ').toStdString(), order) << "of another variant";
    view.setTables({});
    view.setTables({regions()});
    EXPECT_EQ(column(1).join(' ').toStdString(), order) << "with a pane without one in between";
    EXPECT_EQ(view.findChild<ValueSpin*>("least-area")->value(), 40);
    EXPECT_EQ(view.findChild<QLabel*>("rows-kept")->text(), "4 of 5");
    auto larger = std::make_shared<gpu::Table>(*regions());
    std::get<gpu::Column::Integers>(larger->columns[1].values)[0] = 9000;
    view.setTables({larger});
    EXPECT_EQ(table->model()->rowCount(), 4) << "an end that nobody moved follows the table";
    gpu::Table other{.id = "levels", .title = "Levels", .columns = {}};
    other.columns.push_back({.id = "area", .title = {}, .values = gpu::Column::Integers{1, 3, 2}});
    view.setTables({std::make_shared<const gpu::Table>(other)});
    EXPECT_EQ(column(0).join(' ').toStdString(), "1 3 2") << "another table is another matter";
}

TEST_F(FiguresRowsTest, HeadsAreWholeInWhicheverOrder) {
    QHeaderView* head = table->horizontalHeader();
    for (const int column : {2, 1, 2, 2}) {
        clickHead(column);
        for (int i = 0; i < table->model()->columnCount(); ++i)
            EXPECT_GE(head->sectionSize(i), head->sectionSizeHint(i)) << i << " after " << column;
    }
}

TEST_F(FiguresRowsTest, SlicesAreTableOfVolumesAlone) {
    auto volume = std::make_shared<gpu::Table>(*regions());
    volume->columns.push_back({.id = "z0", .title = {}, .values = gpu::Column::Integers{0, 0, 0, 0, 0}});
    volume->columns.push_back({.id = "cz", .title = {}, .values = gpu::Column::Reals{0, 1, 0, 0, 2.5}});
    view.setTables({volume});
    EXPECT_TRUE(table->isColumnHidden(6));
    EXPECT_FALSE(table->isColumnHidden(7));
    view.setTables({regions()});
    for (int i = 0; i < table->model()->columnCount(); ++i) EXPECT_FALSE(table->isColumnHidden(i)) << i;
}

TEST_F(FiguresRowsTest, CsvAndClipboardHaveWhatIsSeen) {
    QTemporaryDir folder;
    QSignalSpy told(&view, &FiguresView::exported);
    view.findChild<ValueSpin*>("least-area")->setValue(40);
    clickHead(1);
    if (column(1).front() != "45") clickHead(1);
    QTest::mouseClick(view.findChild<QToolButton*>("export-figures"), Qt::LeftButton);
    auto* dialog = view.findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    dialog->selectFile(folder.filePath("regions.csv"));
    QMetaObject::invokeMethod(dialog, "accept");
    QFile file(folder.filePath("regions.csv"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return file.exists() && !told.isEmpty(); }, kPatienceMs));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(QString::fromUtf8(file.readAll()).remove('\r').toStdString(),
              "label,area,x0,y0,x1,y1\n4,45,30,7,33,8\n3,120,20,6,29,15\n1,900,0,0,3,3\n5,3000,2,20,11,29\n");
    EXPECT_EQ(told.front().front().toString().toStdString(), "Exported regions.csv, 4 of 5 rows");
    QTest::mouseClick(view.findChild<QToolButton*>("copy-figures"), Qt::LeftButton);
    EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith("label\tarea\tx0\ty0\tx1\ty1\n4\t45\t"));
}

}  // namespace
}  // namespace warplens::gui::test
