// SPDX-License-Identifier: Apache-2.0
// Slices and the 3D view, driven by real events and read as pixels.
#include "gui/volume/volume_panes.hpp"

#include "gui/kit/theme/tokens.hpp"
#include "gui/volume/ray_view.hpp"
#include "gui/volume/slice_view.hpp"
#include "gui/volume/volume_marks.hpp"
#include "tests/gui/views/volume_case.hpp"

#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

using namespace test;

constexpr int kPatienceMs = 20'000;

/// Panes of a volume of 40 x 30 x 20 voxels of 1 x 1 x 2 mm.
class Panes : public testing::Test {
protected:
    void SetUp() override {
        volume = volumeOf({40, 30, 20}, io::PixelType::u8, mark);
        volume->geometry.spacing = {1, 1, 2};
        panes.resize(900, 700);
        panes.setVolume(volume, std::nullopt);
        panes.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&panes));
    }
    SliceView& slice(SlicePlane plane) { return *panes.slice(plane); }
    /// Where a voxel's middle is drawn.
    QPointF at(SlicePlane plane, VolumeState::Voxel v) {
        return slice(plane).toWidget({v[0] + 0.5, v[1] + 0.5, 2 * (v[2] + 0.5)});
    }
    /// The fine frame is there.
    bool drawn() {
        return QTest::qWaitFor([this] { return panes.settled(); }, kPatienceMs);
    }

    std::shared_ptr<io::Grid> volume;
    ViewState display;
    VolumeState state{display};
    VolumePanes panes{state};
};

TEST_F(Panes, StartInTheMiddleFittedAtOneScale) {
    EXPECT_EQ(state.crosshair(), (VolumeState::Voxel{20, 15, 10}));
    EXPECT_EQ(display.depth(), 20);
    EXPECT_EQ(display.slice(), 10);
    EXPECT_EQ(state.zoom(SlicePlane::axial), state.zoom(SlicePlane::sagittal));
    for (const SlicePlane plane : kSlicePlanes) {
        EXPECT_TRUE(QRectF(slice(plane).rect()).contains(at(plane, {0, 0, 0})));
        EXPECT_TRUE(QRectF(slice(plane).rect()).contains(at(plane, {39, 29, 19})));
    }
    EXPECT_EQ(panes.caption(VolumePanes::axial)->spoken(), QStringLiteral("Axial, z 10 of 20, 20.0 mm"));
}

TEST_F(Panes, SpacingIsHonoured) {
    // 10 voxels along z are drawn as long as 20 along x.
    const QPointF a = at(SlicePlane::coronal, {5, 0, 5}), x = at(SlicePlane::coronal, {25, 0, 5}),
                  z = at(SlicePlane::coronal, {5, 0, 15});
    EXPECT_NEAR(x.x() - a.x(), a.y() - z.y(), 1e-9);
    EXPECT_GT(a.y(), z.y());  // z runs upwards
    state.setCrosshairShown(false);
    // Nearest neighbour: the middle of any voxel on screen has exactly its value.
    const QImage image = slice(SlicePlane::coronal).grab().toImage();
    for (int k = 1; k < 19; ++k)
        for (int i = 1; i < 20; i += 3)
            EXPECT_EQ(qGreen(image.pixel(at(SlicePlane::coronal, {i, 15, k}).toPoint())),
                      static_cast<int>(mark(i, 15, k)));
}

TEST_F(Panes, ShiftAndMoveSetsTheCrosshairOfAll) {
    move(slice(SlicePlane::axial), at(SlicePlane::axial, {7, 23, 0}), Qt::NoButton, Qt::NoModifier);
    EXPECT_EQ(state.crosshair(), (VolumeState::Voxel{20, 15, 10}));
    move(slice(SlicePlane::axial), at(SlicePlane::axial, {7, 23, 0}), Qt::NoButton, Qt::ShiftModifier);
    EXPECT_EQ(state.crosshair(), (VolumeState::Voxel{7, 23, 10}));
    move(slice(SlicePlane::sagittal), at(SlicePlane::sagittal, {0, 4, 16}), Qt::NoButton, Qt::ShiftModifier);
    EXPECT_EQ(state.crosshair(), (VolumeState::Voxel{7, 4, 16}));
    EXPECT_EQ(display.slice(), 16);
    // The lines meet there in every pane, in the axes' colours.
    const QPointF cross = at(SlicePlane::coronal, {7, 4, 16});
    const QImage image = slice(SlicePlane::coronal).grab().toImage();
    EXPECT_EQ(image.pixelColor(static_cast<int>(cross.x()), static_cast<int>(cross.y()) + 60),
              axisColour(0, Scheme::dark));
    EXPECT_EQ(image.pixelColor(static_cast<int>(cross.x()) + 60, static_cast<int>(cross.y())),
              axisColour(2, Scheme::dark));
    state.setCrosshairShown(false);
    EXPECT_NE(slice(SlicePlane::coronal).grab().toImage(), image);
}

