// SPDX-License-Identifier: Apache-2.0
// Pictures of 32-bit integers: a colour for every label, the same however far away, and values to the last unit.
#include "gpu/render/pyramid.hpp"
#include "gui/compare/magnifier.hpp"
#include "gui/picture/pane_content.hpp"
#include "gui/picture/picture_layer.hpp"
#include "gui/picture/pixel_values.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/picture/render.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/picture/value_colours.hpp"
#include "gui/session/file_jobs.hpp"
#include "gui/volume/slice_render.hpp"
#include "tests/gui/views/volume_case.hpp"

#include <QAction>
#include <QMenu>
#include <QTest>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace warplens::gui {
namespace {

using gpu::render::labelColour;
using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u32, PixelType::i32};

/// Ragged regions of labels that no float tells apart, 0 and (as i32) -1 among them.
std::shared_ptr<io::Grid> regions(const io::Shape& shape, PixelType type) {
    return test::volumeOf(shape, type, [type](auto x, auto y, auto z) {
        const auto region = (x / 7 + 3 * (y / 5) + z) % 9;
        if (region == 0) return 0.0;
        if (region == 1 && type == PixelType::i32) return -1.0;
        return 16777216.0 + static_cast<double>(region);
    });
}

std::set<QRgb> coloursOf(const io::Grid& grid) {
    std::set<QRgb> colours;
    for (std::int64_t z = 0; z < grid.shape().depth; ++z)
        for (std::int64_t y = 0; y < grid.shape().height; ++y)
            for (std::int64_t x = 0; x < grid.shape().width; ++x)
                colours.insert(labelColour(static_cast<std::int64_t>(grid.value(x, y, z))));
    return colours;
}

std::set<QRgb> coloursIn(const QImage& image) {
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
    return colours;
}

bool within(const std::set<QRgb>& some, const std::set<QRgb>& all) { return std::ranges::includes(all, some); }

int distance(QRgb a, QRgb b) {
    return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
}

TEST(LabelColours, TellLabelsApart) {
    EXPECT_EQ(labelColour(0), 0xff000000U);
    EXPECT_EQ(labelColour(-1), 0xff303030U);
    std::set<QRgb> seen{labelColour(0), labelColour(-1)};
    for (std::int64_t label = 1; label <= 1000; ++label) {
        const QRgb colour = labelColour(label);
        EXPECT_GE(std::max({qRed(colour), qGreen(colour), qBlue(colour)}), 160) << label;
        EXPECT_GE(distance(colour, labelColour(label + 1)), 60) << label;
        seen.insert(colour);
    }
    EXPECT_GE(seen.size(), 1000U);
    EXPECT_EQ(qAlpha(labelColour(-2147483648LL)), 255);
    EXPECT_NE(labelColour(4294967295LL), labelColour(-1)) << "the last u32 is a label as any other";
    EXPECT_NE(labelColour(16777216), labelColour(16777217));
}

TEST(LabelColours, OfFloatsAreThoseOfTheNearestInteger) {
    using gpu::render::labelNear;
    EXPECT_EQ(labelNear(0.4F), 0);
    EXPECT_EQ(labelNear(-0.6F), -1);
    EXPECT_EQ(labelNear(2.5F), 3);
    for (const float whole : {8388607.0F, 8388609.0F, 16777215.0F, -8388609.0F, 4294967040.0F, -2147483648.0F})
        EXPECT_EQ(labelNear(whole), static_cast<std::int64_t>(whole));
    EXPECT_EQ(labelNear(1e30F), 4294967295LL);
    EXPECT_EQ(labelNear(-1e30F), -2147483648LL);
}

TEST(Labels, KeepTheirColoursHoweverFarAway) {
    for (const PixelType type : kTypes) {
        const auto grid = regions({611, 420, 1, 1}, type);
        const auto colours = coloursOf(*grid);
        EXPECT_EQ(colours.size(), 9U);
        const auto pyramid = gpu::render::makePyramid(*grid, 0);
        for (const gpu::render::Pyramid* levels : {static_cast<const gpu::render::Pyramid*>(nullptr), pyramid.get()})
            for (const double zoom : {0.05, 0.11, 0.3, 0.5, 0.77, 1.0, 3.4}) {
                RenderRequest request;
                request.size = {90, 70};
                request.centre = {300, 200};
                request.zoom = zoom;
                request.surround = labelColour(0);
                EXPECT_TRUE(within(coloursIn(render(*grid, levels, request)), colours)) << nameOf(type) << zoom;
            }
        EXPECT_TRUE(within(coloursIn(thumbnailOf(*grid, 60).convertToFormat(QImage::Format_RGB32)), colours));
    }
}

