// SPDX-License-Identifier: Apache-2.0
// The tone curve is drawn as the kernels compute it, and its points are changed by mouse and keys.
#include "gpu/core/registry.hpp"
#include "gpu/run/runner.hpp"
#include "gui/kit/plot/plot_view.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/lens.hpp"

#include <QContextMenuEvent>
#include <QTest>
#include <gtest/gtest.h>
#include <memory>

namespace warplens::gui {
namespace {

class CurveEditorTest : public testing::Test {
protected:
    CurveEditorTest() {
        session.request().setFamily(family);
        state.set("task", std::string("curves"));
        OpenedPicture picture;
        picture.grid = ramp();
        session.document().set(QStringLiteral("test"), picture);
        editor.resize(240, 240);
        editor.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&editor));
        QTest::qWait(0);
    }
    /// Shares 0 to 1 in as many steps as the line has.
    static std::shared_ptr<io::Grid> ramp() {
        auto grid = std::make_shared<io::Grid>(io::Shape{121, 1}, io::PixelType::f32);
        for (std::int64_t x = 0; x <= 120; ++x) grid->setValue(x, 0, 0, 0, static_cast<double>(x) / 120);
        return grid;
    }
    std::string points() { return gpu::format(state.value("points")); }
    QPoint place(double x, double y) { return editor.places().place({x, y}).toPoint(); }
    void rightClick(QPoint at) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, editor.mapToGlobal(at));
        QApplication::sendEvent(&editor, &event);
    }
    template <class Mark>
    const Mark* mark() {
        for (const PlotMark& one : editor.plot().marks)
            if (const auto* found = std::get_if<Mark>(&one)) return found;
        return nullptr;
    }

    const gpu::Family& family = gpu::familyOf("elementwise");
    CompareSession session;
    ParameterState& state = session.parameters();
    QString refused;
    const std::unique_ptr<QWidget> owned{
        lensOf(family)
            .editors(
                session.request(), [this](const QString& why) { refused = why; }, nullptr)
            .front()
            .widget};
    PlotView& editor = dynamic_cast<PlotView&>(*owned);
};

TEST_F(CurveEditorTest, IsThereForItsTaskAlone) {
    EXPECT_FALSE(editor.isHidden());
    state.set("task", std::string("invert"));
    EXPECT_TRUE(editor.isHidden());
    state.set("task", std::string("curves"));
    EXPECT_FALSE(editor.isHidden());
    session.request().setFamily(gpu::familyOf("rank"));
    EXPECT_TRUE(editor.isHidden());
}

TEST_F(CurveEditorTest, DrawsWhatTheKernelComputes) {
    for (const char* text : {"0,0;25,20;75,80;100,100", "0,100;100,0", "10,0;40,90;60,10;90,100", "20,30;21,70"}) {
        state.set("points", std::string(text));
        gpu::Runner runner;
        gpu::Request request;
        request.input = session.document().grid();
        request.family = family.id();
        request.parameters = state.values();
        request.variants = {"naive"};
        request.device = "cpu";
        request.timing = gpu::TimingPolicy::once();
        const auto run = runner.run(request, {});
        const auto& result = run.runs.front().result.picture;
        ASSERT_NE(result, nullptr) << run.runs.front().reason;
        const auto* line = mark<LineMark>();
        ASSERT_NE(line, nullptr);
        ASSERT_EQ(line->at.size(), 121);
        for (int i = 0; i <= 120; ++i)
            EXPECT_NEAR(line->at[i].y(), 100 * result->value(i, 0), 1e-3) << text << " at " << i;
        EXPECT_EQ(mark<PointMark>()->at, editor.plot().choices.at);
    }
}

