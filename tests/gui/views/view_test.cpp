// SPDX-License-Identifier: Apache-2.0
#include "gpu/render/pyramid.hpp"
#include "gui/kit/theme.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/picture/render.hpp"
#include "tests/gui/views/samples.hpp"

#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>
#include <QWheelEvent>
#include <algorithm>
#include <ctime>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::gui {
namespace {

/// Runs the event loop until `done`, for two seconds at most.
template <class Done>
bool waitFor(Done done) {
    return QTest::qWaitFor(done, 2000);
}

void turnWheel(QWidget& widget, QPointF at, int notches) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

TEST(ViewState, FitsAndKeepsFitting) {
    ViewState state;
    state.setViewport({400, 300});
    state.setPictureSize({800, 400});
    EXPECT_EQ(state.zoom(), 0.5);
    EXPECT_EQ(state.centre(), QPointF(400, 200));
    state.setViewport({200, 300});
    EXPECT_EQ(state.zoom(), 0.25);
    state.actualSize();
    EXPECT_FALSE(state.fitted());
    state.setViewport({400, 300});
    EXPECT_EQ(state.zoom(), 1);
    state.fit();
    EXPECT_EQ(state.zoom(), 0.5);
    state.setPictureSize({4, 4});
    EXPECT_EQ(state.zoom(), 16);
}

TEST(ViewState, ZoomIsClampedAndHoldsItsAnchor) {
    ViewState state;
    state.setViewport({400, 400});
    state.setPictureSize({4000, 4000});
    state.setZoom(1, {1000, 1000});
    // The anchor keeps its place on screen: (anchor - centre) * zoom does not change.
    const QPointF before = (QPointF(1000, 1000) - state.centre()) * state.zoom();
    state.setZoom(2, {1000, 1000});
    const QPointF after = (QPointF(1000, 1000) - state.centre()) * state.zoom();
    EXPECT_NEAR(before.x(), after.x(), 1e-9);
    state.setZoom(1e9);
    EXPECT_EQ(state.zoom(), ViewState::kMaxZoom);
    state.setZoom(0);
    EXPECT_GT(state.zoom(), 0);
    EXPECT_LE(state.zoom(), 0.1);
    state.setCentre({-1e9, 1e9});
    EXPECT_EQ(state.centre(), QPointF(0, 4000));
}

TEST(ViewState, RefusesACursorOutsideAndARangeThatIsNone) {
    ViewState state;
    state.setPictureSize({10, 10});
    state.setCursor(QPoint(9, 9));
    EXPECT_EQ(state.cursor(), QPoint(9, 9));
    state.setCursor(QPoint(10, 9));
    EXPECT_FALSE(state.cursor());
    state.setRange({0, std::numeric_limits<double>::quiet_NaN()});
    EXPECT_EQ(state.range(), (DisplayRange{0, 255}));
}

class View : public testing::Test {
protected:
    void SetUp() override {
        view.resize(400, 300);
        view.setPicture(samples::scene(800, 600, io::PixelType::f32));
        view.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    }
    ImageView view;
    ViewState* state = view.viewState();
};

TEST_F(View, StartsFittedAndSettles) {
    EXPECT_EQ(state->zoom(), 0.5);
    EXPECT_TRUE(waitFor([&] { return view.settled(); }));
    EXPECT_EQ(view.toWidget({400, 300}), QPointF(200, 150));
    EXPECT_EQ(view.toPicture({0, 0}), QPointF(0, 0));
}

TEST_F(View, WheelZoomsAboutTheCursor) {
    const QPointF at(100, 80);
    const QPointF under = view.toPicture(at);
    turnWheel(view, at, 3);
    EXPECT_NEAR(state->zoom(), 0.5 * 1.25 * 1.25 * 1.25, 1e-12);
    EXPECT_NEAR(view.toPicture(at).x(), under.x(), 1e-9);
    EXPECT_NEAR(view.toPicture(at).y(), under.y(), 1e-9);
    turnWheel(view, at, -3);
    EXPECT_NEAR(state->zoom(), 0.5, 1e-12);
}

TEST_F(View, DragMovesThePictureWithTheMouse) {
    state->actualSize();
    const QPointF grabbed = view.toPicture({200, 150});
    QTest::mousePress(&view, Qt::LeftButton, {}, {200, 150});
    QTest::mouseMove(&view, {170, 130});
    QTest::mouseRelease(&view, Qt::LeftButton, {}, {170, 130});
    EXPECT_EQ(view.toPicture({170, 130}), grabbed);
}

TEST_F(View, PointingTellsThePixel) {
    QSignalSpy spy(state, &ViewState::cursorChanged);
    QTest::mouseMove(&view, {100, 50});
    EXPECT_EQ(state->cursor(), QPoint(200, 100));
    EXPECT_GE(spy.count(), 1);
}

TEST_F(View, Keys) {
    QTest::keyClick(&view, Qt::Key_0, Qt::ControlModifier);
    EXPECT_EQ(state->zoom(), 1);
    QTest::keyClick(&view, Qt::Key_Plus);
    EXPECT_EQ(state->zoom(), 1.25);
    QTest::keyClick(&view, Qt::Key_Minus);
    EXPECT_EQ(state->zoom(), 1);
    const double before = state->centre().x();
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_GT(state->centre().x(), before);
    state->setCursor(QPoint(400, 300));
    QTest::keyClick(&view, Qt::Key_Left, Qt::ControlModifier);
    EXPECT_EQ(state->cursor(), QPoint(399, 300));
    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_TRUE(state->fitted());
    QSignalSpy activated(&view, &ImageView::activated);
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_EQ(activated.count(), 1);
}

TEST_F(View, NewPicturesWhileLevelsAreMadeDoNotMixUp) {
    state->setRange({0, 255});
    for (int i = 0; i < 20; ++i) {
        auto grid = std::make_shared<io::Grid>(io::Shape{2000, 1500}, io::PixelType::u8);
        std::fill_n(grid->as<std::uint8_t>(), 2000 * 1500, static_cast<std::uint8_t>(10 * i));
        view.setPicture(grid);
        view.grab();
    }
    ASSERT_TRUE(waitFor([&] { return view.settled(); }));
    EXPECT_EQ(qGreen(view.grab().toImage().pixel(200, 150)), 190);
}

TEST_F(View, ShowsAMessageWithoutAPicture) {
    view.setPicture(nullptr);
    view.setMessage(QStringLiteral("computing"));
    const QImage empty = view.grab().toImage();
    EXPECT_EQ(empty.pixelColor(3, 3), colour(Role::canvas));
    QTest::keyClick(&view, Qt::Key_Plus);
    turnWheel(view, {10, 10}, 1);
}

TEST(LargePicture, NeverBlocksThePainting) {
    const auto grid = std::make_shared<io::Grid>(io::Shape{8192, 8192}, io::PixelType::f32);
    std::fill_n(grid->as<float>(), 8192LL * 8192, 100.0F);
    ImageView view;
    view.resize(960, 500);
    view.show();
    // Of the processor, so that it does not matter what else the machine does.
    const auto spent = [](const auto& work) {
        timespec before{}, after{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
        work();
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
        return static_cast<double>(after.tv_sec - before.tv_sec) +
               static_cast<double>(after.tv_nsec - before.tv_nsec) * 1e-9;
    };
    const double levels = spent([&] { gpu::render::makePyramid(*grid, 0); });
    const double painted = spent([&] {
        view.setPicture(grid);
        view.grab();
    });
    EXPECT_LE(painted, levels / 2) << "seconds; the reduced levels take " << levels;
    EXPECT_FALSE(view.settled()) << "the reduced levels are made elsewhere";
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.settled(); }, 20000));
}