TEST(Labels, KeepTheirColoursInSlicesOfAVolume) {
    for (const PixelType type : kTypes) {
        const auto grid = regions({61, 50, 40, 1}, type);
        const auto colours = coloursOf(*grid);
        for (const SlicePlane plane : kSlicePlanes)
            for (const double scale : {0.2, 0.7, 1.0, 2.5}) {
                SliceRequest request;
                request.plane = plane;
                request.index = 11;
                request.size = {30, 30};
                request.centre = {20, 20};
                request.pixelsPerMm = scale;
                request.surround = labelColour(0);
                EXPECT_TRUE(within(coloursIn(renderSlice(*grid, request)), colours)) << nameOf(type) << scale;
            }
    }
}

TEST(Labels, NeedNoReducedLevels) {
    PictureLayer layer;
    layer.setPicture(regions({2000, 1500, 1, 1}, PixelType::u32));
    RenderRequest request;
    request.zoom = 0.1;
    EXPECT_TRUE(layer.ready(request));
    request.labelColours = false;
    EXPECT_FALSE(layer.ready(request)) << "in grey they are averaged";
}

TEST(Labels, OpenInTheirMapAndTheMenuSaysSo) {
    const auto grid = regions({9, 9, 1, 1}, PixelType::u32);
    EXPECT_EQ(mapFor(*grid, ColourMap::grey, true), ColourMap::labels);
    EXPECT_EQ(mapFor(*grid, ColourMap::grey, false), ColourMap::grey);
    EXPECT_EQ(mapFor(io::Grid({2, 2, 1, 1}, PixelType::u8), ColourMap::grey, true), ColourMap::grey);
    EXPECT_EQ(mapFor(io::Grid({2, 2, 1, 3}, PixelType::u32), ColourMap::grey, true), ColourMap::grey);

    ViewState state;
    EXPECT_TRUE(state.labelColours());
    ColourMapButton button(state);
    auto* const action = button.menu()->findChild<QAction*>(QStringLiteral("label-colours"));
    ASSERT_NE(action, nullptr);
    EXPECT_TRUE(action->isChecked());
    action->trigger();
    EXPECT_FALSE(state.labelColours());
    EXPECT_FALSE(action->isChecked());
}

TEST(Labels, TheButtonNamesTheMapThatIsSeenAndAnotherOneReplacesIt) {
    for (const PixelType type : kTypes) {
        ViewState state;
        ColourMapButton button(state);
        const auto choose = [&button](ColourMap map) {
            for (QAction* action : button.menu()->actions())
                if (action->text() == nameOf(map)) action->trigger();
        };
        const auto says = [&button](ColourMap map) {
            const auto& list = button.menu()->actions();
            return button.text() == nameOf(map) + QStringLiteral(" ▾") &&
                   button.accessibleName() == QStringLiteral("Colour map ") + nameOf(map) &&
                   std::ranges::all_of(kColourMaps, [&](ColourMap one) {
                       const auto at = std::ranges::find(list, nameOf(one), &QAction::text);
                       return (*at)->isChecked() == (one == map);
                   });
        };
        EXPECT_TRUE(says(ColourMap::grey));
        const auto grid = regions({9, 9, 1, 1}, type);
        button.setCurrent(grid.get());
        EXPECT_TRUE(says(ColourMap::labels)) << button.text().toStdString();
        for (const ColourMap map : kColourMaps) {
            choose(map);
            EXPECT_TRUE(says(map)) << button.text().toStdString();
            EXPECT_EQ(mapFor(*grid, state.colourMap(), state.labelColours()), map) << "what is seen is what was chosen";
        }
        // Pictures that are no labels have the map that was chosen, and change nothing about labels.
        state.setLabelColours(true);
        button.setCurrent(regions({9, 9, 1, 3}, type).get());
        choose(ColourMap::viridis);
        EXPECT_TRUE(says(ColourMap::viridis)) << button.text().toStdString();
        EXPECT_TRUE(state.labelColours());
    }
}

TEST(Labels, TheMapOfLabelsIsForOtherMasksToo) {
    const auto mask =
        test::volumeOf({600, 8, 1, 1}, PixelType::u8, [](auto x, auto, auto) { return static_cast<double>(x / 100); });
    RenderRequest request;
    request.size = {60, 1};
    request.centre = {300, 4};
    request.zoom = 0.1;
    request.map = ColourMap::labels;
    const QImage image = render(*mask, gpu::render::makePyramid(*mask, 0).get(), request);
    for (int x = 0; x < 60; ++x) EXPECT_EQ(image.pixel(x, 0), labelColour(x / 10));
}

