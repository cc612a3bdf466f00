// SPDX-License-Identifier: Apache-2.0
// The plot that all charts are drawn with: every scale, every mark, few and odd values; choosing and exporting.
#include "gui/kit/plot/plot_view.hpp"
#include "gui/kit/theme.hpp"
#include "tests/gui/views/chart_samples.hpp"

#include <QAccessible>
#include <QFile>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kScaleKinds{ScaleKind::linear, ScaleKind::logarithmic, ScaleKind::symlog, ScaleKind::category};

struct Range {
    double low, high;
};
constexpr Range kRanges[] = {
    {0, 1},   {0, 256}, {-3, 12},  {-1e-9, 1e9},   {5, 5},   {0, 0},     {-2, -2},     {1e300, 1e300},
    {-7, -1}, {3, 2},   {kNan, 2}, {0, kInfinity}, {1, 1e7}, {1e-12, 3}, {kNan, kNan}, {1e15, 1e15 + 1e6}};

TEST(Scale, PixelsAndValuesAreInverseAndFinite) {
    for (const ScaleKind kind : kScaleKinds)
        for (const Range& range : kRanges)
            for (const double unit : {0.0, 1.0, 0.25}) {
                // Near so large a value a unit is less than what a double tells apart.
                if (kind == ScaleKind::symlog && range.low > 1e12) continue;
                const Scale scale(kind, range.low, range.high, 380, 20, unit);
                EXPECT_LT(scale.low(), scale.high());
                for (const double share : {0.0, 0.25, 0.5, 1.0}) {
                    const double pixel = 380 + share * (20 - 380), value = scale.value(pixel);
                    ASSERT_TRUE(std::isfinite(value))
                        << static_cast<int>(kind) << ' ' << range.low << ' ' << range.high;
                    EXPECT_NEAR(scale.pixel(value), pixel, 1e-3)
                        << static_cast<int>(kind) << ' ' << range.low << ' ' << range.high;
                }
                for (const double value : {-1e9, -1.0, 0.0, 1.0, 1e9}) EXPECT_TRUE(std::isfinite(scale.pixel(value)));
                for (const double value : {kNan, kInfinity, -kInfinity}) EXPECT_TRUE(std::isnan(scale.pixel(value)));
            }
}