std::vector<PaneContent> panes(int count) {
    std::vector<PaneContent> contents{
        inputPane(samples::scene(320, 200, io::PixelType::u8), QStringLiteral("scene.png"))};
    for (int i = 1; i < count; ++i) {
        const auto& variant = samples::ladder()[static_cast<std::size_t>(i - 1)];
        contents.push_back(resultPane(
            samples::record(variant, 0.1 * i, gpu::Clock::device, samples::scene(320, 200, io::PixelType::f32)),
            variant, i == 1));
    }
    return contents;
}

TEST(PaneGrid, OneToSixPanesOfOneSize) {
    PaneGrid grid;
    grid.resize(1000, 700);
    grid.show();
    for (int count = 1; count <= PaneGrid::kMaxPanes; ++count) {
        grid.setPanes(panes(count));
        QCoreApplication::processEvents();
        for (int i = 0; i < count; ++i) {
            ASSERT_TRUE(grid.pane(i)->isVisible());
            EXPECT_NEAR(grid.pane(i)->width(), grid.pane(0)->width(), 1);
            EXPECT_NEAR(grid.pane(i)->height(), grid.pane(0)->height(), 1);
        }
        EXPECT_EQ(grid.pane(count), nullptr);
    }
    grid.setPanes(panes(8));
    EXPECT_EQ(grid.panes().size(), 6U);
    grid.setPanes({});
    EXPECT_EQ(grid.current(), -1);
}

