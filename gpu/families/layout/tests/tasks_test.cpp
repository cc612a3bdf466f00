// SPDX-License-Identifier: Apache-2.0
// What each task means, spelled out on small pictures; geometry; refusals; and whether the check finds what is wrong.
#include "gpu/core/error.hpp"
#include "gpu/families/layout/task.hpp"
#include "gpu/families/layout/tests/layout_case.hpp"
#include "tests/support/npp.hpp"

#include <gmock/gmock.h>
#include <numeric>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

/// 0, 1, 2 ... in the order of memory.
std::shared_ptr<io::Grid> counting(const io::Shape& shape) {
    auto grid = std::make_shared<io::Grid>(shape, PixelType::u8);
    std::iota(grid->as<std::uint8_t>(), grid->as<std::uint8_t>() + shape.values(), std::uint8_t{0});
    return grid;
}

std::shared_ptr<const io::Grid> resultOf(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values) {
    Request request = layoutRequest(input, values, "cpu");
    request.variants = {kAuto};
    Runner runner;
    const auto run = runner.run(request).runs.front();
    EXPECT_EQ(run.status, Status::ok) << describe(run);
    return run.result.picture;
}

void expectResult(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values, const io::Shape& shape,
                  const std::vector<int>& expected) {
    const auto picture = resultOf(input, values);
    ASSERT_NE(picture, nullptr);
    EXPECT_EQ(picture->shape(), shape);
    const auto* got = picture->as<std::uint8_t>();
    EXPECT_THAT(std::vector<int>(got, got + picture->shape().values()), ElementsAreArray(expected));
}

//  0 1 2
//  3 4 5
TEST(LayoutTasks, TurnsAndFlips) {
    const auto input = counting({3, 2});
    expectResult(input, task("copy"), {3, 2}, {0, 1, 2, 3, 4, 5});
    expectResult(input, task("transpose"), {2, 3}, {0, 3, 1, 4, 2, 5});
    expectResult(input, task("rotate90"), {2, 3}, {3, 0, 4, 1, 5, 2});
    expectResult(input, task("rotate180"), {3, 2}, {5, 4, 3, 2, 1, 0});
    expectResult(input, task("rotate270"), {2, 3}, {2, 5, 1, 4, 0, 3});
    expectResult(input, task("flip-x"), {3, 2}, {2, 1, 0, 5, 4, 3});
    expectResult(input, task("flip-y"), {3, 2}, {3, 4, 5, 0, 1, 2});
}