TEST(Scale, TicksRiseKeepApartAndStayInside) {
    for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::logarithmic, ScaleKind::symlog})
        for (const Range& range : kRanges)
            for (const double length : {0.0, 30.0, 180.0, 900.0}) {
                const Scale scale(kind, range.low, range.high, 0, length);
                const auto ticks = scale.ticks(40);
                EXPECT_LE(ticks.size(), length / 40 + 1.001)
                    << static_cast<int>(kind) << ' ' << range.low << ' ' << range.high;
                for (std::size_t i = 0; i < ticks.size(); ++i) {
                    EXPECT_GE(scale.pixel(ticks[i]), -0.01);
                    EXPECT_LE(scale.pixel(ticks[i]), length + 0.01);
                    const double before = i > 0 ? scale.pixel(ticks[i - 1]) : -1e9;
                    EXPECT_GE(scale.pixel(ticks[i]) - before, 39.99);
                }
            }
    EXPECT_LE(Scale(ScaleKind::linear, 1e15, 1e15 + 1, 0, 900).ticks(40).size(), 2U) << "no step is lost";
    EXPECT_EQ(Scale(ScaleKind::linear, 0, 256, 0, 742).ticks(64),
              (std::vector<double>{0, 32, 64, 96, 128, 160, 192, 224, 256}));
    EXPECT_EQ(Scale(ScaleKind::logarithmic, 1e-6, 1, 0, 90).ticks(26), (std::vector<double>{1e-6, 1e-4, 1e-2, 1}));
    EXPECT_EQ(Scale(ScaleKind::logarithmic, 1, 100, 0, 200).ticks(30), (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
    EXPECT_EQ(Scale(ScaleKind::category, 0, 3, 0, 90).ticks(64), (std::vector<double>{0, 1, 2}));
}

TEST(Scale, NumbersOfTicksAreShort) {
    for (const double longest : {1e-4, 0.0073, 0.15, 1.3, 9.99, 42.0, 26900.0}) {
        const auto ticks = Scale(ScaleKind::linear, 0, longest, 16, 304).ticks(56);
        ASSERT_GE(ticks.size(), 2U) << longest;
        EXPECT_EQ(ticks[0], 0);
        EXPECT_LE(tickText(ticks[1]).remove(u',').size(), 7);
    }
    EXPECT_EQ(tickText(0.5), QStringLiteral("0.5"));
    EXPECT_EQ(tickText(3 * 0.1), QStringLiteral("0.3"));
    EXPECT_EQ(tickText(20), QStringLiteral("20"));
    EXPECT_EQ(tickText(0), QStringLiteral("0"));
}

TEST(Scale, WhatHasNoLogarithmStandsAtTheLowEnd) {
    const Scale scale(ScaleKind::logarithmic, 1, 1000, 100, 400);
    for (const double value : {-5.0, 0.0, 0.001, 1.0}) EXPECT_EQ(scale.pixel(value), 100) << value;
    EXPECT_NEAR(scale.pixel(10), 200, 1e-9);
    EXPECT_NEAR(Scale(ScaleKind::symlog, -4, 4, 0, 90).pixel(-4), 0, 1e-9);
    EXPECT_NEAR(Scale(ScaleKind::category, 0, 3, 0, 90).pixel(1), 45, 1e-9);
}

// --- every mark on every pair of scales ------------------------------------------------------------------------------

struct Case {
    const char* name;
    std::vector<double> values;
};
const std::vector<Case>& cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> made{{"none", {}},
                               {"one", {3}},
                               {"two", {1, 2}},
                               {"equal", {2, 2, 2}},
                               {"zero", {0}},
                               {"negative", {-4, -1}},
                               {"both signs", {-2, 0, 2}},
                               {"NaN", {kNan}},
                               {"infinite", {kInfinity, -kInfinity}},
                               {"gaps", {1, kNan, 2, kInfinity, 3}},
                               {"huge", {1e300, 2e300}},
                               {"tiny", {1e-300, 2e-300}},
                               {"many", {}}};
        for (int i = 0; i < 5000; ++i) made.back().values.push_back(1 + i % 97);
        return made;
    }();
    return all;
}

const QColor kInk(255, 0, 255);

/// A mark of each kind, with the values from left to right.
std::vector<PlotMark> marksOf(const std::vector<double>& values) {
    LineMark line{.ink = kInk}, stepped{.ink = kInk, .dashes = {4, 3}, .stepped = true, .fill = kInk};
    PointMark points{.idea = gpu::Idea::cache};
    WhiskerMark whiskers{.ink = kInk};
    BarMark bars{.ink = kInk, .outline = kInk};
    BandMark band{.from = 0, .to = values.empty() ? kNan : values.back(), .ink = kInk};
    RuleMark upright{.at = values.empty() ? kNan : values.front(), .ink = kInk}, level = upright;
    level.upright = false;
    CellMark cell{.ink = kInk, .name = QStringLiteral("cell"), .figure = QStringLiteral("1.2×")};
    TextMark text{.at = {0, values.empty() ? kNan : values.front()}, .text = QStringLiteral("text")};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto x = static_cast<double>(i);
        line.at << QPointF(x, values[i]);
        whiskers.whiskers.push_back({x, values[i] - 1, values[i] + 1});
        bars.bars.push_back({x, x + 1, 0, values[i]});
    }
    stepped.at = points.at = line.at;
    return {
        line, stepped, points, whiskers, bars, band, upright, level, cell, text, StatusAtFoot{0, ResultState::failed}};
}

PlotData plotOf(ScaleKind across, ScaleKind up, std::vector<PlotMark> marks) {
    PlotData plot;
    plot.x = {.kind = across,
              .categories = {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")},
              .title = QStringLiteral("across"),
              .grid = true};
    plot.y = {.kind = up,
              .categories = {QStringLiteral("p"), QStringLiteral("q")},
              .title = QStringLiteral("up"),
              .grid = true};
    plot.marks = std::move(marks);
    return plot;
}

QImage painted(const PlotData& plot, QSize size, int chosen = -1) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(colour(Role::dock));
    QPainter painter(&image);
    paintPlot(painter, QRectF(QPointF(), QSizeF(size)), plot, chosen);
    return image;
}