TEST(PaneGrid, LinkedPanesMoveTogetherAndUnlinkedOnesDoNot) {
    PaneGrid grid;
    grid.resize(1000, 700);
    grid.setPanes(panes(4));
    grid.show();
    QCoreApplication::processEvents();
    turnWheel(*grid.pane(1)->view(), {50, 50}, 2);
    EXPECT_EQ(grid.pane(0)->view()->toPicture({9, 90}), grid.pane(1)->view()->toPicture({9, 90}));

    grid.setLinked(false);
    const QPointF kept = grid.pane(0)->view()->toPicture({50, 50});
    EXPECT_EQ(grid.pane(1)->view()->toPicture({50, 50}), kept);
    turnWheel(*grid.pane(1)->view(), {20, 20}, 2);
    EXPECT_EQ(grid.pane(0)->view()->toPicture({50, 50}), kept);
    EXPECT_NE(grid.pane(1)->view()->toPicture({50, 50}), kept);
    // So with what is seen of each value; the cursor stays shared.
    const DisplayRange before = grid.pane(0)->view()->range();
    grid.pane(3)->view()->viewState()->setRange({10, 20});
    EXPECT_EQ(grid.pane(3)->view()->range(), (DisplayRange{10, 20}));
    EXPECT_EQ(grid.pane(0)->view()->range(), before);
    grid.setRange({1, 2});
    for (int i = 0; i < 4; ++i) EXPECT_EQ(grid.pane(i)->view()->range(), (DisplayRange{1, 2})) << i;
    grid.pane(2)->view()->viewState()->setCursor(QPoint(7, 8));
    EXPECT_EQ(grid.viewState()->cursor(), QPoint(7, 8));
    EXPECT_EQ(grid.pane(0)->view()->viewState()->cursor(), QPoint(7, 8));

    grid.setCurrent(1);
    EXPECT_EQ(grid.currentViewState(), grid.pane(1)->view()->viewState());
    const double zoom = grid.currentViewState()->zoom();
    grid.setLinked(true);
    EXPECT_EQ(grid.viewState()->zoom(), zoom);
    EXPECT_EQ(grid.currentViewState(), grid.viewState());
}

TEST(PaneGrid, CurrentPaneIsKeptByKeyAndMaximises) {
    PaneGrid grid;
    grid.resize(1000, 700);
    grid.setPanes(panes(4));
    grid.show();
    QCoreApplication::processEvents();
    QSignalSpy spy(&grid, &PaneGrid::currentChanged);
    QTest::mouseClick(grid.pane(2), Qt::LeftButton, {}, {60, 10});
    EXPECT_EQ(grid.current(), 2);
    EXPECT_EQ(spy.count(), 1);
    // Accent on the caption of the current pane alone.
    EXPECT_EQ(grid.pane(2)->grab().toImage().pixelColor(30, 0), colour(Role::accent));
    EXPECT_EQ(grid.pane(1)->grab().toImage().pixelColor(30, 0), colour(Role::strip));

    auto fewer = panes(4);
    fewer.erase(fewer.begin() + 1);
    grid.setPanes(fewer);
    EXPECT_EQ(grid.current(), 1);
    QTest::mouseDClick(grid.pane(1)->view(), Qt::LeftButton);
    EXPECT_TRUE(grid.maximised());
    EXPECT_FALSE(grid.pane(0)->isVisible());
    QTest::keyClick(grid.pane(1)->view(), Qt::Key_Return);
    EXPECT_FALSE(grid.maximised());
    EXPECT_TRUE(grid.pane(0)->isVisible());
}

