// SPDX-License-Identifier: Apache-2.0
// What each task means, spelled out on small pictures; refusals; and whether the check finds what is wrong.
#include "gpu/core/error.hpp"
#include "gpu/families/product/factor.hpp"
#include "gpu/families/product/tests/product_case.hpp"

#include <gmock/gmock.h>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;
using product::Factor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<io::Grid> gridOf(const io::Shape& shape, const std::vector<double>& values,
                                 PixelType type = PixelType::f32) {
    auto grid = std::make_shared<io::Grid>(shape, type);
    std::size_t i = 0;
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x)
                for (int c = 0; c < shape.channels; ++c) grid->setValue(x, y, z, c, values.at(i++));
    return grid;
}

std::shared_ptr<const io::Grid> productOf(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values,
                                          const std::string& variant = "naive") {
    Request request = productRequest(input, values, "cpu");
    request.variants = {variant};
    Runner runner;
    const auto run = runner.run(request).runs.front();
    EXPECT_EQ(run.status, Status::ok) << describe(run);
    return run.result.picture;
}

std::vector<double> valuesOf(const io::Grid& grid) {
    std::vector<double> all;
    const io::Shape& s = grid.shape();
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x)
                for (int c = 0; c < s.channels; ++c) all.push_back(grid.value(x, y, z, c));
    return all;
}

//  1 2 3   times   1 0
//  4 5 6           0 1
//                  2 3
TEST(ProductTasks, RowsTimesColumns) {
    const auto input = gridOf({3, 2}, {1, 2, 3, 4, 5, 6}, PixelType::u8);
    const auto made = productOf(input, times(gridOf({2, 3}, {1, 0, 0, 1, 2, 3})));
    EXPECT_EQ(made->type(), PixelType::f32);
    EXPECT_EQ(made->shape(), (io::Shape{2, 2}));
    EXPECT_THAT(valuesOf(*made), ElementsAre(7, 11, 16, 23));
    // Without a factor: every row with every row.
    EXPECT_THAT(valuesOf(*productOf(input, {})), ElementsAre(14, 32, 32, 77));
}

TEST(ProductTasks, EachChannelAndSliceHasItsOwnFactorOrAllTheSame) {
    const auto input = gridOf({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6});
    EXPECT_THAT(valuesOf(*productOf(input, times(gridOf({1, 1}, {10})))), ElementsAre(10, 20, 30, 40, 50, 60));
    EXPECT_THAT(valuesOf(*productOf(input, times(gridOf({1, 1, 2, 3}, {1, 10, 100, 2, 20, 200})))),
                ElementsAre(1, 20, 300, 8, 100, 1200));
}

TEST(ProductTasks, CosinesAreOrthonormal) {
    for (const int n : {1, 2, 3, 8, 15, 64, 101}) {
        const Factor all = product::cosines(n, n);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j) {
                double dot = 0;
                for (int k = 0; k < n; ++k) dot += static_cast<double>(all.at(i, k)) * all.at(j, k);
                EXPECT_NEAR(dot, i == j ? 1 : 0, 1e-6) << n << ": " << i << " " << j;
            }
    }
}

// All frequencies give the picture back, one its mean; the rest lies between, closer the more there are.
TEST(ProductTasks, FrequenciesThatAreKeptMakeThePictureAgain) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const auto input = noise({37, 24, 1, 3}, type);
        const auto same = productOf(input, frequencies(100), "double_buffered");
        EXPECT_EQ(same->type(), type);
        EXPECT_EQ(valuesOf(*same), valuesOf(*input));
    }
    const auto input = noise({30, 40}, PixelType::f32);
    double sum = 0;
    for (const double v : valuesOf(*input)) sum += v;
    for (const double v : valuesOf(*productOf(input, frequencies(1)))) EXPECT_NEAR(v, sum / 1200, 1e-6);
    double last = 1e9;
    for (const int keep : {10, 30, 60, 90, 100}) {
        double off = 0;
        const auto made = valuesOf(*productOf(input, frequencies(keep))), was = valuesOf(*input);
        for (std::size_t i = 0; i < was.size(); ++i) off += (made[i] - was[i]) * (made[i] - was[i]);
        EXPECT_LT(off, last) << keep;
        last = off;
    }
    EXPECT_LT(last, 1e-9);
}