TEST(LayoutTasks, OffsetsGoRoundTheEndOfARowAndStridesKeepOneOfSeveral) {
    const auto input = counting({5, 2});
    expectResult(input, stepped("offset", 2), {5, 2}, {2, 3, 4, 0, 1, 7, 8, 9, 5, 6});
    expectResult(input, stepped("offset", 5), {5, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    expectResult(input, stepped("offset", 11), {5, 2}, {1, 2, 3, 4, 0, 6, 7, 8, 9, 5});
    expectResult(input, stepped("stride", 2), {3, 2}, {0, 2, 4, 5, 7, 9});
    expectResult(input, stepped("stride", 64), {1, 2}, {0, 5});
}

TEST(LayoutTasks, ChannelsBecomeSlicesAndSlicesChannels) {
    const auto pixels = counting({2, 1, 1, 3});
    expectResult(pixels, task("planar"), {2, 1, 3, 1}, {0, 3, 1, 4, 2, 5});
    expectResult(pixels, task("interleaved"), {2, 1, 1, 3}, {0, 1, 2, 3, 4, 5});
    expectResult(counting({2, 1, 3}), task("interleaved"), {2, 1, 1, 3}, {0, 2, 4, 1, 3, 5});
    expectResult(counting({1, 1, 4}), task("interleaved"), {1, 1, 1, 4}, {0, 1, 2, 3});
    expectResult(counting({1, 1, 2, 3}), task("planar"), {1, 1, 6, 1}, {0, 3, 1, 4, 2, 5});
    EXPECT_THROW(resultOf(counting({4, 4}), task("interleaved")), Error);
    EXPECT_THROW(resultOf(counting({4, 4, 5}), task("interleaved")), Error);
}

// As numpy's transpose with the axes z, y, x as 0, 1, 2: yzx is (1, 0, 2).
TEST(LayoutTasks, ResliceIsATransposeOfTheAxes) {
    const io::Shape shape{4, 3, 2};
    const auto input = counting(shape);
    const std::int64_t extent[3] = {shape.depth, shape.height, shape.width};
    const std::int64_t stride[3] = {12, 4, 1};
    for (const std::string order : {"zyx", "zxy", "yzx", "yxz", "xzy", "xyz"}) {
        std::size_t axis[3];
        for (std::size_t i = 0; i < 3; ++i) axis[i] = std::string("zyx").find(order[i]);
        std::vector<int> expected;
        for (std::int64_t z = 0; z < extent[axis[0]]; ++z)
            for (std::int64_t y = 0; y < extent[axis[1]]; ++y)
                for (std::int64_t x = 0; x < extent[axis[2]]; ++x)
                    expected.push_back(
                        static_cast<int>(z * stride[axis[0]] + y * stride[axis[1]] + x * stride[axis[2]]));
        SCOPED_TRACE(order);
        expectResult(input, reslice(order), {extent[axis[2]], extent[axis[1]], extent[axis[0]]}, expected);
    }
}

/// Where a value lies in space.
std::array<double, 3> positionOf(const io::Geometry& g, const std::array<std::int64_t, 3>& place) {
    std::array<double, 3> at = g.origin;
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t i = 0; i < 3; ++i)
            at[row] += g.direction[3 * row + i] * g.spacing[i] * static_cast<double>(place[i]);
    return at;
}

// A value is where it was, whatever its place in memory: found by its number.
TEST(LayoutTasks, GeometryOfVolumesGoesAlong) {
    const io::Shape shape{5, 4, 3};
    auto input = counting(shape);
    input->geometry = {{0.5, 0.7, 2.5}, {10, -20, 30}, {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, -1}};
    for (const auto& [name, parameters, kernels] : layoutTasks(false)) {
        if (name.starts_with("offset") || name == "planar") continue;
        SCOPED_TRACE(name);
        const auto picture = resultOf(input, parameters);
        ASSERT_NE(picture, nullptr);
        const io::Shape& s = picture->shape();
        for (std::int64_t z = 0; z < s.depth; ++z)
            for (std::int64_t y = 0; y < s.height; ++y)
                for (std::int64_t x = 0; x < s.width; ++x) {
                    const auto i = static_cast<std::int64_t>(picture->value(x, y, z));
                    const auto here = positionOf(picture->geometry, {x, y, z});
                    const auto there = positionOf(input->geometry, {i % 5, i / 5 % 4, i / 20});
                    for (std::size_t k = 0; k < 3; ++k) ASSERT_NEAR(here[k], there[k], 1e-9) << i;
                }
    }
    // A picture that lies nowhere does not begin to.
    EXPECT_EQ(resultOf(counting({5, 4}), task("rotate90"))->geometry, io::Geometry());
}

TEST(LayoutTasks, WhatComesWithAPictureStaysAndDotsPerInchTurnWithIt) {
    auto input = counting({5, 4});
    input->metadata.dpi = {{300, 150}};
    input->metadata.iccProfile = {std::byte{1}, std::byte{2}};
    const auto turned = resultOf(input, task("rotate90"));
    EXPECT_EQ(turned->metadata.dpi, (std::array<double, 2>{150, 300}));
    EXPECT_EQ(turned->metadata.iccProfile, input->metadata.iccProfile);
    EXPECT_EQ(resultOf(input, task("flip-x"))->metadata.dpi, (std::array<double, 2>{300, 150}));
}

// Four quarter turns, two half turns, two of the same flip: the picture itself.
TEST(LayoutTasks, TurnsComeRound) {
    const std::shared_ptr<const io::Grid> input = noise({29, 18, 3, 3}, PixelType::u16);
    const auto after = [&](const std::vector<std::string>& names) {
        auto picture = input;
        for (const auto& name : names) picture = resultOf(picture, task(name));
        return picture->shape() == input->shape() && std::memcmp(picture->data(), input->data(), input->bytes()) == 0;
    };
    EXPECT_TRUE(after({"rotate90", "rotate90", "rotate90", "rotate90"}));
    EXPECT_TRUE(after({"rotate90", "rotate270"}));
    EXPECT_TRUE(after({"rotate90", "rotate90", "rotate180"}));
    EXPECT_TRUE(after({"flip-x", "flip-y", "rotate180"}));
    EXPECT_TRUE(after({"transpose", "flip-x", "rotate270"}));
    EXPECT_FALSE(after({"transpose", "flip-y", "rotate270"}));
}

TEST(LayoutTasks, WhatAVariantDoesNotTakeItRefusesWithASentence) {
    const std::map<std::string, std::string> refused{{"tiled", "quarter"},           {"padded", "quarter"},
                                                     {"swizzled", "quarter"},        {"vectorised", "quarter"},
                                                     {"pixel_per_thread", "planar"}, {"staged_packs", "planar"}};
    const auto problem = familyOf("layout").pose(counting({8, 8}), task("flip-x"));
    const auto device = listDevices().devices.back();
    for (const Variant& variant : familyOf("layout").variants()) {
        if (variant.id == "npp") continue;  // says besides whether it is here
        const auto why = problem->refusal(variant, problem->resolved(variant, {}, device), device);
        const auto expected = refused.find(variant.id);
        if (expected == refused.end())
            EXPECT_EQ(why, "") << variant.id;
        else
            EXPECT_THAT(why, HasSubstr(expected->second)) << variant.id;
    }
}

TEST(LayoutTasks, TheCheckFindsEveryValueThatIsWrong) {
    const auto input = noise({13, 9, 1, 3}, PixelType::u8);
    const Family& family = familyOf("layout");
    const auto problem = family.pose(input, task("rotate270"));
    const auto right = resultOf(input, task("rotate270"));
    const Variant& variant = variantOf(family, "vectorised");
    ASSERT_EQ(problem->verify({.picture = right}, variant, {}).mismatches, 0);
    for (std::int64_t i = 0; i < right->shape().values(); ++i) {
        auto wrong = std::make_shared<io::Grid>(right->clone());
        wrong->as<std::uint8_t>()[i] ^= 1;
        const auto found = problem->verify({.picture = wrong}, variant, {});
        ASSERT_EQ(found.mismatches, 1) << i;
        ASSERT_FALSE(found.firstMismatch.empty());
    }
    const auto shape = problem->verify({.picture = input}, variant, {});
    EXPECT_GT(shape.mismatches, 0);
    EXPECT_THAT(shape.firstMismatch, HasSubstr("extents"));
}

// A tile that is written to the wrong place far from every border is found as well.
TEST(LayoutTasks, TheCheckOfALargePictureMeetsEveryTile) {
    const auto input = noise({6001, 4999}, PixelType::u8);
    const Family& family = familyOf("layout");
    const auto problem = family.pose(input, task("copy"));
    const Variant& variant = variantOf(family, "rows");
    const auto fine = problem->verify({.picture = input}, variant, {});
    EXPECT_EQ(fine.mismatches, 0);
    EXPECT_GT(fine.checkedShare, 0.3);
    EXPECT_LT(fine.checkedShare, 1);
    auto wrong = std::make_shared<io::Grid>(input->clone());
    for (int y = 2496; y < 2496 + 32; ++y)
        for (int x = 3008; x < 3008 + 32; ++x) wrong->as<std::uint8_t>()[wrong->index(x, y)] ^= 1;
    EXPECT_GE(problem->verify({.picture = wrong}, variant, {}).mismatches, 32 * 8);
}

TEST(LayoutNpp, SaysWhatItTakes) {
    const auto rgb = counting({5, 4, 1, 3});
    for (const char* name : {"copy", "transpose", "rotate180", "flip-x", "flip-y", "planar"})
        EXPECT_THAT(whyNotNpp("layout", rgb, task(name)), isEmptyOrNppMissing()) << name;
    EXPECT_THAT(whyNotNpp("layout", rgb, task("rotate90")), HasSubstr("interpolate"));
    EXPECT_THAT(whyNotNpp("layout", rgb, reslice("yzx")), HasSubstr("axes in another order"));
    EXPECT_THAT(whyNotNpp("layout", rgb, stepped("stride", 2)), HasSubstr("out of step"));
    EXPECT_THAT(whyNotNpp("layout", counting({5, 4}), task("planar")), HasSubstr("3 or 4 channels"));
}

}  // namespace
}  // namespace warplens::gpu::testing
