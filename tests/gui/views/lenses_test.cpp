// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"
#include "gpu/families/convolution/filter.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/lenses/convolution/filter_facts.hpp"
#include "gui/lenses/convolution/filter_matrix_view.hpp"
#include "gui/lenses/scan/window_reads.hpp"
#include "gui/picture/render.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/lens.hpp"
#include "gui/session/pane_contents.hpp"

#include <QLineEdit>
#include <QSpinBox>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>

namespace warplens::gui {
namespace {

TEST(FilterFacts, OfAVolumeHaveEverySlice) {
    const gpu::ParameterValues values{
        {"filter", std::string("laplacian")}, {"radius", std::int64_t{1}}, {"dimensions", std::string("3")}};
    const auto facts = filterFacts(values);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->depth, 3);
    const auto whole = gpu::convolution::makeFilter(values);
    EXPECT_EQ(facts->weights, whole.weights);
    for (int z = 0; z < 3; ++z)
        EXPECT_EQ(facts->slice(z),
                  std::vector<float>(whole.weights.begin() + 9 * z, whole.weights.begin() + 9 * z + 9));
    EXPECT_NE(facts->slice(0), facts->slice(1));
    EXPECT_FALSE(facts->separable);
}

TEST(FilterMatrixView, SmallWeightsBesideALargeOneAreSeen) {
    const auto facts = filterFacts({{"filter", std::string("unsharp")}, {"radius", std::int64_t{4}}});
    ASSERT_TRUE(facts);
    FilterMatrixView view;
    view.setMatrix(facts->width, facts->height, facts->weights);
    view.resize(view.sizeHint());
    const QImage image = view.grab().toImage();
    const auto lightness = [&](int column, int row) {
        return image.pixelColor(image.width() * (2 * column + 1) / 18, image.height() * (2 * row + 1) / 18).lightness();
    };
    EXPECT_GE(std::abs(lightness(4, 3) - lightness(0, 0)), 12) << "a neighbour of the centre, and a corner";
}

TEST(ResultKind, OfValuesThatAreNotThePicturesHasItsNameAndColours) {
    const auto kindOf = [](const char* family, const gpu::ParameterValues& values) {
        return resultKindOf(gpu::familyOf(family), values);
    };
    const auto text = [](const char* value) { return std::string(value); };
    EXPECT_EQ(kindOf("flood", {}), (ResultKind{"steps", ColourMap::viridis, true}));
    EXPECT_EQ(kindOf("distance", {}), (ResultKind{"distance, px", ColourMap::viridis, true}));
    EXPECT_EQ(kindOf("distance", {{"spacing", text("mm")}})->values, "distance, mm");
    EXPECT_EQ(kindOf("distance", {{"squared", true}})->values, "squared distance, px²");
    EXPECT_EQ(kindOf("distance", {{"squared", true}, {"spacing", text("mm")}})->values, "squared distance, mm²");
    for (const char* task : {"sums", "integral"}) EXPECT_EQ(kindOf("scan", {{"task", text(task)}})->values, "sums");
    EXPECT_FALSE(kindOf("scan", {{"task", text("box")}}));
    EXPECT_EQ(kindOf("reduction", {{"along", text("z")}, {"keep", text("sum")}})->values, "sums");
    EXPECT_FALSE(kindOf("reduction", {{"along", text("z")}}));
    EXPECT_EQ(kindOf("sparse", {})->map, ColourMap::diverging);
    EXPECT_EQ(kindOf("product", {})->values, "sums of products");
    EXPECT_EQ(kindOf("product", {{"task", text("bank")}})->map, ColourMap::diverging);
    EXPECT_FALSE(kindOf("product", {{"task", text("dct")}}));
    EXPECT_FALSE(kindOf("sparse", {{"task", text("inpaint")}}));
    for (const gpu::Family* family : gpu::families()) {
        const auto kind = resultKindOf(*family, {});
        EXPECT_TRUE(!kind || !kind->values.isEmpty()) << family->id() << ": no legend without words";
    }
}

TEST(ResultKind, RangesFitAndWhatIsNoValueIsBlank) {
    io::Grid steps(io::Shape{8, 4, 1, 1}, io::PixelType::i32);
    for (int i = 0; i < 32; ++i) steps.setValue(i % 8, i / 8, 0, 0, i < 16 ? -1 : i);
    const OwnDisplay shown = ownDisplayOf(*resultKindOf(gpu::familyOf("flood"), {}), steps);
    EXPECT_EQ(shown.range, (DisplayRange{0, 31}));
    const RenderRequest request{.size = {8, 4},
                                .centre = {4, 2},
                                .zoom = 1,
                                .slice = 0,
                                .range = shown.range,
                                .map = shown.map,
                                .labelColours = false,
                                .outside = shown.blankBelow ? Outside::blank : Outside::clamped,
                                .surround = 0xff123456};
    const QImage image = render(steps, nullptr, request);
    EXPECT_EQ(image.pixel(0, 0), 0xff123456U) << "outside is no step";
    EXPECT_EQ(image.pixel(7, 3), mapped(31, shown.range, shown.map, 0));

    io::Grid differences(io::Shape{64, 64, 1, 1}, io::PixelType::f32);
    for (int i = 0; i < 64 * 64; ++i) differences.setValue(i % 64, i / 64, 0, 0, i == 9 ? 9000 : i % 31 - 20);
    const OwnDisplay about = ownDisplayOf(*resultKindOf(gpu::familyOf("sparse"), {}), differences);
    EXPECT_EQ(about.map, ColourMap::diverging);
    EXPECT_EQ(about.range, (DisplayRange{-20, 20})) << "about zero, and few values far off do not count";
}

/// Sums of everything above and left of a pixel, itself included.
io::Grid integralOf(const io::Grid& picture, io::PixelType type) {
    io::Grid sums(picture.shape(), type);
    const io::Shape& s = picture.shape();
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y) {
            double row = 0;
            for (std::int64_t x = 0; x < s.width; ++x) {
                row += picture.value(x, y, z);
                const double all = row + (y > 0 ? sums.value(x, y - 1, z) : 0);
                sums.setValue(x, y, z, 0, type == io::PixelType::u32 ? std::fmod(all, 4294967296.0) : all);
            }
        }
    return sums;
}

