// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/block_limits.hpp"

#include <gtest/gtest.h>

namespace warplens::gpu::testing {
namespace {

TEST(BlockLimits, SayWhatADeviceDoesNotAllow) {
    DeviceInfo device;
    device.maxThreadsPerBlock = 256;
    device.sharedBytesPerBlock = 1000;
    const Footprint row{.blockWidth = 256, .blockHeight = 1}, square{.blockWidth = 32, .blockHeight = 16};
    EXPECT_EQ(refusalOfBlock(row, 1000, device), "");
    EXPECT_EQ(refusalOfBlock(row, 1001, device), "a block needs 1001 bytes of shared memory; the device allows 1000");
    EXPECT_EQ(refusalOfBlock(square, 0, device), "32 x 16 = 512 threads per block; the device allows 256");
    device.maxThreadsPerBlock = 255;
    EXPECT_EQ(refusalOfBlock(row, 0, device), "256 threads per block; the device allows 255");
}

TEST(BlockLimits, AGridReachesDown65535Tiles) {
    EXPECT_EQ(refusalOfRows(65535, 1), "");
    EXPECT_EQ(refusalOfRows(65536, 1), "a picture 65536 rows high needs more than 65,535 blocks of 1 rows");
    EXPECT_EQ(refusalOfRows(std::int64_t{65535} * 8, 8), "");
    EXPECT_NE(refusalOfRows(std::int64_t{65535} * 8 + 1, 8), "");
    EXPECT_EQ(refusalOfRows(1 << 20, 0), "") << "no tiles of rows";
}

}  // namespace
}  // namespace warplens::gpu::testing
