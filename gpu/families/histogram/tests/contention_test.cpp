// SPDX-License-Identifier: Apache-2.0
// Lanes that meet in a bin, against values whose meetings can be enumerated.
#include "gpu/core/error.hpp"
#include "gpu/families/histogram/contention_map.hpp"
#include "gpu/families/histogram/tests/histogram_case.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace warplens::gpu::testing {
namespace {

using histogram::countContention;
using histogram::WarpMapping;

std::vector<std::uint32_t> slots(std::size_t count, std::uint32_t (*slotOf)(std::size_t)) {
    std::vector<std::uint32_t> list(count);
    for (std::size_t i = 0; i < count; ++i) list[i] = slotOf(i);
    return list;
}

/// All of `count` requests meet with `lanes`.
void expectAll(const histogram::Contention& counted, std::size_t lanes, std::int64_t count) {
    EXPECT_EQ(counted.requests[lanes], count);
    EXPECT_EQ(counted.count(), count);
    EXPECT_DOUBLE_EQ(counted.mean(), static_cast<double>(lanes));
    for (const float cell : counted.cells) EXPECT_FLOAT_EQ(cell, static_cast<float>(lanes));
}

TEST(Contention, OfNeighbouringLanes) {
    expectAll(countContention(slots(1024, [](std::size_t) { return 5U; }), {}), 32, 32);
    expectAll(countContention(slots(1024, [](std::size_t i) { return static_cast<std::uint32_t>(i); }), {}), 1, 32);
    expectAll(countContention(slots(1024, [](std::size_t i) { return static_cast<std::uint32_t>(i % 2); }), {}), 16,
              32);
    expectAll(countContention(slots(1024, [](std::size_t i) { return static_cast<std::uint32_t>(i / 8); }), {}), 8, 32);
}

TEST(Contention, OfALastWarpThatIsNotFull) {
    const auto counted = countContention(slots(37, [](std::size_t) { return 0U; }), {});
    EXPECT_EQ(counted.cells, (std::vector<float>{32, 5}));
    EXPECT_EQ(counted.requests[32], 1);
    EXPECT_EQ(counted.requests[5], 1);
    EXPECT_DOUBLE_EQ(counted.mean(), 18.5);
    EXPECT_DOUBLE_EQ(counted.share(6), 0.5);
    EXPECT_EQ(countContention({}, {}).count(), 0);
}

TEST(Contention, OfLanesFarApart) {
    // Each lane has 16 values of its own; equal values side by side never meet, equal strides always do.
    expectAll(countContention(slots(1024, [](std::size_t i) { return static_cast<std::uint32_t>(i / 16); }),
                              {.laneStride = 16}),
              1, 32);
    expectAll(countContention(slots(1024, [](std::size_t i) { return static_cast<std::uint32_t>(i % 16); }),
                              {.laneStride = 16}),
              32, 32);
}

TEST(Contention, OfCopies) {
    const auto one = slots(1024, [](std::size_t) { return 5U; });
    expectAll(countContention(one, {.copies = 32}), 1, 32);
    expectAll(countContention(one, {.copies = 8}), 4, 32);
    // Seven copies: lanes 0 to 31 share them 5, 5, 5, 5, 4, 4, 4.
    expectAll(countContention(one, {.copies = 7}), 5, 32);
}

TEST(Contention, OfMatchedLanesAndOfNoAtomics) {
    const auto one = slots(1024, [](std::size_t) { return 5U; });
    expectAll(countContention(one, {.matched = true}), 1, 32);
    EXPECT_EQ(countContention(one, {.atomics = false}).count(), 0);
}

TEST(Contention, OfRunsAddedWhereTheyEnd) {
    // A grid of 64 threads goes over 1,024 values: of one value each lane adds once, at its end.
    const auto constant = countContention(slots(1024, [](std::size_t) { return 5U; }), {.runStride = 64});
    EXPECT_EQ(constant.requests[32], 2);
    EXPECT_EQ(constant.count(), 2);
    EXPECT_EQ(std::accumulate(constant.cells.begin(), constant.cells.end(), 0.0F), 64);
    // The bin changes at every step of the grid: every lane adds every time.
    expectAll(countContention(slots(1024, [](std::size_t i) { return static_cast<std::uint32_t>(i / 64); }),
                              {.runStride = 64}),
              32, 32);
}

TEST(Contention, CanBeStopped) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(countContention(slots(1 << 20, [](std::size_t) { return 0U; }), {}, stop.get_token()), Error);
}

class ContentionOfVariants : public ::testing::Test {
protected:
    histogram::ContentionMap mapOf(const std::shared_ptr<io::Grid>& input, const std::string& id,
                                   const ParameterValues& parameters = {}) {
        const histogram::HistogramProblem problem(input, parameters);
        const Variant& variant = variantOf(familyOf("histogram"), id);
        return histogram::contentionMap(problem, *input, variant, resolve(variant, {}), m_device->info(), 0);
    }
    std::unique_ptr<Device> m_device = openDevice("cpu");
};

TEST_F(ContentionOfVariants, OneValueMeetsEverywhereButWhereTheIdeaAvoidsIt) {
    const auto input = inputOf("one value", {256, 64}, io::PixelType::u8);
    for (const std::string id :
         {"naive", "coarsened", "coarsened_contiguous", "privatised", "privatised_coarsened", "aggregated"}) {
        EXPECT_EQ(mapOf(input, id).counted.mean(), 32) << id;
    }
    EXPECT_EQ(mapOf(input, "warp_aggregated").counted.mean(), 1);
    EXPECT_EQ(mapOf(input, "multi_copy").counted.mean(), 1);
    EXPECT_EQ(mapOf(input, "register_private", bins(16)).counted.count(), 0);
    EXPECT_THROW(mapOf(input, "opencv"), Error);
}

TEST_F(ContentionOfVariants, TheMapHasTheExtentsOfThePicture) {
    auto input = inputOf("uniform", {70, 3}, io::PixelType::u8);
    for (int x = 0; x < 32; ++x) input->setValue(x, 0, 0, 0, 9);
    const auto whole = mapOf(input, "naive");
    EXPECT_EQ(whole.map.shape(), (io::Shape{70, 3, 1, 1}));
    for (int x = 0; x < 32; ++x) EXPECT_EQ(whole.map.value(x, 0), 32);
    EXPECT_LT(whole.map.value(32, 0), 32);
    // Rows of the region follow each other: 20 values of row 0, then row 1.
    const auto part = mapOf(input, "naive", {{"region", std::string("0,0,20,2")}});
    EXPECT_TRUE(std::isnan(part.map.value(20, 0)));
    EXPECT_TRUE(std::isnan(part.map.value(0, 2)));
    EXPECT_GE(part.map.value(11, 1), 20);
    EXPECT_LT(part.map.value(12, 1), 20);
}

}  // namespace
}  // namespace warplens::gpu::testing