TEST_F(Panes, AClickSetsTheCrosshairAndADragPans) {
    const QPoint point = at(SlicePlane::coronal, {31, 0, 3}).toPoint();
    QTest::mouseClick(&slice(SlicePlane::coronal), Qt::LeftButton, {}, point);
    EXPECT_EQ(state.crosshair(), (VolumeState::Voxel{31, 15, 3}));
    wheel(slice(SlicePlane::axial), {200, 150}, 4, Qt::ControlModifier);
    const auto grabbed = slice(SlicePlane::axial).toVolume({200, 150});
    QTest::mousePress(&slice(SlicePlane::axial), Qt::LeftButton, {}, {200, 150});
    move(slice(SlicePlane::axial), {190, 160}, Qt::LeftButton, Qt::NoModifier);
    QTest::mouseRelease(&slice(SlicePlane::axial), Qt::LeftButton, {}, {190, 160});
    EXPECT_NEAR(slice(SlicePlane::axial).toVolume({190, 160})[0], grabbed[0], 1e-9);
    EXPECT_NEAR(slice(SlicePlane::axial).toVolume({190, 160})[1], grabbed[1], 1e-9);
    EXPECT_EQ(state.crosshair(), (VolumeState::Voxel{31, 15, 3}));
}

TEST_F(Panes, WheelAndKeysGoThroughTheSlices) {
    SliceView& view = slice(SlicePlane::axial);
    wheel(view, {50, 50}, -3);
    EXPECT_EQ(state.crosshair()[2], 13);
    wheel(view, {50, 50}, 1);
    EXPECT_EQ(state.crosshair()[2], 12);
    const std::pair<Qt::Key, int> keys[] = {{Qt::Key_Right, 13}, {Qt::Key_Left, 12},     {Qt::Key_Down, 13},
                                            {Qt::Key_Up, 12},    {Qt::Key_Period, 13},   {Qt::Key_Comma, 12},
                                            {Qt::Key_PageUp, 2}, {Qt::Key_PageDown, 12}, {Qt::Key_End, 19},
                                            {Qt::Key_Right, 19}, {Qt::Key_Home, 0},      {Qt::Key_PageUp, 0}};
    for (const auto& [key, expected] : keys) {
        QTest::keyClick(&view, key);
        EXPECT_EQ(state.crosshair()[2], expected) << key;
    }
    QTest::keyClick(&slice(SlicePlane::sagittal), Qt::Key_Right);
    EXPECT_EQ(state.crosshair(), (VolumeState::Voxel{21, 15, 0}));
    QTest::keyClick(&slice(SlicePlane::coronal), Qt::Key_Up, Qt::ControlModifier);  // z upwards
    EXPECT_EQ(state.crosshair(), (VolumeState::Voxel{21, 15, 1}));
    // The shown slice is the one asked for.
    state.setCrosshairShown(false);
    EXPECT_EQ(qGreen(view.grab().toImage().pixel(at(SlicePlane::axial, {3, 4, 1}).toPoint())),
              static_cast<int>(mark(3, 4, 1)));
}

TEST_F(Panes, ZoomIsLinkedUntilItIsNot) {
    const auto under = slice(SlicePlane::axial).toVolume({120, 90});
    wheel(slice(SlicePlane::axial), {120, 90}, 2, Qt::ControlModifier);
    EXPECT_NEAR(slice(SlicePlane::axial).toVolume({120, 90})[0], under[0], 1e-9);
    EXPECT_EQ(state.zoom(SlicePlane::axial), state.zoom(SlicePlane::coronal));
    state.setLinked(false);
    const double kept = state.zoom(SlicePlane::coronal);
    QTest::keyClick(&slice(SlicePlane::axial), Qt::Key_Plus);
    EXPECT_EQ(state.zoom(SlicePlane::coronal), kept);
    EXPECT_GT(state.zoom(SlicePlane::axial), kept);
    state.setLinked(true);
    EXPECT_EQ(state.zoom(SlicePlane::coronal), state.zoom(SlicePlane::axial));
    QTest::keyClick(&slice(SlicePlane::coronal), Qt::Key_F);
    EXPECT_TRUE(state.fitted(SlicePlane::axial));
}

TEST_F(Panes, AnotherPagesSliceIsTheCrosshairsToo) {
    display.setSlice(4);
    EXPECT_EQ(state.crosshair(), (VolumeState::Voxel{20, 15, 4}));
    display.setSlice(400);
    EXPECT_EQ(state.crosshair()[2], 19);
}

TEST_F(Panes, OneIsShownAloneAndAllAgain) {
    QTest::keyClick(&slice(SlicePlane::coronal), Qt::Key_Return);
    EXPECT_EQ(panes.alone(), VolumePanes::coronal);
    EXPECT_FALSE(slice(SlicePlane::axial).isVisible());
    QTest::mouseDClick(&slice(SlicePlane::coronal), Qt::LeftButton);
    EXPECT_FALSE(panes.alone());
    EXPECT_TRUE(slice(SlicePlane::axial).isVisible());
    EXPECT_EQ(panes.current(), VolumePanes::coronal);
}