TEST(PaneContent, OnlyVerifiedResultsHaveATime) {
    const auto& variant = samples::ladder()[0];
    gpu::RunRecord r = samples::record(variant, 0.569, gpu::Clock::device, samples::scene(8, 8, io::PixelType::f32));
    EXPECT_EQ(resultPane(r, variant, true).timeMs, 0.569);
    EXPECT_EQ(resultPane(r, variant, true).detail, QStringLiteral("baseline"));
    EXPECT_TRUE(resultPane(r, variant, true).ranked);
    r.time->clock = gpu::Clock::simulated;
    EXPECT_FALSE(resultPane(r, variant, true).ranked);
    r.verification.reset();
    EXPECT_FALSE(resultPane(r, variant, true).timeMs);
    r.verification.emplace();
    r.status = gpu::Status::wrong;
    r.reason = "1 value is off";
    EXPECT_FALSE(resultPane(r, variant, true).timeMs);
    EXPECT_EQ(resultPane(r, variant, true).message, QStringLiteral("1 value is off"));
}

TEST(PaneContent, CaptionIsSpokenInFull) {
    PaneCaption caption;
    caption.setContent(panes(2)[1]);
    EXPECT_EQ(caption.accessibleName(), QStringLiteral("naive, 0.100 ms, measured, baseline, verified"));
}

TEST(InspectorStrip, SaysCoordinatesAndExactValues) {
    ViewState state;
    state.setViewport({320, 200});
    state.setPictureSize({320, 200});
    InspectorStrip strip;
    strip.setViewState(&state);
    const auto contents = panes(3);
    strip.setPanes(contents);
    EXPECT_EQ(strip.text(), QStringLiteral("100 %"));
    state.setCursor(QPoint(12, 34));
    const QString exact = pixelText(*contents[1].picture, 12, 34);
    EXPECT_TRUE(strip.text().startsWith(QStringLiteral("x 12 y 34, input ")));
    EXPECT_TRUE(strip.text().contains(QStringLiteral("naive ") + exact)) << strip.text().toStdString();
    EXPECT_TRUE(strip.text().contains(QStringLiteral("constant ") + exact));
    EXPECT_EQ(strip.accessibleDescription(), strip.text());
    strip.resize(120, 36);
    strip.grab();
}

TEST(RangeBar, DefaultsAutoAndReset) {
    ViewState state;
    RangeBar bar;
    bar.setViewState(&state);
    const auto sixteen = samples::scene(64, 64, io::PixelType::u16);
    bar.setInput(sixteen);
    EXPECT_TRUE(waitFor([&] { return state.range() == autoRange(statisticsOf(*sixteen)); }));
    bar.setInput(samples::scene(64, 64, io::PixelType::u8));
    EXPECT_EQ(state.range(), (DisplayRange{0, 255}));

    auto signedResult = std::make_shared<io::Grid>(io::Shape{100, 100}, io::PixelType::f32);
    for (int i = 0; i < 10000; ++i) signedResult->as<float>()[i] = static_cast<float>(i - 5000);
    signedResult->as<float>()[77] = std::numeric_limits<float>::quiet_NaN();
    bar.setCurrent(signedResult);
    QSignalSpy done(&bar, &RangeBar::autoDone);
    bar.autoRange();
    ASSERT_TRUE(waitFor([&] { return done.count() == 1; }));
    EXPECT_EQ(done[0][0].toLongLong(), 1);
    EXPECT_EQ(state.range(), (DisplayRange{-4991, 4989}));
    bar.reset();
    EXPECT_EQ(state.range(), (DisplayRange{0, 255}));

    const auto spins = bar.findChildren<QDoubleSpinBox*>();
    ASSERT_EQ(spins.size(), 3) << "and gamma";
    EXPECT_EQ(spins[1]->value(), 255);
    spins[1]->setValue(128);
    EXPECT_EQ(state.range(), (DisplayRange{0, 128}));
    spins[0]->selectAll();
    QTest::keyClicks(spins[0], QStringLiteral("-1.5"));
    QTest::keyClick(spins[0], Qt::Key_Return);
    EXPECT_EQ(state.range(), (DisplayRange{-1.5, 128}));
}

