// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/operator.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/stencil/verify.hpp"

#include <array>
#include <gtest/gtest.h>
#include <tuple>

namespace warplens::gpu::stencil {
namespace {

std::string refusalOf(const ParameterValues& values) {
    try {
        makeOperator(values, 20, 10, 5);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::argument);
        return error.what();
    }
    return "accepted";
}

bool says(const Described& described, const std::string& text) {
    for (const auto& fact : described.facts) {
        if (fact.find(text) != std::string::npos) return true;
    }
    return false;
}

TEST(StencilOperator, DimensionsFollowFromTheVolumeUnlessSaid) {
    EXPECT_EQ(makeOperator({}, 9, 9, 9).op.pattern, Pattern::star);
    EXPECT_EQ(makeOperator({}, 9, 9, 1).op.pattern, Pattern::cross);
    EXPECT_EQ(makeOperator({{"dimensions", std::string("2")}}, 9, 9, 9).op.pattern, Pattern::cross);
    EXPECT_TRUE(says(makeOperator({{"dimensions", std::string("2")}}, 9, 9, 9), "slice by slice"));
    EXPECT_EQ(makeOperator({{"stencil", std::string("blur")}}, 9, 9, 9).op.pattern, Pattern::line);
    EXPECT_EQ(makeOperator({{"stencil", std::string("weights27")}}, 9, 9, 9).op.pattern, Pattern::box);
}

TEST(StencilOperator, CoefficientsSayHowManyAxesThereAre) {
    const auto op = makeOperator({{"coefficients", std::string("1 2,3;4,5 6 7")}}, 9, 9, 1).op;
    EXPECT_EQ(op.pattern, Pattern::star);
    for (int i = 0; i < 7; ++i) EXPECT_EQ(op.weights[static_cast<std::size_t>(i)], static_cast<float>(i + 1));
    EXPECT_EQ(makeOperator({{"coefficients", std::string("1,2,3,4,5")}}, 9, 9, 9).op.pattern, Pattern::cross);
    EXPECT_EQ(makeOperator({{"coefficients", std::string("1,2,3")}}, 9, 9, 9).op.pattern, Pattern::line);
    EXPECT_NE(refusalOf({{"coefficients", std::string("1,2,3,4")}}).find("4 values"), std::string::npos);
    EXPECT_NE(refusalOf({{"coefficients", std::string("1,x,3")}}).find("value 2, 'x'"), std::string::npos);
    EXPECT_NE(refusalOf({{"coefficients", std::string("1,2,3")}, {"dimensions", std::string("3")}}).find("1D"),
              std::string::npos);
    EXPECT_NE(refusalOf({{"stencil", std::string("custom")}}).find("coefficients"), std::string::npos);
}

TEST(StencilOperator, PresetsKeepAConstantField) {
    for (const std::string name : {"heat", "jacobi", "smoothing", "sharpening", "blur", "weights27"}) {
        EXPECT_NEAR(makeOperator({{"stencil", name}}, 9, 9, 9).op.sum(), 1, 1e-6) << name;
    }
}

TEST(StencilOperator, HeatBeyondItsLimitNeedsForce) {
    EXPECT_TRUE(says(makeOperator({}, 9, 9, 9), "stable up to a step of 0.166667"));
    const ParameterValues fast{{"step", 0.2}};
    EXPECT_NE(refusalOf(fast).find("stability limit 0.166667"), std::string::npos);
    EXPECT_EQ(makeOperator(fast, 9, 9, 1).op.pattern, Pattern::cross);
    EXPECT_TRUE(says(makeOperator({{"step", 0.2}, {"force", true}}, 9, 9, 9), "unstable"));
    EXPECT_NE(refusalOf({{"diffusivity", 4.0}}).find("0.0416667"), std::string::npos);
}

TEST(StencilOperator, FourWeightsAreByDistance) {
    const auto op =
        makeOperator({{"stencil", std::string("weights27")}, {"weights27", std::string("8 4 2 1")}}, 9, 9, 9).op;
    EXPECT_EQ(op.weights[13], 8);
    for (const std::size_t face : {4U, 10U, 12U, 14U, 16U, 22U}) EXPECT_EQ(op.weights[face], 4);
    for (const std::size_t corner : {0U, 2U, 6U, 8U, 18U, 20U, 24U, 26U}) EXPECT_EQ(op.weights[corner], 1);
    EXPECT_EQ(op.sum(), 64);
    EXPECT_NE(refusalOf({{"stencil", std::string("weights27")}, {"weights27", std::string("1 2")}}).find("27"),
              std::string::npos);
    EXPECT_NE(refusalOf({{"stencil", std::string("blur")}, {"dimensions", std::string("2")}}).find("1D"),
              std::string::npos);
}

TEST(StencilRegions, CountFromBothEnds) {
    const auto regions = parseRegions("100 at x=0; -2.5 at x=-2..-1 y=3 ;7", 20, 10, 5);
    ASSERT_EQ(regions.size(), 3U);
    EXPECT_EQ(regions[0].value, 100);
    EXPECT_EQ(regions[0].first, (std::array{0, 0, 0}));
    EXPECT_EQ(regions[0].last, (std::array{0, 9, 4}));
    EXPECT_EQ(regions[1].first, (std::array{18, 3, 0}));
    EXPECT_EQ(regions[1].last, (std::array{19, 3, 4}));
    EXPECT_EQ(regions[2].last, (std::array{19, 9, 4}));
    EXPECT_TRUE(parseRegions(" ; ", 20, 10, 5).empty());
}

TEST(StencilRegions, RefuseWhatIsNone) {
    for (const std::string text : {"hot at x=0", "1 x=0", "1 at", "1 at w=0", "1 at x=20", "1 at x=-21", "1 at x=5..3",
                                   "1 at x=1.5", "nan at x=0", "1;1;1;1;1;1;1;1;1", "1 at x=", "1 at x"}) {
        EXPECT_THROW(parseRegions(text, 20, 10, 5), Error) << text;
    }
}

TEST(StencilRegions, AreCutToASlab) {
    Operator op;
    op.regions = parseRegions("1 at z=2..6; 2 at z=9; 3 at x=0", 10, 10, 10);
    const auto part = op.onSlab(4, 4);
    ASSERT_EQ(part.regions.size(), 2U);
    EXPECT_EQ(part.regions[0].first[2], 0);
    EXPECT_EQ(part.regions[0].last[2], 2);
    EXPECT_EQ(part.regions[1].last[2], 3);
}

TEST(StencilSampling, ReachesEveryFaceAndStaysAffordable) {
    EXPECT_EQ(sampleBoxes({128, 128, 128}, Pattern::star, 50, 1).size(), 1U);
    for (const auto& [shape, pattern, steps] :
         std::vector<std::tuple<io::Shape, Pattern, int>>{{{512, 512, 512}, Pattern::star, 50},
                                                          {{1024, 1024, 1024}, Pattern::star, 50},
                                                          {{1024, 1024, 1024}, Pattern::box, 10},
                                                          {{8192, 8192}, Pattern::cross, 100},
                                                          {{1024, 1024, 1024}, Pattern::cross, 20},
                                                          {{512, 512, 512}, Pattern::star, 150}}) {
        const auto boxes = sampleBoxes(shape, pattern, steps, 1);
        ASSERT_FALSE(boxes.empty());
        double cost = 0;
        std::array<bool, 6> touched{};
        const std::int64_t n[3] = {shape.width, shape.height, shape.depth};
        for (const auto& box : boxes) {
            cost += costOf(box, shape, pattern, steps);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                touched[2 * axis] |= box.lo[axis] == 0;
                touched[2 * axis + 1] |= box.hi[axis] == n[axis];
            }
        }
        EXPECT_LE(cost, 6e9);
        for (const bool face : touched) EXPECT_TRUE(face);
    }
    EXPECT_TRUE(sampleBoxes({1024, 1024, 1024}, Pattern::star, 100000, 1).empty());
}

}  // namespace
}  // namespace warplens::gpu::stencil