TEST(ProductTasks, ABankHasASliceAFilterAndZerosAround) {
    const auto input = gridOf({3, 2}, {1, 2, 3, 4, 5, 6}, PixelType::u8);
    const auto filters = gridOf({3, 3, 2}, {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2});
    for (const char* variant : {"naive", "im2col", "implicit"}) {
        const auto made = productOf(input, bank(filters), variant);
        EXPECT_EQ(made->shape(), (io::Shape{3, 2, 2}));
        EXPECT_THAT(valuesOf(*made), ElementsAre(1, 2, 3, 4, 5, 6, 2 + 10, 3 + 12, 0, 5, 6, 0)) << variant;
    }
    EXPECT_EQ(productOf(input, {{"task", std::string("bank")}})->shape(), (io::Shape{3, 2, 48}));
}

TEST(ProductTasks, ColoursBecomeSumsOfColours) {
    const auto input = gridOf({2, 1, 1, 4}, {10, 20, 30, 7, 200, 100, 50, 9}, PixelType::u8);
    const auto mixed = [&](const io::Shape& shape, const std::vector<double>& weights) {
        ParameterValues values = colours();
        values["with"] = named(gridOf(shape, weights));
        return valuesOf(*productOf(input, values, "whole_pixels"));
    };
    EXPECT_THAT(mixed({3, 3}, {0, 0, 1, 1, 0, 0, 0, 1, 0}), ElementsAre(30, 10, 20, 7, 50, 200, 100, 9));
    EXPECT_THAT(mixed({4, 3}, {2, 0, 0, 0, 0, 1, 0, -30, 0, 0, 0, 12.5}), ElementsAre(20, 0, 12, 7, 255, 70, 12, 9))
        << "saturated, and a half goes to the even number";
    // 3 x 3 of an NPY is read as three pixels of three channels where it has another axis.
    EXPECT_THAT(mixed({1, 3, 1, 3}, {0, 0, 1, 1, 0, 0, 0, 1, 0}), ElementsAre(30, 10, 20, 7, 50, 200, 100, 9));
}

TEST(ProductTasks, TheBankByDefaultSeesNothingInAFlatPictureAndItsFiltersDiffer) {
    const Factor all = product::edgesAndLines();
    ASSERT_EQ(all.rows, 48);
    ASSERT_EQ(all.columns, 225);
    for (int f = 0; f < all.rows; ++f) {
        double sum = 0, magnitude = 0;
        for (int k = 0; k < all.columns; ++k) {
            sum += all.at(f, k);
            magnitude += std::fabs(all.at(f, k));
        }
        EXPECT_NEAR(sum, 0, 1e-5) << f;
        EXPECT_NEAR(magnitude, 2, 1e-5) << f;
        for (int g = 0; g < f; ++g) {
            double off = 0;
            for (int k = 0; k < all.columns; ++k) off += std::fabs(all.at(f, k) - all.at(g, k));
            EXPECT_GT(off, 0.2) << f << " " << g;
        }
    }
}

