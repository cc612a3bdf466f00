// SPDX-License-Identifier: Apache-2.0
// The double reference that checks compare with, and where results differ from it.
#include "gpu/run/reference.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/families/convolution/named_filters.hpp"
#include "gpu/report/region_errors.hpp"
#include "gpu/run/difference.hpp"
#include "gpu/run/slabs.hpp"
#include "io/generate.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace warplens::gpu {
namespace {

struct Made {
    Request request;
    RunRecord record;
};

Made run(Runner& runner, const std::string& input, const std::string& family, ParameterValues values,
         const std::string& variant) {
    Made made;
    made.request.input = std::make_shared<const io::Grid>(io::generate(input));
    made.request.family = family;
    made.request.parameters = std::move(values);
    made.request.variants = {variant};
    made.request.device = "cpu";
    made.request.timing = TimingPolicy::once();
    made.record = runner.run(made.request).runs.front();
    EXPECT_EQ(made.record.status, Status::ok) << made.record.reason;
    return made;
}

/// A mean of 3 x 3 with zeros outside, added up here.
double boxMean(const io::Grid& input, std::int64_t x, std::int64_t y) {
    double sum = 0;
    for (std::int64_t dy = -1; dy <= 1; ++dy)
        for (std::int64_t dx = -1; dx <= 1; ++dx) {
            const io::Shape& s = input.shape();
            if (x + dx >= 0 && y + dy >= 0 && x + dx < s.width && y + dy < s.height)
                sum += input.value(x + dx, y + dy) * static_cast<double>(1.0F / 9);
        }
    return sum;
}

TEST(DoubleReference, IsTheUnroundedDefinitionAtEveryValue) {
    Runner runner;
    for (const char* input : {"gen:noise:40x30:f32", "gen:noise:40x30:u8"}) {
        const Made made = run(
            runner, input, "convolution",
            {{"filter", std::string("box")}, {"radius", std::int64_t{1}}, {"border", std::string("zero")}}, "constant");
        const DoubleReference reference = doubleReference(runner, made.request, made.record);
        EXPECT_EQ(reference.knownShare(), 1);
        const io::Grid& in = *made.request.input;
        double furthest = 0;
        for (std::int64_t y = 0; y < 30; ++y)
            for (std::int64_t x = 0; x < 40; ++x) {
                ASSERT_NEAR(*reference.value(x, y), boxMean(in, x, y), 1e-13 * 255) << input << ' ' << x << ' ' << y;
                furthest =
                    std::max(furthest, std::abs(*reference.value(x, y) - made.record.result.picture->value(x, y)));
            }
        EXPECT_GT(furthest, 0) << "it is not the result";
        EXPECT_LE(furthest, in.type() == io::PixelType::u8 ? 0.5 : 1e-6);
    }
}

TEST(DoubleReference, IsKnownWhereTheCheckLooks) {
    Runner runner;
    const Made made = run(runner, "gen:noise:900x700:u8", "convolution", {{"radius", std::int64_t{8}}}, "separable");
    const DoubleReference reference = doubleReference(runner, made.request, made.record);
    ASSERT_LT(made.record.verification->checkedShare, 1) << "a sampled check is meant";
    EXPECT_DOUBLE_EQ(reference.knownShare(), made.record.verification->checkedShare);
    const auto picture = reference.picture();
    std::int64_t known = 0;
    for (std::int64_t i = 0; i < 900 * 700; ++i) known += !std::isnan(picture.as<float>()[i]);
    const Difference d = differenceOf(*made.record.result.picture, reference, Metric::absolute, Region::all, {});
    EXPECT_EQ(d.figures[0].pixels, known);
    EXPECT_DOUBLE_EQ(d.figures[0].maximum, made.record.verification->maxAbsError);
}

/// Families whose checks differ: exact ones, bounds, labels, sums.
TEST(DoubleReference, OfEveryFamilyThatMakesPicturesLeavesNoMoreThanItsCheckFinds) {
    Runner runner;
    int asked = 0;
    for (const Family* family : families()) {
        if (!family->info().makesPicture && !family->info().makesOtherPicture) continue;
        const Variant& variant = family->variants().front();
        Made made;
        made.request.input = std::make_shared<const io::Grid>(io::generate("gen:noise:24x20:u8"));
        made.request.family = family->id();
        made.request.variants = {variant.id};
        made.request.device = "cpu";
        made.request.timing = TimingPolicy::once();
        made.record = runner.run(made.request).runs.front();
        if (made.record.status != Status::ok || made.record.result.picture == nullptr) continue;
        const DoubleReference reference = doubleReference(runner, made.request, made.record);
        EXPECT_NEAR(reference.knownShare(), made.record.verification->checkedShare, 1e-9) << family->id();
        const Difference d = differenceOf(*made.record.result.picture, reference, Metric::absolute, Region::all, {});
        // An exact check says nothing of a largest error.
        const double bound = made.record.verification->maxAbsError;
        EXPECT_LE(d.figures[0].maximum, std::max(bound, 1e-6 * std::abs(d.peak))) << family->id();
        ++asked;
    }
    EXPECT_GE(asked, 6);
}

TEST(ErrorsInUlp, AreFractionsOfTheStepAtTheExactValue) {
    EXPECT_EQ(ulpAt(1.0), std::ldexp(1, -23));
    EXPECT_EQ(ulpAt(-1.5), std::ldexp(1, -23));
    EXPECT_EQ(ulpAt(0.75), std::ldexp(1, -24));
    EXPECT_EQ(ulpAt(0), std::ldexp(1, -149));
    EXPECT_EQ(ulpAt(1e-40), std::ldexp(1, -149));
    for (const float value : {1.0F, 3.7F, 1e-3F, 255.0F})
        EXPECT_EQ(ulpAt(value), static_cast<double>(std::nextafter(value, 1e30F)) - static_cast<double>(value));
    io::Grid got({3, 1, 1, 1}, io::PixelType::f32), levels({3, 1, 1, 1}, io::PixelType::u8);
    DoubleReference exact(got.shape(), got.type()), unrounded(levels.shape(), levels.type());
    const double truth[] = {1 + std::ldexp(0.25, -23), 2, 4};
    for (std::int64_t x = 0; x < 3; ++x) exact.set({x, 0, 0}, 0, truth[x]);
    got.setValue(0, 0, 0, 0, 1);                           // the nearest float
    got.setValue(1, 0, 0, 0, 2 + 3 * std::ldexp(1, -22));  // three steps above
    got.setValue(2, 0, 0, 0, 4);
    const Difference d = differenceOf(got, exact, Metric::ulp, Region::all, {});
    EXPECT_FLOAT_EQ(d.picture->as<float>()[0], -0.25F);
    EXPECT_FLOAT_EQ(d.picture->as<float>()[1], 3);
    EXPECT_EQ(d.picture->as<float>()[2], 0);
    EXPECT_EQ(d.figures[0].mismatching, 1) << "the first is rounded as it should be";
    EXPECT_EQ(d.figures[0].worst, (PixelPlace{1, 0, 0}));
    EXPECT_DOUBLE_EQ(d.figures[0].mean, 3.25 / 3);
    levels.setValue(0, 0, 0, 0, 7);
    levels.setValue(1, 0, 0, 0, 9);
    levels.setValue(2, 0, 0, 0, 77);  // nothing is known here
    unrounded.set({0, 0, 0}, 0, 6.6);
    unrounded.set({1, 0, 0}, 0, 8.25);
    const Difference steps = differenceOf(levels, unrounded, Metric::ulp, Region::all, {});
    EXPECT_FLOAT_EQ(steps.picture->as<float>()[0], 0.4F);
    EXPECT_EQ(steps.figures[0].pixels, 2);
    EXPECT_EQ(steps.figures[0].mismatching, 1) << "9 is not nearest to 8.25";
    EXPECT_DOUBLE_EQ(steps.figures[0].maximum, 0.75);
}

TEST(ErrorsInUlp, SingleOutBorderSeamsInsideAndSlabs) {
    // 12 x 10 x 4, halo 1, tiles 4 x 5, slabs of 2 slices: one error each, of different sizes.
    const io::Shape shape{12, 10, 4, 1};
    io::Grid got(shape, io::PixelType::u8);
    DoubleReference exact(shape, io::PixelType::u8);
    for (std::int64_t z = 0; z < 4; ++z)
        for (std::int64_t y = 0; y < 10; ++y)
            for (std::int64_t x = 0; x < 12; ++x) {
                got.setValue(x, y, z, 0, 50);
                exact.set({x, y, z}, 0, 50);
            }
    got.setValue(0, 6, 0, 0, 53);  // border
    got.setValue(7, 2, 0, 0, 55);  // seam between x 7 and 8
    got.setValue(5, 2, 0, 0, 52);  // inside, in a slice where no slabs meet
    got.setValue(5, 2, 1, 0, 59);  // the last slice of the first slab
    RunRecord run;
    run.footprint = Footprint{.tileWidth = 4, .tileHeight = 5, .haloX = 1, .haloY = 1};
    const SlabPlan plan{.depth = 4, .slices = 2, .halo = 1, .bytes = 1000};
    SlabPlan rows = plan;
    rows.axis = 1;
    run.slabs = rows.map("cpu");
    EXPECT_EQ(regionsOf(run).slabSlices, 0) << "no seams along z";
    run.slabs = plan.map("cpu");
    EXPECT_EQ(regionsOf(run).slabSlices, 2);
    const Difference d = differenceOf(got, exact, Metric::ulp, Region::all, regionsOf(run));
    const std::pair<Region, std::pair<double, PixelPlace>> expected[] = {{Region::all, {9, {5, 2, 1}}},
                                                                         {Region::border, {3, {0, 6, 0}}},
                                                                         {Region::seams, {5, {7, 2, 0}}},
                                                                         {Region::inside, {2, {5, 2, 0}}},
                                                                         {Region::slabs, {9, {5, 2, 1}}}};
    for (const auto& [region, most] : expected) {
        const DifferenceFigures& figures = d.figures[static_cast<std::size_t>(region)];
        EXPECT_EQ(figures.maximum, most.first) << regionName(region);
        EXPECT_EQ(figures.worst, most.second) << regionName(region);
    }
}

}  // namespace
}  // namespace warplens::gpu
