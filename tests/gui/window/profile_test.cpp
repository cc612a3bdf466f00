// SPDX-License-Identifier: Apache-2.0
// The values along a line: drawn by the mouse, put by keys, read, chosen in the chart, exported.
#include "gui/picture/image_view.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/profile_panel.hpp"
#include "io/read.hpp"
#include "tests/gui/window/counted_walk.hpp"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <cmath>

namespace warplens::gui::test {
namespace {

class ProfileTest : public CountedWalk {
protected:
    ProfilePanel* panel() { return find<ProfilePanel>("profile-panel"); }
    QString said() { return find<QLabel>("profile-line")->toolTip(); }
    ImageView* view(int pane) { return comparePage()->panes()->pane(pane)->view(); }
    const io::Grid& result() { return *record().result.picture; }
    void drag(int pane, QPoint from, QPoint to) {
        const auto at = [&](QPoint pixel) {
            return view(pane)->toWidget(QPointF(pixel) + QPointF(0.5, 0.5)).toPoint();
        };
        QTest::mousePress(view(pane), Qt::LeftButton, {}, at(from));
        QTest::mouseMove(view(pane), at((from + to) / 2));
        QTest::mouseMove(view(pane), at(to));
        QTest::mouseRelease(view(pane), Qt::LeftButton, {}, at(to));
        ++m_clicks;
    }
    /// A column of the table that is on the clipboard, by its head.
    std::vector<double> copied(const QString& head) {
        QTest::mouseClick(find<QToolButton>("profile-copy"), Qt::LeftButton);
        const QStringList lines = QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
        const auto column = lines.value(0).split('\t').indexOf(head);
        EXPECT_GE(column, 0) << head.toStdString() << " in " << lines.value(0).toStdString();
        std::vector<double> values;
        for (const QString& line : lines.mid(1)) {
            const QString cell = line.split('\t').value(column);
            values.push_back(cell.isEmpty() ? std::nan("") : cell.toDouble());
        }
        return values;
    }
};

TEST(ProfileLine, IsALengthAndAnAngleOfAPictureWithAPixelSize) {
    const ProfileLine line{{5, 30}, {35, 10}};
    EXPECT_EQ(line.measured(nullptr).toStdString(), "33.7°");
    io::Grid picture({40, 40}, io::PixelType::u8);
    EXPECT_EQ(line.measured(&picture).toStdString(), "33.7°");
    picture.geometry.spacing = {0.0005, 0.0005, 1};
    EXPECT_EQ(line.measured(&picture).toStdString(), "18.03 µm, 33.7°");
    picture.geometry.spacing = {0.5, 2, 1};  // 15 mm to the right, 40 up
    EXPECT_EQ(line.measured(&picture).toStdString(), "42.72 mm, 69.4°");
    EXPECT_EQ((ProfileLine{{5, 5}, {5, 9}}).measured(nullptr).toStdString(), "−90°");
    EXPECT_EQ((ProfileLine{{5, 5}, {5, 5}}).measured(&picture).toStdString(), "");
}

TEST_F(ProfileTest, NoPanelBesideThePanesForcesALargerWindow) {
    open("gen:noise:41x30:f32");
    for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
        window->resize(size);
        for (int panes = 1; panes <= 6; ++panes) {
            comparePage()->setPaneCount(panes);
            for (const char* panel : {"line-profile", "difference", "magnifier"}) {
                auto* action = window->findChild<QAction*>(QLatin1String(panel));
                ASSERT_NE(action, nullptr) << panel;
                action->setChecked(true);
                QTest::qWait(20);
                EXPECT_EQ(window->size(), size) << panel << " beside " << panes;
                EXPECT_LE(window->minimumSizeHint().width(), size.width()) << panel << " beside " << panes;
                action->setChecked(false);
            }
        }
    }
}

TEST_F(ProfileTest, ARowByKeysAndThenItsColumn) {
    open("gen:noise:41x30:f32");
    const io::Grid input = io::read("gen:noise:41x30:f32");
    EXPECT_FALSE(panel()->isVisible()) << "calm while it is not wanted";
    session().control().compare();
    ASSERT_TRUE(idle());
    view(0)->setFocus();
    comparePage()->panes()->viewState()->setCursor(QPoint(7, 11));
    m_keys = m_clicks = 0;
    key(Qt::Key_L);
    ASSERT_TRUE(waitFor([this] { return panel()->isVisible(); }));
    step("Values along a row");
    EXPECT_TRUE(said().contains("(0, 11) to (40, 11): 41 pixels, 40 px long")) << said().toStdString();
    const std::vector<double> row = copied("input"),
                              made = copied(QString::fromStdString(session().request().current()));
    ASSERT_EQ(row.size(), 41U);
    for (int x = 0; x < 41; ++x) {
        EXPECT_EQ(row[static_cast<std::size_t>(x)], input.value(x, 11));
        EXPECT_EQ(made[static_cast<std::size_t>(x)], result().value(x, 11));
    }
    view(0)->setFocus();
    key(Qt::Key_L, Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([this] { return said().contains("(7, 0) to (7, 29)"); })) << said().toStdString();
    EXPECT_EQ(copied("input")[4], input.value(7, 4));
    key(Qt::Key_L);
    EXPECT_TRUE(waitFor([this] { return !panel()->isVisible(); }));
}

TEST_F(ProfileTest, ALineByTheMouseIsReadInItsChartAndExported) {
    open("gen:noise:60x40:u8");
    const io::Grid input = io::read("gen:noise:60x40:u8");
    chooseFamily("median");  // any family
    ASSERT_TRUE(filtered());
    find<QAction>("line-profile")->trigger();
    ASSERT_TRUE(waitFor([this] { return panel()->isVisible() && view(0)->settled(); }));
    QCoreApplication::processEvents();
    const double zoom = comparePage()->panes()->viewState()->zoom();
    const QPointF centre = comparePage()->panes()->viewState()->centre();
    drag(0, {5, 30}, {35, 10});
    EXPECT_EQ(comparePage()->panes()->viewState()->centre(), centre) << "a line is drawn, nothing panned";
    EXPECT_EQ(comparePage()->panes()->viewState()->zoom(), zoom);
    ASSERT_TRUE(said().contains("(5, 30) to (35, 10): 31 pixels, 36.06 px long")) << said().toStdString();
    // The middle of the chart is the middle of the line.
    auto* chart = find<ProfileChart>("profile-chart");
    QTest::mouseClick(chart, Qt::LeftButton, {}, QPoint(chart->width() / 2, chart->height() / 3));
    const auto cursor = comparePage()->panes()->viewState()->cursor();
    ASSERT_TRUE(cursor && chart->at());
    EXPECT_NEAR(static_cast<double>(*chart->at()), 15, 2);
    EXPECT_EQ(*cursor, ProfileLine({5, 30}, {35, 10}).at(*chart->at()));
    const std::size_t before = *chart->at();
    QTest::keyClick(chart, Qt::Key_Right);
    EXPECT_EQ(*chart->at(), before + 1);
    if (const QString to = qEnvironmentVariable("WARPLENS_PHOTO_FOLDER"); !to.isEmpty())
        window->grab().save(to + QStringLiteral("/profile.png"));
    // As a file, compared with the picture by its positions.
    QTest::mouseClick(find<QToolButton>("profile-csv"), Qt::LeftButton);
    auto* dialog = find<QFileDialog>("export-table");
    ASSERT_NE(dialog, nullptr);
    const QString path = folder.filePath("profile.csv");
    emit dialog->fileSelected(path);
    dialog->close();
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).remove('\r').split('\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 32) << "a head and a line a pixel";
    const QString current = QString::fromStdString(session().request().current());
    const auto column = lines[0].split(',').indexOf(current);
    EXPECT_TRUE(lines[0].startsWith("along,x,y,input,") && column > 3) << lines[0].toStdString();
    for (int i = 1; i < lines.size(); ++i) {
        const QStringList cells = lines[i].split(',');
        EXPECT_EQ(cells[3].toDouble(), input.value(cells[1].toInt(), cells[2].toInt())) << lines[i].toStdString();
        EXPECT_EQ(cells[column].toDouble(), result().value(cells[1].toInt(), cells[2].toInt()))
            << lines[i].toStdString();
        EXPECT_NEAR(cells[0].toDouble(), std::hypot(cells[1].toInt() - 5, cells[2].toInt() - 30), 0.75);
    }
    EXPECT_EQ(lines.back().section(',', 1, 2), "35,10");
    // The mask's brush takes the mouse, and gives it back.
    find<QAction>("paint-mask")->setChecked(true);
    EXPECT_FALSE(panel()->isVisible());
    find<QAction>("paint-mask")->setChecked(false);
}

TEST_F(ProfileTest, ColoursOnTheirOwnAndADifferenceInItsUnit) {
    open("gen:noise:30x20:u8:c=3");
    const io::Grid colours = io::read("gen:noise:30x20:u8:c=3");
    session().request().setCurrent("naive");
    ASSERT_TRUE(filtered());
    find<QAction>("line-profile")->setChecked(true);
    comparePage()->panes()->setCurrent(0);
    ASSERT_TRUE(waitFor([this] { return panel()->curves().size() == 3; }));
    drag(0, {3, 4}, {3, 15});
    const std::vector<double> green = copied("green");
    ASSERT_EQ(green.size(), 12U);
    EXPECT_EQ(green[5], colours.value(3, 9, 0, 1));
    // A picture of another size: a line outside it goes.
    open("gen:noise:20x12:u8");
    EXPECT_TRUE(waitFor([this] { return said() == "Draw a line over a picture."; })) << said().toStdString();
    EXPECT_FALSE(find<QToolButton>("profile-copy")->isEnabled());
    // A difference is another quantity: alone in the chart.
    session().variants().setChecked({"naive", "tiled_output"});
    session().request().setBaseline("naive");
    session().request().setCurrent("tiled_output");
    session().control().compare();
    ASSERT_TRUE(idle());
    find<QAction>("difference")->setChecked(true);
    const auto last = [this] { return static_cast<int>(comparePage()->panes()->panes().size()) - 1; };
    ASSERT_TRUE(waitFor([&] { return comparePage()->panes()->panes().back().picture != nullptr && last() > 1; }));
    QTest::qWait(0);
    view(last())->setFocus();
    drag(last(), {2, 3}, {17, 3});
    ASSERT_TRUE(waitFor([this] { return panel()->curves().size() == 1; }));
    EXPECT_EQ(panel()->curves().front().id, "difference");
}

}  // namespace
}  // namespace warplens::gui::test