TEST(Labels, InGreyByRangeAreAveraged) {
    const auto sums = test::volumeOf({1024, 1024, 1, 1}, PixelType::u32,
                                     [](auto x, auto y, auto) { return (x + y) % 2 ? 4294967295.0 : 4294967285.0; });
    EXPECT_EQ(gpu::render::halved(*sums, 0).value(3, 3), 4294967290.0);
    const auto steps = test::volumeOf({2, 2, 1, 1}, PixelType::i32, [](auto x, auto, auto) { return x ? -4.0 : -3.0; });
    EXPECT_EQ(gpu::render::halved(*steps, 0).value(0, 0), -3);
    RenderRequest request;
    request.size = {8, 8};
    request.centre = {512, 512};
    request.zoom = 0.1;
    request.range = {0, 8589934592.0};
    request.labelColours = false;
    const QImage image = render(*sums, gpu::render::makePyramid(*sums, 0).get(), request);
    EXPECT_EQ(image.pixel(4, 4), 0xff808080);
}

TEST(Labels, AreReadToTheLastUnit) {
    io::Grid grid({5, 1, 1, 1}, PixelType::i32);
    const double values[] = {0, -1, 16777217, 2147483647, -2147483648.0};
    for (int x = 0; x < 5; ++x) grid.setValue(x, 0, 0, 0, values[x]);
    EXPECT_EQ(pixelText(grid, 2, 0), QStringLiteral("16,777,217"));
    EXPECT_EQ(pixelText(grid, 3, 0), QStringLiteral("2,147,483,647"));
    EXPECT_TRUE(pixelText(grid, 4, 0).endsWith(QStringLiteral("2,147,483,648")));
    io::Grid last({1, 1, 1, 1}, PixelType::u32);
    last.setValue(0, 0, 0, 0, 4294967295.0);
    EXPECT_EQ(pixelText(last, 0, 0), QStringLiteral("4,294,967,295"));
    EXPECT_EQ(fittingValue(4294967295.0, true, 1000, QFontMetricsF(QFont())), QStringLiteral("4294967295"));

    ViewState state;
    state.setPictureSize({5, 1});
    state.setCursor(QPoint(2, 0));
    Magnifier magnifier;
    magnifier.setViewState(&state);
    PaneContent pane;
    pane.picture = std::make_shared<const io::Grid>(grid.clone());
    magnifier.setPane(pane);
    EXPECT_EQ(magnifier.lines()[1], QStringLiteral("stored 16,777,217 (i32)"));
    const QColor colour = QColor::fromRgb(labelColour(16777217));
    EXPECT_EQ(magnifier.lines()[2],
              QStringLiteral("shown R %1 G %2 B %3").arg(colour.red()).arg(colour.green()).arg(colour.blue()));
    EXPECT_EQ(magnifier.lines()[4], QStringLiteral("colours labels"));
    magnifier.grab();
}

TEST(Labels, StatisticsAndHistogramAreExact) {
    for (const PixelType type : kTypes) {
        const double low = type == PixelType::u32 ? 0 : -2147483648.0;
        // 2,000 values of which no two neighbours are two floats, and one far off at each end.
        const auto grid = test::volumeOf({50, 40, 1, 1}, type, [low](auto x, auto y, auto) {
            const auto i = (x + 50 * y) * 7 % 2000;
            return i == 0 ? low : i == 1999 ? low + 4294967295.0 : 1073741824.0 + static_cast<double>(i);
        });
        const PictureStatistics s = statisticsOf(*grid);
        EXPECT_EQ(s.minimum, low);
        EXPECT_EQ(s.maximum, low + 4294967295.0);
        EXPECT_EQ(s.low, 1073741825.0);
        EXPECT_EQ(s.high, 1073743821.0);
        EXPECT_EQ(s.finite, 2000);
        EXPECT_EQ(defaultRange(type, s), (DisplayRange{1073741825.0, 1073743821.0}));
        const ValueHistogram histogram = valueHistogram(*grid, 16);
        EXPECT_EQ(histogram.low, low);
        EXPECT_EQ(histogram.high, low + 4294967295.0);
        EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::int64_t{0}), 2000);
    }
}

TEST(Labels, OpenWithTheRangeOfTheirValues) {
    ViewState state;
    RangeBar bar;
    bar.setViewState(&state);
    bar.setInput(test::volumeOf({100, 100, 1, 1}, PixelType::u32,
                                [](auto x, auto y, auto) { return static_cast<double>(x + 100 * y); }));
    EXPECT_TRUE(QTest::qWaitFor([&] { return state.range() == DisplayRange{9, 9989}; }));
}

}  // namespace
}  // namespace warplens::gui