TEST(WindowReads, FourValuesGiveTheSumOfAnyBox) {
    for (const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
        io::Grid picture(io::Shape{9, 7, 2, 1}, type);
        for (std::int64_t z = 0; z < 2; ++z)
            for (std::int64_t y = 0; y < 7; ++y)
                for (std::int64_t x = 0; x < 9; ++x)
                    picture.setValue(x, y, z, 0, static_cast<double>((31 * x + 17 * y + 101 * z) % 255));
        const auto sums = integralOf(picture, type == io::PixelType::f32 ? type : io::PixelType::u32);
        for (const int radius : {1, 2, 20})
            for (int y = 0; y < 7; ++y)
                for (int x = 0; x < 9; ++x) {
                    const BoxReads reads = windowReads(picture.shape(), &sums, 255, {x, y}, 1, radius);
                    double expected = 0, found = 0;
                    for (int v = std::max(0, y - radius); v <= std::min(6, y + radius); ++v)
                        for (int u = std::max(0, x - radius); u <= std::min(8, x + radius); ++u)
                            expected += picture.value(u, v, 1);
                    for (const BoxReads::Corner& corner : reads.corners) {
                        const bool added = corner.name == "A" || corner.name == "D";
                        found += (added ? 1 : -1) * sums.value(corner.at.x(), corner.at.y(), 1);
                    }
                    EXPECT_EQ(found, expected) << x << ", " << y << ", radius " << radius;
                    EXPECT_TRUE(reads.text.contains("= " + format::value(expected) + ", mean"))
                        << reads.text.toStdString();
                }
    }
}