TEST(ProductTasks, WhatDoesNotFitIsRefusedWithASentence) {
    const auto said = [](const io::Shape& shape, const ParameterValues& values) -> std::string {
        try {
            familyOf("product").pose(noise(shape, PixelType::f32), values);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_THAT(said({4, 5}, times(signedNoise({4, 5}, 1))), HasSubstr("has to be 4 high"));
    EXPECT_THAT(said({4, 5, 2}, times(signedNoise({4, 4, 3}, 1))), HasSubstr("one channel and slice for all"));
    EXPECT_THAT(said({4, 5}, bank(signedNoise({4, 5}, 1))), HasSubstr("slices of k x k weights"));
    EXPECT_THAT(said({4, 5}, bank(signedNoise({64, 64}, 1))), HasSubstr("k up to 63"));
    EXPECT_THAT(said({4, 5, 6}, bank(signedNoise({3, 3}, 1))), HasSubstr("take a slice"));
    EXPECT_THAT(said({4, 5}, colours()), HasSubstr("one channel"));
    ParameterValues wide = colours();
    wide["with"] = named(signedNoise({5, 3}, 1));
    EXPECT_THAT(said({4, 5, 1, 3}, wide), HasSubstr("3 rows of 4"));
    EXPECT_EQ(said({4, 5}, times(signedNoise({7, 4}, 1))), "");
}

TEST(ProductTasks, TheCheckFindsEveryValueThatIsWrong) {
    const std::vector<std::pair<ParameterValues, io::Shape>> cases{{times(signedNoise({12, 13}, 3)), {13, 9}},
                                                                   {frequencies(50), {16, 9}},
                                                                   {bank(signedNoise({3, 3, 2}, 3)), {13, 9}},
                                                                   {colours(), {5, 4, 1, 4}}};
    for (const auto& [parameters, shape] : cases) {
        const auto input = noise(shape, PixelType::f32);
        const auto problem = familyOf("product").pose(input, parameters);
        const Variant& naive = variantOf(familyOf("product"), "naive");
        const auto right = productOf(input, parameters);
        ASSERT_EQ(problem->verify({.picture = right, .tables = {}}, naive, {}).mismatches, 0);
        for (std::int64_t i = 0; i < right->shape().values(); ++i) {
            auto wrong = std::make_shared<io::Grid>(right->clone());
            wrong->as<float>()[i] += 0.001F;
            const auto found = problem->verify({.picture = wrong, .tables = {}}, naive, {});
            ASSERT_EQ(found.mismatches, 1) << i;
            ASSERT_FALSE(found.firstMismatch.empty());
        }
        EXPECT_THAT(problem->verify({.picture = noise({3, 3}, PixelType::f32), .tables = {}}, naive, {}).firstMismatch,
                    HasSubstr("extents"));
    }
}

// Rows and columns are picked so that no tile of a large product lies between them.
TEST(ProductTasks, TheCheckOfALargeProductMeetsEveryTile) {
    const auto input = noise({256, 2049}, PixelType::f32, 3), factor = noise({2050, 256}, PixelType::f32, 4);
    const auto problem = familyOf("product").pose(input, times(factor));
    const Variant& naive = variantOf(familyOf("product"), "naive");
    io::Grid zeros({2050, 2049}, PixelType::f32);
    std::fill(zeros.as<float>(), zeros.as<float>() + zeros.shape().values(), 0.0F);
    const auto all = problem->verify({.picture = std::make_shared<io::Grid>(zeros.clone()), .tables = {}}, naive, {});
    EXPECT_GT(all.checkedShare, 0.05);
    EXPECT_LT(all.checkedShare, 1);
    for (const auto& [x, y] : {std::pair{992, 1024}, {2048, 2048}, {1024, 32}}) {
        auto wrong = std::make_shared<io::Grid>(zeros.clone());
        for (std::int64_t row = y; row < std::min(y + 32, 2049); ++row)
            for (std::int64_t column = x; column < std::min(x + 32, 2050); ++column)
                wrong->as<float>()[wrong->index(column, row)] = 1e6F;
        EXPECT_GT(problem->verify({.picture = wrong, .tables = {}}, naive, {}).maxAbsError, 9e5) << x << " " << y;
    }
}

TEST(ProductTasks, TheCheckOfALargeProductKeepsTheBoundAtItsCorners) {
    constexpr std::int64_t kTerms = 256, kWidth = 2050, kHeight = 2049;
    const auto filled = [](const io::Shape& shape, float value) {
        auto grid = std::make_shared<io::Grid>(shape, PixelType::f32);
        std::fill(grid->as<float>(), grid->as<float>() + shape.values(), value);
        return grid;
    };
    const auto problem =
        familyOf("product").pose(filled({kTerms, kHeight}, 1.5F), times(filled({kWidth, kTerms}, -0.75F)));
    const Variant& naive = variantOf(familyOf("product"), "naive");
    const double exact = -1.125 * kTerms, bound = (kTerms + 1) * 0x1p-23 * -exact;
    const auto made = filled({kWidth, kHeight}, static_cast<float>(exact));
    for (const std::int64_t y : {std::int64_t{0}, kHeight - 1})
        for (const std::int64_t x : {std::int64_t{0}, kWidth - 1})
            for (const double bounds : {0.75, -0.75, 1.5, -1.5}) {
                made->setValue(x, y, 0, 0, exact + bounds * bound);
                const auto found = problem->verify({.picture = made, .tables = {}}, naive, {});
                EXPECT_LT(found.checkedShare, 1);
                EXPECT_EQ(found.mismatches, std::fabs(bounds) > 1 ? 1 : 0) << x << " " << y << ": " << bounds;
                made->setValue(x, y, 0, 0, exact);
            }
}

}  // namespace
}  // namespace warplens::gpu::testing