TEST_F(Panes, APictureHasOneSlice) {
    panes.setVolume(volumeOf({40, 30, 1}, io::PixelType::u8, mark), std::nullopt);
    const QImage coronal = slice(SlicePlane::coronal).grab().toImage();
    EXPECT_EQ(coronal.pixelColor(2, 2), colour(Role::canvas));
    EXPECT_TRUE(panes.settled());
    panes.setVolume(nullptr, std::nullopt, QStringLiteral("nothing"));
    EXPECT_TRUE(panes.settled());
}

TEST_F(Panes, The3dViewTurnsByMouseAndKeys) {
    panes.frames().setDevice("cpu");
    ASSERT_TRUE(drawn());
    RayView& rays = *panes.rayView();
    const QImage before = rays.grab().toImage();
    EXPECT_EQ(rays.angles(), QStringLiteral("35°, 22°"));
    QSignalSpy frames(&panes.frames(), &RayFrames::drawn);
    QTest::mousePress(&rays, Qt::LeftButton, {}, {200, 150});
    move(rays, {160, 170}, Qt::LeftButton, Qt::NoModifier);
    EXPECT_EQ(rays.angles(), QStringLiteral("55°, 32°"));
    QTest::mouseRelease(&rays, Qt::LeftButton, {}, {160, 170});
    ASSERT_TRUE(drawn());
    ASSERT_GE(frames.count(), 2);
    // Coarse first, fine in the end.
    EXPECT_FALSE(frames.first().first().value<RayFrame>().fine);
    EXPECT_LT(frames.first().first().value<RayFrame>().image.width(), rays.width());
    EXPECT_TRUE(frames.last().first().value<RayFrame>().fine);
    EXPECT_EQ(frames.last().first().value<RayFrame>().image.width(), rays.width());
    EXPECT_NE(rays.grab().toImage(), before);
    const std::pair<Qt::Key, QString> keys[] = {{Qt::Key_Left, QStringLiteral("60°, 32°")},
                                                {Qt::Key_Right, QStringLiteral("55°, 32°")},
                                                {Qt::Key_Down, QStringLiteral("55°, 37°")},
                                                {Qt::Key_Up, QStringLiteral("55°, 32°")},
                                                {Qt::Key_Home, QStringLiteral("35°, 22°")}};
    for (const auto& [key, angles] : keys) {
        QTest::keyClick(&rays, key);
        EXPECT_EQ(rays.angles(), angles);
    }
    for (int i = 0; i < 60; ++i) QTest::keyClick(&rays, Qt::Key_Up);
    EXPECT_EQ(rays.view().pitch, -90);
    for (int i = 0; i < 80; ++i) QTest::keyClick(&rays, Qt::Key_Left);
    EXPECT_NEAR(std::abs(rays.view().yaw), 75, 1e-9);  // 35 + 400 = 75 a turn on
    EXPECT_TRUE(panes.caption(VolumePanes::rays)->spoken().contains(QStringLiteral(" ms, measured")));
}

TEST_F(Panes, The3dViewWaitsWhileADeviceMeasures) {
    panes.frames().setHeld(true);
    panes.frames().setDevice("cpu");
    QSignalSpy frames(&panes.frames(), &RayFrames::drawn);
    QTest::qWait(300);
    EXPECT_EQ(frames.count(), 0);
    EXPECT_FALSE(panes.settled());
    panes.frames().setHeld(false);
    EXPECT_TRUE(drawn());
    EXPECT_GE(frames.count(), 1);
}

TEST_F(Panes, A3dViewThatCannotBeDrawnSaysWhy) {
    QSignalSpy failed(&panes.frames(), &RayFrames::failed);
    panes.frames().setDevice("cuda:99");
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() > 0; }, kPatienceMs));
    EXPECT_TRUE(failed.first().first().toString().contains(QStringLiteral("cuda:99")));
    EXPECT_TRUE(panes.settled());
}

TEST_F(Panes, OpacityShowsInTheShadedView) {
    panes.frames().setDevice("cpu");
    panes.setMode(gpu::render::Mode::shaded);
    panes.setOpacity({{0, 0}, {1, 0}});
    ASSERT_TRUE(drawn());
    panes.rayView()->setMarksShown(false);
    const QImage clear = panes.rayView()->grab().toImage();
    EXPECT_EQ(clear.pixelColor(clear.rect().center()), QColor(Qt::black));
    panes.setOpacity({{0, 1}, {1, 1}});
    ASSERT_TRUE(drawn());
    const QImage solid = panes.rayView()->grab().toImage();
    EXPECT_NE(solid.pixelColor(solid.rect().center()), QColor(Qt::black));
}

}  // namespace
}  // namespace warplens::gui