TEST(RangeBar, AutoTakesWhatIsOfferedAndSaysWhoWorkedItOut) {
    ViewState state;
    RangeBar bar;
    bar.setViewState(&state);
    bar.setInput(samples::scene(64, 64, io::PixelType::u8));
    bool offered = true;
    bar.setServe([&]() -> RangeBar::Serve {
        if (!offered) return {};
        return [](const std::shared_ptr<const io::Grid>&, const std::stop_token&) {
            return PictureStatistics{.low = 12, .high = 34, .finite = 4096, .nonFinite = 5, .by = "served"};
        };
    });
    QSignalSpy done(&bar, &RangeBar::autoDone);
    bar.autoRange();
    ASSERT_TRUE(waitFor([&] { return done.count() == 1; }));
    EXPECT_EQ(state.range(), (DisplayRange{12, 34}));
    EXPECT_EQ(done[0][0].toLongLong(), 5);
    const auto hinted = [&](const char* text) {
        const auto buttons = bar.findChildren<QPushButton*>();
        return std::ranges::any_of(buttons, [&](const QPushButton* b) { return b->toolTip().contains(text); });
    };
    EXPECT_TRUE(hinted("(the last one: served)"));
    offered = false;
    bar.autoRange();
    ASSERT_TRUE(waitFor([&] { return done.count() == 2; }));
    EXPECT_NE(state.range(), (DisplayRange{12, 34}));
    EXPECT_TRUE(hinted("(the last one: on the CPU)"));
}

TEST(RangeBar, AutoWithShiftIsOfWhatIsSeen) {
    ViewState state;
    RangeBar bar;
    bar.setViewState(&state);
    auto halves = std::make_shared<io::Grid>(io::Shape{100, 10}, io::PixelType::u8);
    for (int i = 0; i < 1000; ++i)
        halves->as<std::uint8_t>()[i] = static_cast<std::uint8_t>(i % 100 < 50 ? i % 7 : 200 + i % 9);
    bar.setInput(halves);
    ImageView view;
    view.resize(50, 10);
    view.setPicture(halves);
    QRect seen(60, 2, 400, 5);  // reaches beyond the picture, as another pane's may
    bar.setSeen([&] { return seen; });
    QSignalSpy done(&bar, &RangeBar::autoDone);
    const auto press = [&](Qt::KeyboardModifier modifier) {
        const auto before = done.count();
        for (QPushButton* button : bar.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Auto")) QTest::mouseClick(button, Qt::LeftButton, modifier);
        return waitFor([&] { return done.count() == before + 1; });
    };
    ASSERT_TRUE(press(Qt::ShiftModifier));
    EXPECT_EQ(state.range(), (DisplayRange{200, 208}));
    ASSERT_TRUE(press(Qt::NoModifier));
    EXPECT_EQ(state.range(), (DisplayRange{0, 208}));
    EXPECT_TRUE(QRect(0, 0, 100, 10).contains(view.seenPixels()));
}

TEST(RangeBar, FloatInputGetsItsQuantiles) {
    ViewState state;
    RangeBar bar;
    bar.setViewState(&state);
    auto grid = std::make_shared<io::Grid>(io::Shape{100, 100}, io::PixelType::f32);
    for (int i = 0; i < 10000; ++i) grid->as<float>()[i] = static_cast<float>(i) / 8;
    bar.setInput(grid);
    ASSERT_TRUE(waitFor([&] { return state.range() == DisplayRange{9.0 / 8, 9989.0 / 8}; }));
}

}  // namespace
}  // namespace warplens::gui
