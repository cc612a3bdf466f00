// SPDX-License-Identifier: Apache-2.0
// What a slice is drawn with, and slices on the page that compares.
#include "gui/kit/theme/tokens.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/picture/slice_bar.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/picture/value_colours.hpp"
#include "gui/volume/slice_render.hpp"
#include "gui/volume/volume_marks.hpp"
#include "tests/gui/views/volume_case.hpp"

#include <QAction>
#include <QMenu>
#include <QSlider>
#include <QTest>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace warplens::gui {
namespace {

using namespace test;

TEST(SliceRender, EveryVoxelIsABlockOfItsProportionsWhereItBelongs) {
    const auto grid = volumeOf({6, 5, 4}, io::PixelType::u8, mark);
    SliceRequest request;
    request.spacing = {1, 2, 3};
    request.pixelsPerMm = 4;
    request.range = {0, 255};
    for (const SlicePlane plane : kSlicePlanes) {
        const PlaneAxes axes = axesOf(plane);
        const int extents[] = {6, 5, 4};
        const auto mm = [&](int axis) { return extents[axis] * request.spacing[static_cast<std::size_t>(axis)]; };
        request.plane = plane;
        request.index = 2;
        request.centre = {mm(axes.right) / 2, mm(axes.down) / 2};
        request.size = {static_cast<int>(4 * mm(axes.right)), static_cast<int>(4 * mm(axes.down))};
        const QImage image = renderSlice(*grid, request);
        for (int j = 0; j < image.height(); ++j)
            for (int i = 0; i < image.width(); ++i) {
                int voxel[3];
                voxel[axes.across] = 2;
                voxel[axes.right] = static_cast<int>(i / (4 * request.spacing[static_cast<std::size_t>(axes.right)]));
                const int row = axes.upwards ? image.height() - 1 - j : j;  // z runs upwards
                voxel[axes.down] = static_cast<int>(row / (4 * request.spacing[static_cast<std::size_t>(axes.down)]));
                ASSERT_EQ(qGreen(image.pixel(i, j)), static_cast<int>(mark(voxel[0], voxel[1], voxel[2])));
            }
    }
}

TEST(SliceRender, SeveralVoxelsOnAPixelAreTheirMean) {
    const auto grid =
        volumeOf({64, 64, 8}, io::PixelType::f32, [](auto x, auto y, auto) { return (x + y) % 2 ? 200.0 : 100.0; });
    SliceRequest request;
    request.size = {16, 16};
    request.centre = {32, 32};
    request.pixelsPerMm = 0.25;
    request.range = {0, 255};
    const QImage image = renderSlice(*grid, request);
    for (int i = 0; i < 16; ++i) EXPECT_EQ(qGreen(image.pixel(i, 7)), 150);
}

TEST(ScaleBar, IsTheLongestRoundLengthThatFits) {
    EXPECT_EQ(scaleBar(3, 90).mm, 20);
    EXPECT_EQ(scaleBar(3, 90).pixels, 60);
    EXPECT_EQ(scaleBar(3, 90).label(), QStringLiteral("20 mm"));
    EXPECT_EQ(scaleBar(90, 90).label(), QStringLiteral("1 mm"));
    EXPECT_EQ(scaleBar(5000, 90).label(), QStringLiteral("10 µm"));
    EXPECT_EQ(scaleBar(0.05, 90).label(), QStringLiteral("1 m"));
    for (double ppm = 1e-3; ppm < 1e4; ppm *= 1.7) {
        EXPECT_LE(scaleBar(ppm, 90).pixels, 90.0001);
        EXPECT_GE(scaleBar(ppm, 90).pixels, 90 / 2.5 - 0.001);
    }
}

TEST(AxisColours, CanBeReadOnACaption) {
    for (const Scheme s : {Scheme::dark, Scheme::light})
        for (int axis = 0; axis < 3; ++axis)
            for (const Role role : {Role::strip, Role::canvas})
                EXPECT_GE(contrast(axisColour(axis, s), colour(role, s)), 4.5) << axis << " " << static_cast<int>(s);
}

TEST(ColourMaps, AreDistinctAndStartAtTheLowEnd) {
    std::set<QRgb> middles;
    for (const ColourMap map : kColourMaps) {
        EXPECT_FALSE(nameOf(map).isEmpty());
        middles.insert(mapped(0.3, {0, 1}, map));
        if (map == ColourMap::labels) continue;  // has no low end
        EXPECT_EQ(mapped(-5, {0, 1}, map), mapped(0, {0, 1}, map));
    }
    EXPECT_EQ(middles.size(), kColourMaps.size());
    EXPECT_EQ(mapped(0, {0, 1}, ColourMap::viridis), 0xff440154);
    EXPECT_EQ(mapped(1, {0, 1}, ColourMap::viridis), 0xfffde725);
}

TEST(ColourMaps, TheMenuSetsTheMapOfAllPanes) {
    ViewState state;
    ColourMapButton button(state);
    EXPECT_EQ(button.text(), QStringLiteral("grey ▾"));
    for (QAction* action : button.menu()->actions())
        if (action->text() == QStringLiteral("inferno")) action->trigger();
    EXPECT_EQ(state.colourMap(), ColourMap::inferno);
    EXPECT_EQ(button.text(), QStringLiteral("inferno ▾"));
    EXPECT_EQ(button.accessibleName(), QStringLiteral("Colour map inferno"));
}

TEST(ValueHistogram, CountsEveryValueOnce) {
    auto grid =
        volumeOf({10, 10, 10}, io::PixelType::f32, [](auto x, auto, auto) { return static_cast<double>(x) / 9; });
    grid->setValue(0, 0, 0, 0, std::nan(""));
    const ValueHistogram h = valueHistogram(*grid, 10);
    EXPECT_EQ(h.low, 0);
    EXPECT_EQ(h.high, 1);
    EXPECT_EQ(h.nonFinite, 1);
    EXPECT_EQ(std::accumulate(h.counts.begin(), h.counts.end(), std::int64_t{0}), 999);
    EXPECT_EQ(h.counts.front(), 99);
    EXPECT_EQ(h.counts.back(), 100);
    EXPECT_EQ(valueHistogram(*volumeOf({3, 3, 3}, io::PixelType::u8, [](auto, auto, auto) { return 7.0; }), 10).counts,
              std::vector<std::int64_t>{27});
}

TEST(ComparedVolumes, ShowTheSameSliceInEveryPane) {
    const auto grid =
        volumeOf({40, 30, 20}, io::PixelType::u8, [](auto, auto, auto z) { return static_cast<double>(10 * z); });
    std::vector<PaneContent> contents(4);
    for (int i = 0; i < 4; ++i) {
        contents[static_cast<std::size_t>(i)].key = QString::number(i);
        contents[static_cast<std::size_t>(i)].picture = grid;
    }
    PaneGrid panes;
    SliceBar bar(*panes.viewState());
    EXPECT_TRUE(bar.isHidden());
    panes.resize(900, 700);
    panes.setPanes(contents);
    panes.show();
    bar.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&panes));
    EXPECT_FALSE(bar.isHidden());
    const auto shows = [&](int slice) {
        for (int i = 0; i < 4; ++i) {
            const QImage image = panes.pane(i)->view()->grab().toImage();
            if (qGreen(image.pixel(image.width() / 2 + 40, image.height() / 2 + 40)) != 10 * slice) return false;
        }
        return true;
    };
    EXPECT_TRUE(shows(10));
    bar.findChild<QSlider*>("slice")->setValue(3);
    EXPECT_TRUE(shows(3));
    QTest::keyClick(panes.pane(2)->view(), Qt::Key_PageDown);
    EXPECT_TRUE(shows(13));
    EXPECT_EQ(bar.findChild<QSlider*>("slice")->value(), 13);
    wheel(*panes.pane(1)->view(), {30, 30}, 2, Qt::ShiftModifier);
    EXPECT_TRUE(shows(11));
    // Unlinked panes have their own zoom, but one slice.
    panes.setLinked(false);
    QTest::keyClick(panes.pane(1)->view(), Qt::Key_Period);
    EXPECT_TRUE(shows(12));
    QTest::keyClick(panes.pane(3)->view(), Qt::Key_Plus);
    panes.viewState()->setRange({0, 254});
    EXPECT_EQ(panes.viewState()->slice(), 12);
}

}  // namespace
}  // namespace warplens::gui