TEST(Plot, EveryMarkOnEveryScaleShowsWhatIsFiniteAndNothingElse) {
    int shown = 0;
    for (const ScaleKind across : kScaleKinds)
        for (const ScaleKind up : kScaleKinds)
            for (const Case& one : cases()) {
                const auto marks = marksOf(one.values);
                for (std::size_t m = 0; m < marks.size(); ++m) {
                    PlotData plot = plotOf(across, up, {marks[m]});
                    setRanges(plot);
                    PlotData without = plot;
                    without.marks = {LineMark{}};
                    const std::string where = std::string(one.name) + " mark " + std::to_string(m) + " on " +
                                              std::to_string(static_cast<int>(across)) + ", " +
                                              std::to_string(static_cast<int>(up));
                    const bool differs = painted(plot, {240, 160}) != painted(without, {240, 160});
                    const bool finite = std::ranges::any_of(one.values, [](double v) { return std::isfinite(v); });
                    // A cell and a status have a place without values; two categories up do not hold every value.
                    const bool placed =
                        std::holds_alternative<CellMark>(marks[m]) || std::holds_alternative<StatusAtFoot>(marks[m]);
                    const bool line = m < 4 && up != ScaleKind::category && across != ScaleKind::category;
                    if (placed || (finite && line)) {
                        EXPECT_TRUE(differs) << where;
                    } else if (!finite) {
                        EXPECT_FALSE(differs) << where;
                    }
                    shown += differs;
                    EXPECT_FALSE(csvOf(plot).isEmpty());
                }
            }
    EXPECT_GT(shown, 500);
}

TEST(Plot, RangesAreThoseOfFiniteValuesAndOfPositiveOnesOnALogarithmicScale) {
    PlotData plot = plotOf(ScaleKind::linear, ScaleKind::logarithmic,
                           {LineMark{.at = {{0, -5}, {1, 2}, {2, 80}, {3, kInfinity}, {kNan, 4}}}});
    setRanges(plot);
    EXPECT_EQ(plot.x.low, 0);
    EXPECT_EQ(plot.x.high, 3);
    EXPECT_EQ(plot.y.low, 2);
    EXPECT_EQ(plot.y.high, 80);
    plot.y = {.low = -1};
    setRanges(plot);
    EXPECT_EQ(plot.y.low, -1) << "what is told stays";
    EXPECT_EQ(plot.y.high, 80);
}

TEST(Plot, AThousandPointsAPixelKeepTheirPeaks) {
    LineMark line{.ink = kInk, .width = 1};
    for (int i = 0; i < 200000; ++i) line.at << QPointF(i, i == 77777 ? 100 : i == 140001 ? -100 : 0);
    PlotData plot = plotOf(ScaleKind::linear, ScaleKind::linear, {line});
    setRanges(plot);
    const QImage image = painted(plot, {300, 200});
    const PlotPlaces places = placesIn(QRectF(0, 0, 300, 200), plot);
    for (const QPointF peak : {QPointF(77777, 90), QPointF(140001, -90)}) {
        const QPoint at = places.place(peak).toPoint();
        bool seen = false;
        for (int dx = -2; dx <= 2; ++dx) seen = seen || QColor(image.pixel(at.x() + dx, at.y())).red() > 100;
        EXPECT_TRUE(seen) << peak.x();
    }
}

TEST(Plot, NothingOfItLeavesItsBox) {
    for (const QSize size : {QSize(20, 10), QSize(60, 40), QSize(200, 60), QSize(900, 20)})
        for (const ScaleKind kind : kScaleKinds) {
            PlotData plot = plotOf(kind, kind, marksOf({1, 2, 3}));
            plot.legend = LegendPlace::below;
            setRanges(plot);
            const PlotPlaces places = placesIn(QRectF(QPointF(), QSizeF(size)), plot);
            EXPECT_GE(places.area.width(), 1);
            EXPECT_GE(places.area.height(), 1);
            painted(plot, size, 0);
        }
}

// --- choosing --------------------------------------------------------------------------------------------------------

