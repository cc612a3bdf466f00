// SPDX-License-Identifier: Apache-2.0
// Edges, ranges, regions, masks and luminance: what is counted, and what is refused and why.
#include "gpu/core/counts.hpp"
#include "gpu/core/error.hpp"
#include "gpu/families/histogram/edges.hpp"
#include "gpu/families/histogram/problem.hpp"
#include "gpu/families/histogram/tests/histogram_case.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace warplens::gpu::testing {
namespace {

using histogram::HistogramProblem;
using io::PixelType;

std::shared_ptr<const BinnedCounts> countOf(const std::shared_ptr<const io::Grid>& input,
                                            const ParameterValues& parameters) {
    Runner runner;
    auto request = histogramRequest(input, parameters, "cpu");
    request.variants = {"naive"};
    const auto run = runner.run(request).runs.front();
    EXPECT_EQ(run.status, Status::ok) << run.reason;
    return countsOf(run.result.tables);
}

std::string refusalOf(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters) {
    try {
        const HistogramProblem problem(input, parameters);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::argument);
        return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

std::string text(const char* t) { return t; }

TEST(HistogramEdges, FollowTheFormula) {
    const auto edges = histogram::edgesOf({-1, 2}, 6);
    ASSERT_EQ(edges.values.size(), 7U);
    for (int k = 0; k <= 6; ++k) EXPECT_EQ(edges.values[static_cast<std::size_t>(k)], -1 + k * 3.0 / 6);
    const auto partial = histogram::edgesOfWidth({97, 123}, 4);
    EXPECT_EQ(partial.values, (std::vector<double>{97, 101, 105, 109, 113, 117, 121, 123}));
    EXPECT_FALSE(partial.equal);
    // Ten tenths are one, whatever their sum in double.
    EXPECT_EQ(histogram::edgesOfWidth({0, 1}, 0.1).bins(), 10);
    EXPECT_EQ(histogram::edgesOfWidth({0, 0.7}, 0.1).bins(), 7);
    EXPECT_TRUE(histogram::edgesOfWidth({0, 0.7}, 0.1).equal);
    EXPECT_EQ(histogram::edgesOfWidth({0, 1}, 5).values, (std::vector<double>{0, 1}));
}

TEST(HistogramEdges, ThresholdsSplitFloatsAsTheEdgesDo) {
    const auto edges = histogram::edgesOf({0.1, 0.7}, 1000);
    const auto split = histogram::thresholds(edges);
    for (std::size_t k = 0; k < split.size(); ++k) {
        EXPECT_GE(static_cast<double>(split[k]), edges.values[k]);
        EXPECT_LT(static_cast<double>(std::nextafter(split[k], -1.0F)), edges.values[k]);
    }
    const auto wide = histogram::thresholds(histogram::edgesOf({-1e300, 1e300}, 1));
    EXPECT_EQ(wide.front(), std::numeric_limits<float>::lowest());
    EXPECT_EQ(wide.back(), std::numeric_limits<float>::infinity());
}

TEST(HistogramEdges, AShiftStandsForTheTableOnlyWhereItSaysTheSame) {
    const auto shift = [](double hi, int n, PixelType type) {
        return histogram::shiftOf(histogram::lookUpTable(histogram::edgesOf({0, hi}, n), type));
    };
    EXPECT_EQ(shift(256, 256, PixelType::u8), 0);
    EXPECT_EQ(shift(65536, 256, PixelType::u16), 8);
    EXPECT_EQ(shift(65536, 1, PixelType::u16), 16);
    EXPECT_EQ(shift(65536, 255, PixelType::u16), -1);
    EXPECT_EQ(shift(255, 255, PixelType::u8), -1) << "255 lies above, which is slot 256";
}

TEST(HistogramRange, DefaultsFollowTheType) {
    const auto ends = [](const std::shared_ptr<const io::Grid>& input) {
        const HistogramProblem problem(input, {});
        return std::pair(problem.edges().lo(), problem.edges().hi());
    };
    EXPECT_EQ(ends(inputOf("uniform", {5, 5}, PixelType::u8)), std::pair(0.0, 256.0));
    EXPECT_EQ(ends(inputOf("uniform", {5, 5}, PixelType::u16)), std::pair(0.0, 65536.0));
    auto i16 = inputOf("uniform", {5, 5}, PixelType::f32);
    i16->metadata.sourceType = "i16";
    EXPECT_EQ(ends(i16), std::pair(-32768.0, 32768.0));
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(ends(rowOf({3, -2.5F, std::nanf(""), kInfinity, -kInfinity})),
              std::pair(-2.5, static_cast<double>(std::nextafter(3.0F, 4.0F))));
    EXPECT_EQ(ends(rowOf({0.25F, 0.25F})), std::pair(-0.25, 0.75));
    EXPECT_EQ(ends(rowOf({1e30F})),
              std::pair(static_cast<double>(1e30F), static_cast<double>(std::nextafter(1e30F, kInfinity))));
    EXPECT_EQ(ends(rowOf({std::numeric_limits<float>::max(), 0})), std::pair(0.0, 0x1p128));
    EXPECT_EQ(ends(rowOf({std::nanf("")})), std::pair(0.0, 1.0));
    EXPECT_EQ(ends(rowOf({})), std::pair(0.0, 1.0));
}

TEST(HistogramRange, WhatCannotBeCountedIsRefusedWithTheReason) {
    const auto input = inputOf("uniform", {8, 8}, PixelType::u8);
    const auto says = [&](const ParameterValues& parameters, const char* part) {
        const auto why = refusalOf(input, parameters);
        EXPECT_NE(why.find(part), std::string::npos) << why;
    };
    says({{"range", text("5,5")}}, "empty");
    says({{"range", text("9,5")}}, "reversed");
    says({{"range", text("nan,5")}}, "not a finite number");
    says({{"range", text("0,inf")}}, "not a finite number");
    says({{"range", text("0 256")}}, "comma");
    says({{"range", text("a,b")}}, "not two numbers");
    says({{"range", text("1,2,3")}}, "not two numbers");
    says({{"range", text("-1e308,1e308")}}, "too wide");
    says({{"bins", std::int64_t{0}}}, "bins");
    says({{"bins", std::int64_t{65537}}}, "bins");
    says({{"bins", std::int64_t{10}}, {"bin-width", 2.0}}, "both given");
    says({{"bin-width", 1e-4}}, "more than 65,536 bins");
    says({{"bin-width", -1.0}}, "bin-width");
    says({{"region", text("0,0,9,1")}}, "leaves the picture");
    says({{"region", text("-1,0,2,1")}}, "leaves the picture");
    says({{"region", text("0,0,9223372036854775807,1")}}, "leaves the picture");
    says({{"region", text("0,0,0,1")}}, "empty");
    says({{"region", text("0,0,1")}}, "X,Y,W,H");
    says({{"region", text("0,0,1,1,1,1,1")}}, "X,Y,W,H");
    says({{"region", text("0,0,1,x")}}, "X,Y,W,H");
    says({{"mask", std::make_shared<const NamedGrid>(NamedGrid{"m", inputOf("uniform", {8, 7}, PixelType::u8)})}},
         "same extents");
}

TEST(HistogramSelection, RegionCountsWhatLiesInside) {
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
        const auto input = inputOf("uniform", {23, 19, 5, 3}, type);
        const auto counts =
            countOf(input, {{"region", text("3, 4,2, 7,6,3")}, {"bins", std::int64_t{16}}, {"range", text("0.1,200")}});
        for (int c = 0; c < 3; ++c) {
            std::int64_t inside = 0, below = 0;
            for (int z = 2; z < 5; ++z) {
                for (int y = 4; y < 10; ++y) {
                    for (int x = 3; x < 10; ++x) {
                        const double v = input->value(x, y, z, c);
                        below += v < 0.1 ? 1 : 0;
                        inside += v >= 0.1 && v < 200 ? 1 : 0;
                    }
                }
            }
            const auto& channel = counts->channels[static_cast<std::size_t>(c)];
            EXPECT_EQ(totalOf(channel), 7 * 6 * 3);
            EXPECT_EQ(channel.below, below);
            EXPECT_EQ(totalOf(channel) - channel.below - channel.above, inside);
        }
    }
    // Four numbers on a volume: every slice.
    EXPECT_EQ(
        totalOf(countOf(inputOf("uniform", {23, 19, 5}, PixelType::u8), {{"region", text("22,18,1,1")}})->channels[0]),
        5);
}

TEST(HistogramSelection, MaskCountsWhereItIsNotZero) {
    const auto input = inputOf("sorted", {20, 10}, PixelType::u8);
    auto mask = std::make_shared<io::Grid>(io::Shape{20, 10, 1, 4}, PixelType::u8);
    std::fill(mask->data(), mask->data() + mask->bytes(), std::byte{0});
    mask->setValue(3, 2, 0, 1, 1);
    mask->setValue(19, 9, 0, 0, 255);
    mask->setValue(0, 0, 0, 3, 255);  // alpha alone selects nothing
    const ParameterValues masked{{"mask", std::make_shared<const NamedGrid>(NamedGrid{"m", mask})}};
    const auto counts = countOf(input, masked);
    EXPECT_EQ(totalOf(counts->channels[0]), 2);
    EXPECT_EQ(counts->channels[0].bins[static_cast<std::size_t>(input->value(3, 2))], 1);
    EXPECT_EQ(counts->channels[0].bins[static_cast<std::size_t>(input->value(19, 9))], 1);
    auto both = masked;
    both["region"] = text("0,0,10,10");
    EXPECT_EQ(totalOf(countOf(input, both)->channels[0]), 1);
    both["region"] = text("5,5,2,2");
    EXPECT_EQ(totalOf(countOf(input, both)->channels[0]), 0);
}

TEST(HistogramSelection, LuminanceIsRec709OfTheStoredValues) {
    auto input = std::make_shared<io::Grid>(io::Shape{4, 1, 1, 4}, PixelType::u8);
    const int colours[4][4] = {{255, 255, 255, 9}, {255, 0, 0, 8}, {0, 255, 0, 7}, {0, 0, 255, 6}};
    for (int x = 0; x < 4; ++x) {
        for (int c = 0; c < 4; ++c) input->setValue(x, 0, 0, c, colours[x][c]);
    }
    const auto counts = countOf(input, {{"channels", text("luminance")}});
    ASSERT_EQ(counts->channels.size(), 1U);
    EXPECT_EQ(counts->channels[0].name, "luminance");
    EXPECT_EQ(counts->edges.back(), 256);
    // 255, 54.213, 182.376, 18.411
    for (const std::size_t bin : {255, 54, 182, 18}) EXPECT_EQ(counts->channels[0].bins[bin], 1) << bin;
    // One channel is its own luminance.
    EXPECT_EQ(countOf(inputOf("uniform", {5, 5}, PixelType::u8), {{"channels", text("luminance")}})->channels[0].name,
              "value");
}

TEST(HistogramSelection, RefusesRegistersForManyBins) {
    Runner runner;
    auto request = histogramRequest(inputOf("uniform", {8, 8}, PixelType::u8), bins(17), "cpu");
    for (const auto& run : runner.run(request).runs) {
        if (run.variant != "register_private") continue;
        EXPECT_EQ(run.status, Status::unsupported);
        EXPECT_NE(run.reason.find("at most 16"), std::string::npos) << run.reason;
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
