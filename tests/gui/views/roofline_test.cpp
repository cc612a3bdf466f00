// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/label_placement.hpp"
#include "gui/kit/theme.hpp"
#include "gui/lessons/lesson_chart.hpp"
#include "gui/why/roofline_chart.hpp"

#include <QApplication>
#include <gtest/gtest.h>
#include <random>

namespace warplens::gui {
namespace {

/// No name over another, over a mark or outside.
void expectApart(const std::vector<std::optional<QRectF>>& places, const std::vector<LabelledPoint>& points,
                 double mark, const QRectF& area) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i]) continue;
        EXPECT_TRUE(area.contains(*places[i]));
        for (std::size_t j = i + 1; j < places.size(); ++j)
            EXPECT_FALSE(places[j] && places[i]->intersects(*places[j])) << i << " over " << j;
        for (const LabelledPoint& point : points)
            EXPECT_FALSE(places[i]->intersects(QRectF(point.at - QPointF(mark / 2, mark / 2), QSizeF(mark, mark))));
    }
}

TEST(LabelPlacement, NeverOverlaps) {
    constexpr double kMark = 14;
    const QRectF area(40, 10, 320, 240);
    std::mt19937 random(7);
    for (const double spread : {0.0, 6.0, 30.0, 120.0}) {
        for (int round = 0; round < 40; ++round) {
            std::uniform_real_distribution<double> x(200 - spread, 200 + spread), y(130 - spread, 130 + spread),
                width(30, 120);
            std::vector<LabelledPoint> points;
            for (int i = 0; i < 12; ++i) points.push_back({{x(random), y(random)}, {width(random), 15}});
            const std::vector<QRectF> taken{QRectF(40, 10, 150, 16)};
            const auto places = placeLabels(points, kMark, area, taken);
            ASSERT_EQ(places.size(), points.size());
            EXPECT_TRUE(places.front().has_value()) << "the first has free choice";
            expectApart(places, points, kMark, area);
            for (const auto& place : places) EXPECT_FALSE(place && place->intersects(taken.front()));
        }
    }
    const auto alone = placeLabels({{{100, 100}, {50, 15}}}, kMark, area);
    EXPECT_GT(alone[0]->left(), 100 + kMark / 2) << "a name is looked for at the right";
    EXPECT_FALSE(placeLabels({{{100, 100}, {500, 15}}}, kMark, area)[0]) << "too wide for the chart";
}

TEST(Roofline, NamesEveryRungOfACrowd) {
    Theme::install(*qApp, SchemeChoice::dark);
    RooflineChart chart;
    // As an H200 has them at radius 2: most rungs near to each other.
    std::vector<RooflineChart::Point> points;
    const char* names[] = {"naive",       "constant",       "coarsened", "tiled_input", "tiled_output",
                           "halo_cached", "register_tiled", "streamed",  "separable",   "separable_fused"};
    double at = 0.42, rate = 5;
    for (const char* name : names)
        points.push_back({QString::fromUtf8(name), gpu::Idea::plain, at *= 1.12, rate *= 1.06, false});
    points[3].current = true;
    gpu::WhyCeilings ceilings{"H200", {}, gpu::Origin::recorded};
    ceilings.limits.copyGbs = 4258;
    ceilings.limits.fmaTflops = 56.9;
    ceilings.limits.sharedGbs = 33000;
    chart.setPoints(points, ceilings);
    for (const QSize size : {QSize(390, 300), QSize(620, 420)}) {
        chart.resize(size);
        chart.grab();
        int named = 0;
        for (std::size_t i = 0; i < chart.names().size(); ++i) {
            named += chart.names()[i].has_value() ? 1 : 0;
            for (std::size_t j = i + 1; j < chart.names().size(); ++j)
                EXPECT_FALSE(chart.names()[i] && chart.names()[j] && chart.names()[i]->intersects(*chart.names()[j]));
        }
        EXPECT_TRUE(chart.names()[3].has_value()) << "the current rung";
        EXPECT_GE(named, 9);
    }
}

/// A rung without a time has no rate, so no mark and no name in the plot: it is told below, and in words.
TEST(Roofline, ARungWithoutATimeHasNoPlaceInIt) {
    Theme::install(*qApp, SchemeChoice::dark);
    RooflineChart chart;
    chart.resize(620, 420);
    gpu::WhyCeilings ceilings{"H200", {}, gpu::Origin::recorded};
    ceilings.limits.copyGbs = 4258;
    ceilings.limits.fmaTflops = 56.9;
    const RooflineChart::Point timed{
        "naive", gpu::Idea::plain, 0.5, 3, true, false, "H200, scaled from 8,192 × 8,192 f32"};
    chart.setPoints({timed}, ceilings);
    const QImage alone = chart.grab().toImage();
    chart.setPoints({timed, {"constant", gpu::Idea::cache, 2, 0}}, ceilings);
    const QImage both = chart.grab().toImage();
    EXPECT_TRUE(chart.names()[0].has_value());
    EXPECT_FALSE(chart.names()[1].has_value());
    // All of the plot, its axis and the numbers below it; the last line names the rung.
    const int foot = both.height() * 9 / 10;
    EXPECT_EQ(both.copy(0, 0, both.width(), foot), alone.copy(0, 0, alone.width(), foot));
    EXPECT_NE(both, alone);
    EXPECT_TRUE(
        chart.accessibleDescription().contains("constant: 2.00 operations per byte (counted), no time of a GPU"))
        << chart.accessibleDescription().toStdString();
    EXPECT_TRUE(chart.accessibleDescription().contains("recorded: H200, scaled from 8,192 × 8,192 f32)"))
        << chart.accessibleDescription().toStdString();
}

gpu::LessonValue between(double low, double value, double high) {
    return {.value = value, .low = low, .high = high, .origin = gpu::Origin::recorded, .text = {}};
}

TEST(LessonLines, CrossWhereOneIsAheadByItsInterval) {
    LessonLines lines{.parameter = "radius",
                      .at = {1, 2, 3, 4},
                      .series = {{.name = "a", .values = {}}, {.name = "b", .values = {}}}};
    auto &a = lines.series[0].values, &b = lines.series[1].values;
    a = {between(1, 1, 1), between(2, 2, 2), between(3, 3, 3), between(4, 4, 4)};
    b = {between(2, 2, 2), between(2.5, 2.5, 2.5), between(2.5, 2.5, 2.5), between(3, 3, 3)};
    const auto crossing = crossingOf(lines);
    ASSERT_TRUE(crossing.has_value());
    EXPECT_DOUBLE_EQ(crossing->at, 2.5);
    EXPECT_EQ(crossing->before, 0U);
    EXPECT_EQ(crossing->after, 1U);
    a[2] = between(2, 2.6, 3);  // overlaps: not decided before 4
    ASSERT_TRUE(crossingOf(lines).has_value());
    EXPECT_GT(crossingOf(lines)->at, 2);
    a[3] = between(2, 3.1, 4);
    EXPECT_FALSE(crossingOf(lines).has_value()) << "nobody is ahead at the end";
    std::swap(lines.series[0], lines.series[1]);
    lines.series.pop_back();
    EXPECT_FALSE(crossingOf(lines).has_value()) << "one line alone";
}

}  // namespace
}  // namespace warplens::gui
