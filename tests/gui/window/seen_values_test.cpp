// SPDX-License-Identifier: Apache-2.0
// What a value is stands there whole: in its field, in the strip of a mask, in the status line.
#include "gpu/core/registry.hpp"
#include "gui/kit/elided.hpp"
#include "gui/picture/clipboard_picture.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/pane_grid.hpp"
#include "io/generate.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>

namespace warplens::gui::test {
namespace {

class SeenValuesTest : public WindowTest {
protected:
    void take(const char* family, const gpu::ParameterValues& values) {
        session().request().setFamily(gpu::familyOf(family));
        for (const auto& [id, value] : values) session().parameters().set(id, value);
    }
};

TEST_F(SeenValuesTest, DecimalsFollowTheValue) {
    take("sparse", {{"task", std::string("inpaint")}});
    auto* field = find<QDoubleSpinBox>("tolerance");
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->text(), "0.001");
    for (const auto& [value, text] :
         {std::pair{0.25, "0.25"}, {0.000001, "0.000001"}, {0.0125, "0.0125"}, {0.5, "0.50"}, {0.1 + 0.2, "0.30"}}) {
        session().parameters().set("tolerance", value);
        EXPECT_EQ(field->text(), text);
    }
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, "0.002");
    EXPECT_EQ(gpu::format(session().parameters().value("tolerance")), "0.002");
}

TEST_F(SeenValuesTest, EnterInATextGivesTheKeysBackToThePicture) {
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    take("sparse", {{"task", std::string("clone")}});
    auto* at = find<QLineEdit>("at");
    at->setFocus();
    at->selectAll();
    QTest::keyClicks(at, "3,4");
    QTest::keyClick(at, Qt::Key_Return);
    EXPECT_EQ(gpu::format(session().parameters().value("at")), "3,4");
    EXPECT_FALSE(at->hasFocus());
    QWidget* focus = QApplication::focusWidget();
    EXPECT_TRUE(focus == comparePage() || comparePage()->isAncestorOf(focus));
}

TEST_F(SeenValuesTest, AMaskSaysHowManyPixelsItHolds) {
    open("gen:noise:64x48:u8");
    window->findChild<QAction*>("paint-mask")->setChecked(true);
    session().mask().invert();
    for (const int width : {1280, 1600, 1920}) {
        window->resize(width, 900);
        QTest::qWait(30);
        const auto* label = find<QWidget>("region-strip")->findChild<ElidedLabel*>();
        ASSERT_NE(label, nullptr);
        EXPECT_TRUE(label->isVisible() && label->text().contains("3,072")) << label->text().toStdString() << width;
        EXPECT_GE(label->width(), label->fontMetrics().horizontalAdvance(label->text()));
    }
}

TEST_F(SeenValuesTest, TheMasksButtonHasRoomBeforeWordsDo) {
    open("gen:noise:64x48:u8");
    for (const int width : {1280, 1600, 1920}) {
        window->resize(width, 900);
        QTest::qWait(30);
        EXPECT_TRUE(find<QPushButton>("paint-mask-button")->isVisible()) << width;
    }
}

TEST_F(SeenValuesTest, SixteenBitsOpenWithTheirOwnRange) {
    io::Grid dark(io::Shape{40, 30, 1, 1}, io::PixelType::u16);  // twelve bits, as a camera has them
    for (int i = 0; i < 40 * 30; ++i) dark.setValue(i % 40, i / 40, 0, 0, 100 + i * 3);
    session().inputs().use("dark", "dark", std::make_shared<const io::Grid>(std::move(dark)));
    const ViewState& view = *comparePage()->panes()->viewState();
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.range().low >= 100 && view.range().high < 4096; }, kPatienceMs))
        << view.range().low << " to " << view.range().high;
}

TEST_F(SeenValuesTest, UndoBringsBackTheRangeThatWasChosen) {
    open("gen:gradient:40x30:u16");
    const ViewState& view = *comparePage()->panes()->viewState();
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.range().high > 255; }, kPatienceMs));
    const DisplayRange chosen{1000, 3000};
    comparePage()->panes()->setRange(chosen);
    session().inputs().use("other", "other", std::make_shared<const io::Grid>(io::generate("gen:noise:40x30:u8")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.range() == DisplayRange{0, 255}; }, kPatienceMs));
    window->findChild<QAction*>("undo")->trigger();
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.range() == chosen; }, kPatienceMs))
        << view.range().low << " to " << view.range().high;
}

