// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/volume_charts.hpp"

#include "tests/gui/views/volume_case.hpp"

#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

using namespace test;

TEST(LevelChart, ItsEndsAreDragged) {
    ViewState state;
    state.setRange({0, 100});
    LevelChart chart(state);
    chart.resize(312, 132);
    chart.setHistogram({0, 200, {4, 3, 2, 1}, 0});
    chart.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&chart));
    EXPECT_EQ(chart.domain(), (std::pair<double, double>{0, 200}));
    const auto drag = [&](double from, double to) {
        QTest::mousePress(&chart, Qt::LeftButton, {}, QPoint(static_cast<int>(std::lround(chart.xOf(from))), 60));
        move(chart, {chart.xOf(to), 60}, Qt::LeftButton, Qt::NoModifier);
        QTest::mouseRelease(&chart, Qt::LeftButton);
    };
    drag(100, 150);
    EXPECT_NEAR(state.range().high, 150, 1);
    EXPECT_EQ(state.range().low, 0);
    drag(0, 50);
    EXPECT_NEAR(state.range().low, 50, 1);
    drag(100, 120);  // between the ends: both
    EXPECT_NEAR(state.range().low, 70, 1.5);
    EXPECT_NEAR(state.range().high, 170, 1.5);
}

TEST(OpacityChart, PointsAreDraggedAddedAndRemoved) {
    ViewState state;
    OpacityChart chart(state);
    chart.resize(312, 104);
    chart.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&chart));
    QSignalSpy changed(&chart, &OpacityChart::pointsChanged);
    const QPoint last = chart.toWidget(chart.points()[1]).toPoint();
    QTest::mousePress(&chart, Qt::LeftButton, {}, last);
    move(chart, chart.toWidget({0.5, 0.75}), Qt::LeftButton, Qt::NoModifier);
    QTest::mouseRelease(&chart, Qt::LeftButton);
    EXPECT_NEAR(chart.points()[1].position, 0.5, 1e-9);
    EXPECT_NEAR(chart.points()[1].opacity, 0.75, 1e-9);
    EXPECT_GE(changed.count(), 2);
    QTest::mouseDClick(&chart, Qt::LeftButton, {}, chart.toWidget({0.8, 0.2}).toPoint());
    ASSERT_EQ(chart.points().size(), 3U);
    EXPECT_NEAR(chart.points()[2].position, 0.8, 0.01);
    QTest::keyClick(&chart, Qt::Key_Up);
    EXPECT_NEAR(chart.points()[2].opacity, 0.22, 0.02);
    QTest::keyClick(&chart, Qt::Key_PageUp);
    EXPECT_EQ(chart.chosen(), 1);
    QTest::keyClick(&chart, Qt::Key_Insert);
    EXPECT_EQ(chart.points().size(), 4U);
    for (int i = 0; i < 5; ++i) QTest::keyClick(&chart, Qt::Key_Delete);
    EXPECT_EQ(chart.points().size(), 2U);
    // Never out of order, never outside.
    for (int i = 0; i < 200; ++i) QTest::keyClick(&chart, Qt::Key_Left);
    EXPECT_LE(chart.points()[0].position, chart.points()[1].position);
    EXPECT_GE(chart.points()[0].position, 0);
}

}  // namespace
}  // namespace warplens::gui
