// SPDX-License-Identifier: Apache-2.0
#include "gpu/model/occupancy.hpp"

#include <gtest/gtest.h>

namespace warplens {

using namespace gpu;

namespace {

constexpr std::array<std::array<int, 2>, 12> kCapabilities{
    {{7, 5}, {8, 0}, {8, 6}, {8, 9}, {9, 0}, {10, 0}, {12, 0}, {7, 0}, {8, 7}, {10, 3}, {11, 0}, {12, 1}}};

DeviceInfo deviceOf(std::array<int, 2> capability) {
    DeviceInfo device;
    device.kind = DeviceKind::cuda;
    device.capabilityMajor = capability[0];
    device.capabilityMinor = capability[1];
    return device;
}

/// Resident blocks on each of kCapabilities, as the occupancy calculator of the CUDA 13.0 toolkit (cuda_occupancy.h)
/// gives them: shared memory opted in, its carve-out at the most.
struct Truth {
    BlockNeeds needs;
    std::array<int, 12> blocks;
};
constexpr Truth kTruths[] = {
    {{1024, 32, 4096}, {1, 2, 1, 1, 2, 2, 1, 2, 1, 2, 1, 1}},
    {{256, 40, 11520}, {4, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6}},
    {{256, 32, 0}, {4, 8, 6, 6, 8, 8, 6, 8, 6, 8, 6, 6}},
    {{128, 80, 0}, {6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6}},
    {{32, 16, 0}, {16, 32, 16, 24, 32, 32, 24, 32, 16, 32, 24, 24}},
    {{64, 32, 0}, {16, 32, 16, 24, 32, 32, 24, 32, 16, 32, 24, 24}},
    {{96, 33, 0}, {10, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16}},
    {{256, 64, 20000}, {3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}},
    {{512, 128, 64512}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {{768, 24, 0}, {1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
    {{1024, 64, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {{640, 24, 0}, {1, 3, 2, 2, 3, 3, 2, 3, 2, 3, 2, 2}},
    {{128, 255, 0}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
    {{33, 40, 0}, {16, 24, 16, 24, 24, 24, 24, 24, 16, 24, 24, 24}},
    {{256, 48, 30000}, {2, 5, 3, 3, 5, 5, 3, 3, 5, 5, 5, 3}},
    {{192, 56, 12345}, {5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6}},
    {{256, 20, 1}, {4, 8, 6, 6, 8, 8, 6, 8, 6, 8, 6, 6}},
    {{1024, 65, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {{480, 41, 4096}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
    {{128, 32, 16384}, {4, 9, 5, 5, 13, 13, 5, 6, 9, 13, 12, 5}},
    {{32, 8, 0}, {16, 32, 16, 24, 32, 32, 24, 32, 16, 32, 24, 24}},
    {{1, 255, 0}, {8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8}},
    {{65, 255, 0}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
    {{544, 64, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {{992, 64, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {{992, 66, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {{960, 68, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {{256, 128, 0}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
    {{256, 129, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {{384, 80, 0}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
    {{384, 81, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {{160, 24, 129}, {6, 12, 9, 9, 12, 12, 9, 12, 9, 12, 9, 9}},
    {{288, 37, 256}, {3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}},
    {{256, 32, 49152}, {1, 3, 2, 2, 4, 4, 2, 2, 3, 4, 4, 2}},
    {{256, 32, 65536}, {1, 2, 1, 1, 3, 3, 1, 1, 2, 3, 3, 1}},
    {{256, 32, 101376}, {0, 1, 1, 1, 2, 2, 1, 0, 1, 2, 2, 1}},
    {{256, 32, 101377}, {0, 1, 0, 0, 2, 2, 0, 0, 1, 2, 2, 0}},
    {{256, 32, 166912}, {0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0}},
    {{256, 32, 232448}, {0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0}},
    {{256, 32, 232449}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {{672, 40, 20000}, {1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
    {{128, 168, 7168}, {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}},
    {{448, 25, 3072}, {2, 4, 3, 3, 4, 4, 3, 4, 3, 4, 3, 3}},
    {{96, 24, 1920}, {10, 21, 16, 16, 21, 21, 16, 21, 16, 21, 16, 16}},
    {{96, 24, 1921}, {10, 21, 16, 16, 21, 21, 16, 21, 16, 21, 16, 16}},
    {{64, 16, 1024}, {16, 32, 16, 24, 32, 32, 24, 32, 16, 32, 24, 24}},
    {{96, 24, 5760}, {10, 21, 15, 15, 21, 21, 15, 16, 16, 21, 16, 15}},
    {{96, 24, 7296}, {8, 20, 12, 12, 21, 21, 12, 13, 16, 21, 16, 12}},
    {{96, 24, 7297}, {8, 19, 12, 12, 21, 21, 12, 13, 16, 21, 16, 12}},
};

}  // namespace

TEST(Occupancy, equalsTheToolkitsCalculator) {
    for (const Truth& truth : kTruths) {
        for (std::size_t i = 0; i < kCapabilities.size(); ++i) {
            const auto occupancy = occupancyOf(truth.needs, deviceOf(kCapabilities[i]));
            ASSERT_TRUE(occupancy);
            EXPECT_EQ(occupancy->blocks, truth.blocks[i])
                << truth.needs.threads << " threads, " << truth.needs.registers << " registers, "
                << truth.needs.sharedBytes << " bytes on " << kCapabilities[i][0] << "." << kCapabilities[i][1];
        }
    }
}

TEST(Occupancy, namesWhatLimitsIt) {
    const auto limitsOf = [](const BlockNeeds& needs) { return occupancyOf(needs, deviceOf({9, 0}))->limits; };
    using Limits = std::vector<OccupancyLimit>;
    EXPECT_EQ(limitsOf({1024, 16, 0}), Limits{OccupancyLimit::threads});
    EXPECT_EQ(limitsOf({32, 16, 0}), Limits{OccupancyLimit::blocks});
    EXPECT_EQ(limitsOf({256, 40, 0}), Limits{OccupancyLimit::registers});
    EXPECT_EQ(limitsOf({128, 32, 16384}), Limits{OccupancyLimit::sharedMemory});
    EXPECT_EQ(limitsOf({1024, 32, 0}), (Limits{OccupancyLimit::threads, OccupancyLimit::registers}));
}

TEST(Occupancy, whatWouldLiftItIsTheSmallestChangeThatDoes) {
    int lifted = 0;
    for (const auto capability : kCapabilities) {
        const DeviceInfo device = deviceOf(capability);
        for (const int threads : {32, 96, 128, 256, 384, 640, 768, 1024}) {
            for (const int registers : {16, 33, 40, 57, 80, 128}) {
                for (const std::int64_t shared : {0, 1000, 9000, 20000, 40000}) {
                    const BlockNeeds needs{threads, registers, shared};
                    const auto occupancy = occupancyOf(needs, device);
                    if (!occupancy->lift) continue;
                    ++lifted;
                    const OccupancyLift& lift = *occupancy->lift;
                    const auto with = [&](std::int64_t value) {
                        BlockNeeds other = needs;
                        if (lift.limit == OccupancyLimit::registers)
                            other.registers = static_cast<int>(value);
                        else if (lift.limit == OccupancyLimit::sharedMemory)
                            other.sharedBytes = value;
                        else
                            other.threads = static_cast<int>(value);
                        return *occupancyOf(other, device);
                    };
                    EXPECT_EQ(with(lift.then).blocks, lift.blocks);
                    EXPECT_EQ(with(lift.then).warps, lift.warps);
                    EXPECT_GT(lift.warps, occupancy->warps);
                    const int towards = lift.now > lift.then ? 1 : -1;
                    const int step =
                        lift.limit == OccupancyLimit::threads || lift.limit == OccupancyLimit::blocks ? 32 : 1;
                    EXPECT_LE(with(lift.then + towards * step).warps, occupancy->warps)
                        << threads << " threads, " << registers << " registers, " << shared
                        << " bytes: " << occupancySentence(*occupancy);
                }
            }
        }
    }
    EXPECT_GT(lifted, 500);
}

TEST(Occupancy, readsAsASentence) {
    const auto sentence = [](const BlockNeeds& needs) {
        return occupancySentence(*occupancyOf(needs, deviceOf({9, 0})));
    };
    EXPECT_EQ(sentence({256, 40, 11520}),
              "6 blocks of 8 warps; limited by registers: at 32 per thread instead of 40, 8 blocks would fit.");
    EXPECT_EQ(sentence({128, 32, 16384}),
              "13 blocks of 4 warps; limited by shared memory: at 15616 bytes per block instead of 16384, 14 blocks "
              "would fit.");
    EXPECT_EQ(sentence({32, 16, 0}),
              "32 blocks of 1 warp; limited by the number of blocks: blocks of 64 threads instead of 32 would give 64 "
              "warps.");
    EXPECT_EQ(sentence({768, 24, 0}),
              "2 blocks of 24 warps; limited by the number of threads: blocks of 672 threads instead of 768 would give "
              "63 warps.");
    EXPECT_EQ(sentence({1024, 32, 4096}), "2 blocks of 32 warps fill the SM completely.");
    EXPECT_EQ(sentence({1024, 65, 0}), "Not one block fits: registers.");
}

TEST(Occupancy, whatTheDriverReportsGoesBeforeTheTable) {
    DeviceInfo device = deviceOf({9, 0});
    device.multiprocessor = {1024, 32, 65536, 65536, 1024};
    EXPECT_EQ(occupancyOf({1024, 32, 0}, device)->blocks, 1);
    device.capabilityMajor = 99;
    EXPECT_TRUE(occupancyOf({1024, 32, 0}, device));
    device.multiprocessor = {};
    EXPECT_FALSE(occupancyOf({1024, 32, 0}, device)) << "an unknown GPU";
    device.kind = DeviceKind::simt;
    EXPECT_FALSE(occupancyOf({1024, 32, 0}, device));
    EXPECT_FALSE(needsOf({.grid = {1, 1, 1}, .block = {32, 8, 1}})) << "nobody told the registers";
    EXPECT_EQ(needsOf({.grid = {1, 1, 1}, .block = {32, 8, 2}, .registers = 7, .sharedBytes = 9})->threads, 512);
}

}  // namespace warplens