TEST_F(CurveEditorTest, PointsAreDraggedAddedAndRemovedByMouse) {
    QTest::mousePress(&editor, Qt::LeftButton, {}, place(25, 20));
    QTest::mouseMove(&editor, place(30, 50));
    QMouseEvent drag(QEvent::MouseMove, place(30, 50), editor.mapToGlobal(place(30, 50)), Qt::NoButton, Qt::LeftButton,
                     {});
    QApplication::sendEvent(&editor, &drag);
    QTest::mouseRelease(&editor, Qt::LeftButton, {}, place(30, 50));
    ASSERT_EQ(editor.plot().choices.size(), 4);
    EXPECT_NEAR(editor.plot().choices.at[1].x(), 30, 0.6);
    EXPECT_NEAR(editor.plot().choices.at[1].y(), 50, 0.6);
    EXPECT_EQ(editor.chosen(), 1);
    EXPECT_TRUE(editor.accessibleDescription().contains(QStringLiteral("point 2 of 4")));

    QTest::mouseClick(&editor, Qt::LeftButton, {}, place(50, 20));
    ASSERT_EQ(editor.plot().choices.size(), 5) << points();
    EXPECT_NEAR(editor.plot().choices.at[2].x(), 50, 0.6);
    EXPECT_EQ(editor.chosen(), 2);

    const std::string before = points();
    rightClick(place(0, 0));
    EXPECT_EQ(points(), before.substr(before.find(';') + 1));
}

TEST_F(CurveEditorTest, PointsAreChangedByKeys) {
    QTest::keyClick(&editor, Qt::Key_PageDown);
    QTest::keyClick(&editor, Qt::Key_PageDown);
    EXPECT_EQ(editor.chosen(), 1);
    QTest::keyClick(&editor, Qt::Key_Up);
    QTest::keyClick(&editor, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(points(), "0,0;35,21;75,80;100,100");
    QTest::keyClick(&editor, Qt::Key_Insert);
    EXPECT_EQ(editor.chosen(), 2);
    EXPECT_TRUE(points().starts_with("0,0;35,21;55,")) << points();
    QTest::keyClick(&editor, Qt::Key_Delete);
    EXPECT_EQ(points(), "0,0;35,21;75,80;100,100");
    // A point does not pass its neighbours, nor leave the square.
    for (int i = 0; i < 12; ++i) QTest::keyClick(&editor, Qt::Key_Left, Qt::ShiftModifier);
    for (int i = 0; i < 12; ++i) QTest::keyClick(&editor, Qt::Key_Down, Qt::ShiftModifier);
    EXPECT_EQ(editor.chosen(), 2);
    EXPECT_EQ(points(), "0,0;35,21;35.5,0;100,100");
}

TEST_F(CurveEditorTest, RefusesWhatNoCurveIs) {
    state.set("points", std::string("0,0;100,100"));
    rightClick(place(0, 0));
    EXPECT_EQ(points(), "0,0;100,100");
    EXPECT_FALSE(refused.isEmpty());
    std::string sixteen;
    for (int i = 0; i < 16; ++i) sixteen += (i > 0 ? ";" : "") + std::to_string(i * 6) + "," + std::to_string(i * 5);
    state.set("points", sixteen);
    refused.clear();
    QTest::mouseClick(&editor, Qt::LeftButton, {}, place(50, 90));
    EXPECT_EQ(points(), sixteen);
    EXPECT_FALSE(refused.isEmpty());
    state.set("points", std::string("nothing"));
    EXPECT_TRUE(editor.plot().empty.contains(QStringLiteral("points"))) << editor.plot().empty.toStdString();
    QTest::mouseClick(&editor, Qt::LeftButton, {}, editor.rect().center());
    EXPECT_EQ(points(), "nothing");
}

TEST_F(CurveEditorTest, ShowsHowOftenTheInputsValuesOccur) {
    ASSERT_TRUE(QTest::qWaitFor([this] { return mark<BarMark>() != nullptr; }));
    const auto& bars = mark<BarMark>()->bars;
    ASSERT_EQ(bars.size(), 64U);
    EXPECT_DOUBLE_EQ(bars.front().from, 0);
    EXPECT_DOUBLE_EQ(bars.back().to, 100);
    EXPECT_DOUBLE_EQ(std::ranges::max(bars, {}, &BarMark::Bar::top).top, 100);
}

}  // namespace
}  // namespace warplens::gui