QString tipOf(QWidget& widget, QPoint at) {
    QToolTip::hideText();
    QHelpEvent event(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QCoreApplication::sendEvent(&widget, &event);
    return QToolTip::text();
}

/// Every choice by the mouse, by keys from the first of its line, in the tooltip and for a screen reader.
void expectOneChooser(PlotView& view, const std::string& where) {
    const PlotChoices& choices = view.plot().choices;
    QSignalSpy picked(&view, &PlotView::picked);
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(&view);
    ASSERT_NE(face, nullptr);
    EXPECT_EQ(face->role(), QAccessible::Chart) << where;
    const auto places = view.places();
    const auto at = [&](int i) {
        QPointF place = places.place(choices.at[i]);
        if (!std::isfinite(place.y())) place.setY(places.area.center().y());
        return place.toPoint();
    };
    for (int i = 0; i < choices.size(); ++i) {
        const int far = choices.size() > 100 ? choices.size() / 50 : 0;  // several a pixel
        QTest::mouseClick(&view, Qt::LeftButton, {}, at(i));
        EXPECT_NEAR(view.chosen(), i, far) << where;
        EXPECT_EQ(view.spokenChoice(), choices.spoken(view.chosen()));
        EXPECT_EQ(face->text(QAccessible::Value), view.spokenChoice()) << where;
        EXPECT_TRUE(face->text(QAccessible::Description).contains(view.spokenChoice())) << where;
        EXPECT_EQ(tipOf(view, at(i)), choices.spoken(view.chosen())) << where;
        if (i + 1 == choices.size() || (far > 0 && i > 20)) break;
        const int before = view.chosen();
        QTest::keyClick(&view, Qt::Key_Right);
        const bool ends = choices.by == PlotChoices::By::cell
                              ? (before + 1) % view.plot().x.categories.size() == 0
                              : std::ranges::find(choices.lineStarts, before + 1) != choices.lineStarts.end();
        EXPECT_EQ(view.chosen(), ends ? before : before + 1) << where << ": a key and the mouse choose the same";
        EXPECT_EQ(picked.back().front().toInt(), view.chosen());
        QTest::keyClick(&view, Qt::Key_Left);
    }
}

TEST(PlotView, MouseKeysTooltipAndScreenReaderChooseTheSame) {
    using By = PlotChoices::By;
    for (const By by : {By::column, By::cell, By::point})
        for (const ScaleKind kind : kScaleKinds)
            for (const int many : {0, 1, 2, 6}) {
                if (by == By::cell && (kind != ScaleKind::category || many != 6)) continue;
                LineMark line{.at = {}};
                for (int i = 0; i < many; ++i)
                    line.at << (by == By::cell ? QPointF(i % 3, i / 3)
                                               : QPointF(kind == ScaleKind::category ? i % 3 : 1 + 3 * i, 1 + i % 2));
                if (kind == ScaleKind::category && by == By::column) line.at.resize(std::min(many, 3));
                PlotData plot = plotOf(kind, by == By::cell ? kind : ScaleKind::linear, {line});
                plot.choices = {
                    .by = by, .at = line.at, .spoken = [](int i) { return QStringLiteral("choice %1").arg(i); }};
                if (by == By::point && many == 6) plot.choices.lineStarts = {0, 4};
                PlotView view;
                view.resize(640, 400);
                view.setPlot(plot);
                view.show();
                if (by == By::point && kind == ScaleKind::category) continue;  // two points at one place
                expectOneChooser(view, std::to_string(static_cast<int>(by)) + " on " +
                                           std::to_string(static_cast<int>(kind)) + " of " + std::to_string(many));
            }
}

TEST(PlotView, ADragStaysOnItsLineAndKeysStopAtTheEnds) {
    PlotData plot = plotOf(ScaleKind::linear, ScaleKind::linear,
                           {LineMark{.at = {{0, 0}, {10, 0}, {20, 0}, {0, 9}, {10, 9}, {20, 9}}}});
    plot.choices = {.by = PlotChoices::By::point,
                    .at = std::get<LineMark>(plot.marks[0]).at,
                    .lineStarts = {0, 3},
                    .spoken = [](int i) { return QString::number(i); }};
    PlotView view;
    view.resize(400, 300);
    view.setPlot(plot);
    view.show();
    const auto at = [&](int i) { return view.places().place(plot.choices.at[i]).toPoint(); };
    QTest::mousePress(&view, Qt::LeftButton, {}, at(0));
    QTest::mouseMove(&view, at(4));
    EXPECT_EQ(view.chosen(), 1) << "along the line that is held";
    QTest::mouseRelease(&view, Qt::LeftButton, {}, at(4));
    QTest::mouseClick(&view, Qt::LeftButton, {}, (at(1) + at(4)) / 2);
    EXPECT_EQ(view.chosen(), 1) << "too far from either";
    for (int i = 0; i < 9; ++i) QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(view.chosen(), 2);
    for (int i = 0; i < 9; ++i) QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_EQ(view.chosen(), 0);
    plot.choices.told = true;
    view.setPlot(plot);
    QTest::mouseClick(&view, Qt::LeftButton, {}, at(5));
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(view.chosen(), 0) << "told, not chosen";
    EXPECT_EQ(tipOf(view, at(5)), QStringLiteral("5"));
}

// --- exporting -------------------------------------------------------------------------------------------------------

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

TEST(PlotView, WritesWhatIsShown) {
    const QTemporaryDir folder;
    BarMark bars{.name = QStringLiteral("a, \"b\""), .bars = {{0, 1, 0, 10}, {1, 2, 0, 4}}, .ink = kInk};
    PlotData plot = plotOf(ScaleKind::linear, ScaleKind::linear,
                           {bars, LineMark{.name = QStringLiteral("line"), .at = {{0, 1}, {2, kNan}}}});
    plot.x.ticks = {0, 1};
    plot.ground = true;
    PlotView view;
    view.setAccessibleName(QStringLiteral("Counts"));
    view.resize(400, 240);
    view.setPlot(plot);
    view.show();
    const auto path = [&](const char* kind) {
        return folder.filePath(QStringLiteral("chart.") + QString::fromUtf8(kind));
    };
    for (const char* kind : {"png", "svg", "pdf", "csv"}) {
        EXPECT_TRUE(view.write(path(kind))) << kind;
        EXPECT_FALSE(view.write(folder.filePath(QStringLiteral("no/chart.") + QString::fromUtf8(kind)))) << kind;
    }
    const QImage shown = view.grab().toImage(), written(path("png"));
    ASSERT_EQ(written.size(), 2 * view.size());
    for (const QPointF& value : {QPointF(0.5, 5), QPointF(1.5, 2), QPointF(1.5, 8)}) {
        const QPoint at = view.places().place(value).toPoint();
        EXPECT_EQ(written.pixel(2 * at.x(), 2 * at.y()), shown.pixel(at)) << value.x() << ' ' << value.y();
    }
    EXPECT_EQ(QColor(written.pixel(2 * view.places().place({0.5, 5}).toPoint())), kInk);
    const QByteArray drawing = contentOf(path("svg"));
    for (const char* text : {"across", ">10<", "#ff00ff", "Counts"}) EXPECT_TRUE(drawing.contains(text)) << text;
    EXPECT_TRUE(contentOf(path("pdf")).startsWith("%PDF"));
    EXPECT_EQ(QString::fromUtf8(contentOf(path("csv"))),
              "kind,series,x,y,to_x,to_y,text\n"
              "bar,\"a, \"\"b\"\"\",0,0,1,10,\n"
              "bar,\"a, \"\"b\"\"\",1,0,2,4,\n"
              "line,line,0,1,,,\n"
              "line,line,2,,,,\n");
}

TEST(Charts, AreChosenInByOneRuleAndWriteTheirValues) {
    const QTemporaryDir folder;
    int plots = 0;
    for (const auto& [name, widget] : samples::charts()) {
        auto* const view = qobject_cast<PlotView*>(widget.get());
        if (view == nullptr) continue;
        ++plots;
        widget->resize(widget->sizeHint());
        widget->show();
        EXPECT_FALSE(view->accessibleName().isEmpty()) << name.toStdString();
        EXPECT_TRUE(view->write(folder.filePath(name + QStringLiteral(".csv"))));
        EXPECT_EQ(contentOf(folder.filePath(name + QStringLiteral(".csv"))).count('\n') > 1, !view->plot().isEmpty())
            << name.toStdString();
        // A chart that follows another state has no choice of its own.
        if (view->plot().choices.told || name.startsWith(QStringLiteral("solve"))) continue;
        expectOneChooser(*view, name.toStdString());
    }
    EXPECT_GE(plots, 16);
}

}  // namespace
}  // namespace warplens::gui