TEST(WindowReads, SayWhatIsReadAndWhenASumWrapsAround) {
    io::Grid sums(io::Shape{600, 600, 1, 1}, io::PixelType::u32);
    sums.setValue(2, 3, 0, 0, 40);
    sums.setValue(2, 0, 0, 0, 10);
    EXPECT_EQ(windowReads(sums.shape(), &sums, 255, {1, 2}, 0, 1).text.toStdString(),
              "3 × 3: D 40 − B 10 = 30, mean 3.33");
    EXPECT_EQ(windowReads(sums.shape(), nullptr, 255, {9, 9}, 0, 1).text.toStdString(),
              "3 × 3 pixels by 4 reads of their integral: D − B − C + A");
    sums.setValue(10, 10, 0, 0, 5);
    sums.setValue(10, 7, 0, 0, 4294967290.0);
    EXPECT_TRUE(windowReads(sums.shape(), &sums, 255, {9, 9}, 0, 1).text.contains("= 11, mean")) << "modulo 2^32";
    EXPECT_TRUE(windowReads(sums.shape(), &sums, 65535, {300, 300}, 0, 200).text.endsWith("modulo 2^32"));
    EXPECT_TRUE(windowReads(sums.shape(), &sums, 255, {300, 300}, 0, 200).text.contains("mean"));
}

/// The panel on a filter.
class FilterPanelTest : public testing::Test {
protected:
    FilterPanelTest() {
        session.request().setFamily(gpu::familyOf("convolution"));
        panel.show();
    }
    void set(const std::string& id, const std::string& value) {
        QString why;
        ASSERT_TRUE(state.set(id, value, &why)) << why.toStdString();
    }
    QString shown(int slice) {
        slices()->setValue(slice);
        return matrix->text();
    }
    QSpinBox* slices() { return panel.findChild<QSpinBox*>(QStringLiteral("filter-slice")); }

    CompareSession session;
    ParameterState& state = session.parameters();
    const std::unique_ptr<QWidget> owned{
        lensOf(gpu::familyOf("convolution")).formParts(session.request(), {}, nullptr).front().widget};
    QWidget& panel = *owned;
    FilterMatrixView* matrix = panel.findChild<FilterMatrixView*>();
};

TEST_F(FilterPanelTest, ShowsAVolumesFilterSliceBySlice) {
    EXPECT_FALSE(slices()->isVisible()) << "in two dimensions there is one";
    set("dimensions", "3");
    set("filter", "laplacian");
    ASSERT_TRUE(slices()->isVisible());
    EXPECT_EQ(slices()->value(), slices()->maximum() / 2 + 1) << "the middle one first";
    const auto facts = filterFacts(state.values());
    ASSERT_EQ(slices()->maximum(), facts->depth);
    for (int z = 0; z < facts->depth; ++z) EXPECT_EQ(shown(z + 1), matrixText(facts->width, facts->slice(z))) << z;
    set("dimensions", "2");
    EXPECT_FALSE(slices()->isVisible());
    EXPECT_EQ(matrix->text(), matrixText(filterFacts(state.values())->width, filterFacts(state.values())->weights));
}

TEST_F(FilterPanelTest, ChangesTheSliceThatIsShownAndNoOther) {
    set("dimensions", "3");
    set("matrix", "1,2,3;4,5,6;7,8,9;;1,0,0;0,1,0;0,0,1;;9,8,7;6,5,4;3,2,1");
    set("filter", "custom");
    EXPECT_EQ(shown(3), "9,8,7;6,5,4;3,2,1");
    ASSERT_TRUE(matrix->editable());
    matrix->setCurrentCell({2, 0});
    matrix->edit(QStringLiteral("-7"));
    QTest::keyClick(matrix->findChild<QLineEdit*>(), Qt::Key_Return);
    EXPECT_EQ(slices()->value(), 3) << "it stays on the slice";
    EXPECT_EQ(matrix->text(), "9,8,-7;6,5,4;3,2,1");
    EXPECT_EQ(gpu::format(state.value("matrix")), "1,2,3;4,5,6;7,8,9;;1,0,0;0,1,0;0,0,1;;9,8,-7;6,5,4;3,2,1");
}

TEST(FilterFacts, SayWhatAFilterIs) {
    const auto gaussian = filterFacts({});
    ASSERT_TRUE(gaussian.has_value());
    EXPECT_EQ(gaussian->width, 5);
    EXPECT_NEAR(gaussian->sum, 1, 1e-6);
    EXPECT_TRUE(gaussian->separable);
    QString why;
    EXPECT_FALSE(filterFacts({{"filter", std::string("custom")}, {"matrix", std::string("1 2; 3")}}, &why).has_value());
    EXPECT_FALSE(why.isEmpty());
}

}  // namespace
}  // namespace warplens::gui
