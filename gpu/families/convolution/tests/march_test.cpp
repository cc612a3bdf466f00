// SPDX-License-Identifier: Apache-2.0
// How many rows a thread marches down where the user has not said it.
#include "gpu/families/convolution/march.hpp"

#include "gpu/core/registry.hpp"
#include "io/grid.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace warplens::gpu::convolution {
namespace {

/// On a device of so many multiprocessors, an H200's unless told.
int rowsOf(const std::string& variant, const io::Shape& shape, io::PixelType type, const TunableValues& chosen = {},
           std::int64_t radius = 2, int multiprocessors = 132) {
    const Family& family = familyOf("convolution");
    const auto problem = family.pose(std::make_shared<const io::Grid>(shape, type), {{"radius", radius}});
    DeviceInfo device;
    device.multiprocessors = multiprocessors;
    return problem->resolved(variantOf(family, variant), chosen, device).at("rows_per_thread");
}

constexpr auto u8 = io::PixelType::u8, u16 = io::PixelType::u16, f32 = io::PixelType::f32;

// The best of those that were tried on an H200, or within 2 % of it (measurements.md).
TEST(March, BlocksFillATurnAsTheyWereMeasured) {
    EXPECT_EQ(rowsOf("separable_ring", {8192, 8192, 1, 1}, f32), 512);
    EXPECT_EQ(rowsOf("separable_ring", {4096, 4096, 1, 1}, f32), 128);
    EXPECT_EQ(rowsOf("separable_ring", {6001, 3999, 1, 1}, f32, {}, 3), 184) << "528 blocks, all at once";
    EXPECT_EQ(rowsOf("tensor_core", {8192, 8192, 1, 1}, u8), 256);
    EXPECT_EQ(rowsOf("tensor_core", {4096, 4096, 1, 1}, u8), 64);
    EXPECT_EQ(rowsOf("tensor_core", {6016, 3999, 1, 1}, u8, {}, 3), 96);
    EXPECT_EQ(rowsOf("tensor_core", {1920, 1080, 1, 3}, u8), 32) << "with 16 the frame's blocks would come late";
}

TEST(March, ARowMoreThanBlocksTakeMakesThemTallerByOneTurn) {
    EXPECT_EQ(rowsOf("separable_ring", {8191, 8193, 1, 1}, f32, {}, 3), 520);
}

TEST(March, SmallPicturesAreSharedAmongMoreBlocks) {
    EXPECT_EQ(rowsOf("separable_ring", {512, 512, 1, 1}, f32), 8);
    EXPECT_EQ(rowsOf("separable_ring", {512, 512, 1, 1}, f32, {}, 7), 16);
    EXPECT_EQ(rowsOf("streamed", {1300, 900, 1, 1}, u8), 8);
    EXPECT_LE(rowsOf("streamed", {1300, 900, 1, 1}, f32, {}, 7), 9);
    EXPECT_EQ(rowsOf("tensor_core", {64, 64, 1, 1}, u16), 16);
    EXPECT_EQ(rowsOf("separable_streamed", {1300, 900, 1, 1}, f32, {}, 1), 8);
    EXPECT_EQ(rowsOf("separable_ring", {1, 1, 1, 1}, u8), 8);
}

// What a multiprocessor has to do counts where its blocks are many and large, whole ones or as they come.
TEST(March, RowsAreTheWorkOfAMultiprocessor) {
    EXPECT_EQ(rowsOf("streamed", {4096, 4096, 1, 1}, u8), 32) << "512 blocks of 8 x 32 rows: 4 for each";
    EXPECT_EQ(rowsOf("streamed", {6001, 3999, 1, 1}, f32, {}, 4), 48) << "264 blocks, 2 for each";
    EXPECT_EQ(rowsOf("streamed", {8192, 8192, 1, 1}, u8), 64);
    EXPECT_EQ(rowsOf("streamed", {8192, 8192, 1, 1}, u8, {}, 3), 64) << "128: 0.228 ms instead of 0.169";
    EXPECT_EQ(rowsOf("streamed", {8192, 8192, 1, 1}, f32, {}, 3), 128);
    EXPECT_EQ(rowsOf("streamed", {4096, 4096, 1, 1}, f32, {}, 3), 32);
    EXPECT_EQ(rowsOf("separable_streamed", {8192, 8192, 1, 1}, f32, {}, 7), 128);
    EXPECT_EQ(rowsOf("separable_streamed", {2500, 1700, 1, 1}, u8, {}, 1), 16);
}

// Blocks that all run side by side to the end take less time than many small ones.
TEST(March, AllBlocksAtOnceLeaveNoTail) {
    EXPECT_EQ(rowsOf("streamed", {8192, 8192, 1, 1}, f32, {}, 7), 256) << "128 blocks, each alone";
    EXPECT_EQ(rowsOf("separable_streamed", {4096, 4096, 1, 1}, f32), 64) << "512 blocks, where 6 are at once";
    EXPECT_EQ(rowsOf("separable_streamed", {8192, 8192, 1, 1}, f32, {}, 4), 256) << "512, where 4 are";
    EXPECT_EQ(rowsOf("separable_streamed", {4096, 4096, 1, 1}, f32, {}, 7), 96) << "352, where 3 are";
}

TEST(March, FewMultiprocessorsTakeTallerMarches) {
    for (const std::string variant : {"streamed", "separable_streamed"})
        for (const std::int64_t side : {512, 1024, 2048}) {
            EXPECT_GE(rowsOf(variant, {side, side, 1, 1}, f32, {}, 2, 2), 32) << "a CPU of two threads";
            EXPECT_GE(rowsOf(variant, {side, side, 1, 1}, f32, {}, 2, 20),
                      rowsOf(variant, {side, side, 1, 1}, f32, {}, 2, 132));
            EXPECT_GT(rowsOf(variant, {side, side, 1, 1}, f32, {}, 2, 0), 0) << "not known";
        }
}

TEST(March, WhatTheUserChoseStays) {
    EXPECT_EQ(rowsOf("separable_ring", {6001, 3999, 1, 1}, f32, {{"rows_per_thread", 77}}), 77);
    EXPECT_EQ(rowsOf("coarsened_both", {6001, 3999, 1, 1}, f32), 4) << "it marches not";
}

// Whatever the picture: whole granules, and no turn of blocks more than the tallest march would take, twice over.
TEST(March, EveryExtentGivesRowsWithinTheBounds) {
    for (const int granule : {1, 8, 16}) {
        for (const int down : {1, 4, 8}) {
            for (std::int64_t height = 1; height < 20000; height += height < 64 ? 1 : 997) {
                const March march{.leastRows = granule, .granule = granule, .frameWaits = down > 1};
                const MarchedPicture picture{.width = height,
                                             .height = height,
                                             .across = 7,
                                             .threadsDown = down,
                                             .planes = 3,
                                             .filterWidth = 5,
                                             .filterHeight = 5};
                const int rows = fittedRows(march, picture, 66, 256);
                EXPECT_EQ(rows % granule, 0);
                EXPECT_GE(rows, granule);
                EXPECT_LE(rows, 272);
                March halved = march;
                halved.halves = true;
                halved.leastRows = 8;
                const int half = fittedRows(halved, picture, 66, 256);
                EXPECT_TRUE(half == 8 || half % granule == 0) << half;
                EXPECT_TRUE(std::has_single_bit(static_cast<unsigned>(half % 3 == 0 ? half / 3 : half))) << half;
                EXPECT_LE(half, 256);
            }
        }
    }
}

}  // namespace
}  // namespace warplens::gpu::convolution