TEST_F(SeenValuesTest, APictureGoesToTheClipboardAndComesBack) {
    open("gen:noise:64x48:u8:c=3");
    const auto before = record().result.picture;
    ASSERT_NE(before, nullptr);
    QGuiApplication::clipboard()->clear();
    window->findChild<QAction*>("copy-picture")->trigger();
    ASSERT_TRUE(QTest::qWaitFor([] { return !QGuiApplication::clipboard()->image().isNull(); }, kPatienceMs));
    const QImage copied = QGuiApplication::clipboard()->image();
    ASSERT_EQ(copied.size(), QSize(64, 48));
    EXPECT_EQ(qRed(copied.pixel(9, 7)), static_cast<int>(before->value(9, 7, 0, 0)));
    EXPECT_EQ(qBlue(copied.pixel(9, 7)), static_cast<int>(before->value(9, 7, 0, 2)));
    window->findChild<QAction*>("paste-picture")->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().name() == "pasted picture"; }, kPatienceMs));
    const io::Grid& pasted = *session().document().grid();
    ASSERT_EQ(pasted.shape(), before->shape());
    for (std::int64_t i = 0; i < pasted.shape().values(); ++i)
        ASSERT_EQ(pasted.as<std::uint8_t>()[i], before->as<std::uint8_t>()[i]) << i;
    EXPECT_EQ(pictureOf(QImage(3, 2, QImage::Format_Grayscale8))->shape().channels, 1);
    QImage glass(3, 2, QImage::Format_ARGB32);
    glass.fill(qRgba(10, 20, 30, 40));
    EXPECT_EQ(pictureOf(glass)->value(2, 1, 0, 3), 40);
    QGuiApplication::clipboard()->clear();
    window->findChild<QAction*>("paste-picture")->trigger();
    EXPECT_TRUE(session().activity().notice().contains("no picture")) << "and the input stays";
}

TEST_F(SeenValuesTest, WithoutAGpuColumnsThatAreNoTimesSort) {
    open("gen:noise:64x48:u8");
    session().variants().setChecked({"naive", "constant", "tiled_output"});
    session().control().compare();
    ASSERT_TRUE(idle());
    auto* table = find<QTableView>("runs");
    const auto names = [&] {
        QStringList all;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            all << table->model()->index(row, 0).data().toString();
        return all;
    };
    const QStringList ladder = names();
    window->findChild<QAction*>("copy-table-action")->trigger();
    const QString copied = QGuiApplication::clipboard()->text();
    for (const char* words : {"Picture\tgen:noise:64x48:u8, ", "Device\t", "Times\tmeasured", "Command\twarplens-cli "})
        EXPECT_TRUE(copied.contains(words)) << words << " in " << copied.toStdString();
    table->sortByColumn(gpu::RunColumn::median, Qt::DescendingOrder);
    EXPECT_EQ(names(), ladder) << "a CPU's times rank nothing";
    table->sortByColumn(gpu::RunColumn::variant, Qt::AscendingOrder);
    QStringList sorted = ladder;
    sorted.sort();
    EXPECT_EQ(names(), sorted);
}

TEST_F(SeenValuesTest, ResultsHaveTheirKindsLegend) {
    open("gen:noise:64x48:u8");
    take("distance", {{"level", 30.0}});
    ASSERT_TRUE(filtered());
    const auto shown = [&]() -> const PaneContent& {
        for (int i = 0; i < static_cast<int>(comparePage()->panes()->panes().size()); ++i)
            if (const PaneContent& content = comparePage()->panes()->pane(i)->content(); content.state) return content;
        ADD_FAILURE() << "no result is shown";
        return comparePage()->panes()->pane(0)->content();
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown().display.has_value(); }, kPatienceMs));
    EXPECT_EQ(shown().legend, "distance, px");
    EXPECT_EQ(shown().display->range.low, 0);
    EXPECT_LT(shown().display->range.high, 64) << "not that of the picture";
    take("flood", {{"tolerance", 255.0}});
    ASSERT_TRUE(filtered());
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown().legend == "steps"; }, kPatienceMs));
    EXPECT_EQ(shown().display->range, (DisplayRange{0, 32 + 24})) << "from the centre to a corner";
}

TEST_F(SeenValuesTest, ARateIsNeverNone) {
    open("gen:noise:32x24:u8:c=4");
    take("stencil", {{"iterations", std::int64_t{0}}});
    ASSERT_TRUE(filtered());
    EXPECT_TRUE(session().results().rate().endsWith("Mpixel/s")) << session().results().rate().toStdString();
    io::Grid hole(io::Shape{32, 24, 1, 1}, io::PixelType::u8);
    for (int i = 0; i < 32 * 24; ++i) hole.setValue(i % 32, i / 32, 0, 0, i % 32 > 9 && i % 32 < 20 ? 255 : 0);
    ASSERT_EQ(session().mask().take(hole), "");
    take("sparse", {{"task", std::string("inpaint")}});  // has no choice of alpha
    ASSERT_TRUE(filtered());
    EXPECT_TRUE(session().results().rate().endsWith("Mcell/s")) << session().results().rate().toStdString();
    EXPECT_FALSE(session().results().rate().contains(" 0 M"));
}

TEST_F(SeenValuesTest, TheKeyPressedLastCoversNoResults) {
    open("gen:noise:64x48:u8");
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
        window->resize(size);
        window->findChild<QAction*>("projector")->setChecked(true);
        QTest::qWait(30);
        comparePage()->setFocus();
        QTest::keyClick(comparePage(), Qt::Key_L);
        const auto* hint = find<QLabel>("last-key");
        ASSERT_TRUE(hint->isVisible());
        const QRect shown(hint->mapTo(window.get(), QPoint()), hint->size());
        for (const QDockWidget* dock : window->findChildren<QDockWidget*>()) {
            if (!dock->isVisible()) continue;
            EXPECT_FALSE(shown.intersects(dock->geometry())) << dock->objectName().toStdString();
        }
        window->findChild<QAction*>("projector")->setChecked(false);
    }
}

}  // namespace
}  // namespace warplens::gui::test
