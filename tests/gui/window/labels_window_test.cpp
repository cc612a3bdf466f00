// SPDX-License-Identifier: Apache-2.0
// A picture of labels in the window: seen in its colours, read to the last unit, and taken by no filter.
#include "gpu/render/label_colour.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/range_bar.hpp"
#include "io/write.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QColor>
#include <QImage>
#include <QMenu>

namespace warplens::gui::test {
namespace {

using LabelsWindow = WindowTest;

TEST_F(LabelsWindow, OpenInTheirColoursAndSayWhyNothingRuns) {
    io::Grid labels({64, 48, 1, 1}, io::PixelType::i32);
    for (std::int64_t y = 0; y < 48; ++y)
        for (std::int64_t x = 0; x < 64; ++x) labels.setValue(x, y, 0, 0, static_cast<double>(16777216 + x / 32));
    const QString path = folder.filePath("labels.npy");
    io::write(labels, path.toStdString());
    session().inputs().open(path);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return session().activity().notice().contains("takes u8, u16 and f32"); }, kPatienceMs))
        << session().activity().notice().toStdString();
    EXPECT_TRUE(session().activity().noticeIsError());
    EXPECT_EQ(session().document().input(), path);
    ImageView* view = comparePage()->panes()->pane(0)->view();
    EXPECT_EQ(view->viewState()->colourMap(), ColourMap::grey);
    const auto seen = [view](double x) {
        return view->grab().toImage().pixel(view->toWidget(QPointF(x, 20.5)).toPoint() * view->devicePixelRatioF());
    };
    EXPECT_EQ(find<ColourMapButton>("colour-map")->text(), "labels ▾");
    EXPECT_EQ(seen(8.5), gpu::render::labelColour(16777216));
    EXPECT_EQ(seen(40.5), gpu::render::labelColour(16777217));
    view->viewState()->setCursor(QPoint(40, 20));
    EXPECT_TRUE(comparePage()->findChild<InspectorStrip*>()->text().contains("16,777,217"))
        << comparePage()->findChild<InspectorStrip*>()->text().toStdString();
    view->viewState()->setCursor(std::nullopt);
    view->viewState()->setLabelColours(false);
    EXPECT_EQ(qRed(seen(8.5)), qGreen(seen(8.5))) << "in grey";
    session().control().compare();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !session().control().comparing(); }, kPatienceMs));
    EXPECT_TRUE(QTest::qWaitFor([&] { return comparePage()->panes()->pane(1)->content().message == "not run yet"; },
                                kPatienceMs))
        << comparePage()->panes()->pane(1)->content().message.toStdString();
}

TEST_F(LabelsWindow, AreConvertedToFloatsByTheMenuAndFiltered) {
    io::Grid labels({64, 48, 1, 1}, io::PixelType::i32);
    for (std::int64_t y = 0; y < 48; ++y)
        for (std::int64_t x = 0; x < 64; ++x) labels.setValue(x, y, 0, 0, static_cast<double>(16777216 + x / 32));
    const QString path = folder.filePath("labels.npy");
    io::write(labels, path.toStdString());
    session().inputs().open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().activity().notice().contains("Edit &gt; Convert to 32-bit"); },
                                kPatienceMs))
        << session().activity().notice().toStdString();
    const auto convert = [this] {
        auto* action = find<QAction>("to-float");
        for (QObject* where : action->associatedObjects())
            if (auto* menu = qobject_cast<QMenu*>(where)) {
                menu->popup({0, 0});
                QTest::keyClick(menu, Qt::Key_3);
            }
    };
    convert();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return session().document().grid()->type() == io::PixelType::f32; }, kPatienceMs));
    EXPECT_TRUE(session().document().notes().join(' ').contains("1536 of 3072 i32 values"))
        << session().document().notes().join(' ').toStdString();
    EXPECT_EQ(session().document().input(), path);
    EXPECT_TRUE(session().request().command().contains(" --as f32 ")) << session().request().command().toStdString();
    ASSERT_TRUE(filtered()) << session().activity().notice().toStdString();
    EXPECT_FALSE(session().activity().noticeIsError());
    find<QAction>("undo")->trigger();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return session().document().grid()->type() == io::PixelType::i32; }, kPatienceMs));
    // What was computed here becomes another picture.
    session().inputs().use("kept", "said", session().document().grid());
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().derived(); }, kPatienceMs));
    convert();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().name() == "kept as f32"; }, kPatienceMs));
    EXPECT_EQ(session().document().grid()->type(), io::PixelType::f32);
}

}  // namespace
}  // namespace warplens::gui::test
