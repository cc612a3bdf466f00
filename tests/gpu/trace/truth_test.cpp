// SPDX-License-Identifier: Apache-2.0
// Counts that were enumerated by hand or by a program of its own, and for most of which an H200's counters gave the
// very same numbers.
#include "gpu/core/registry.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/trace/tally.hpp"
#include "gpu/trace/variant_tracer.hpp"
#include "tests/gpu/trace/staging.hpp"
#include "tests/gpu/trace/textbook_kernels.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>

namespace warplens::gpu::testing {
namespace {

double perRequest(std::int64_t sum, const AccessCount& count) {
    return count.requests > 0 ? static_cast<double>(sum) / static_cast<double>(count.requests) : 0;
}

const trace::SamplePolicy kEveryBlock{.whole = true};

class Truth : public ::testing::Test {
protected:
    /// Counts of a textbook kernel on buffers of `inputs` and `outputs` floats.
    Counters textbook(int inputs, int outputs,
                      const std::function<void(LaunchContext&, float* in, float* out)>& kernel) {
        const Buffer in = m_device.allocate(static_cast<std::size_t>(inputs) * sizeof(float));
        const Buffer out = m_device.allocate(static_cast<std::size_t>(outputs) * sizeof(float));
        m_device.fill(in, 0);
        m_device.fill(out, 0);
        auto& c = m_device.context();
        const auto counters = m_device.trace(
            [&] {
                kernel(c, static_cast<float*>(c.address(in.handle())), static_cast<float*>(c.address(out.handle())));
            },
            in, kEveryBlock);
        for (const auto& finding : counters.findings) ADD_FAILURE() << finding.message;
        EXPECT_EQ(counters.tracedShare, 1.0);
        return counters;
    }

    /// 5x5, zero border, 256x256 floats.
    Counters convolution(const std::string& variant, int blockWidth, int blockHeight) {
        static trace::VariantTracer tracer(familyOf("convolution"), noise({256, 256}, io::PixelType::f32),
                                           {{"radius", std::int64_t{2}}});
        const auto record =
            tracer.trace(variantOf(familyOf("convolution"), variant),
                         {{"block_width", blockWidth}, {"block_height", blockHeight}}, kEveryBlock, {}, {});
        EXPECT_TRUE(record.counters) << describe(record);
        EXPECT_EQ(record.status, Status::ok) << record.reason;
        return record.counters.value_or(Counters{});
    }

    /// The access of a kernel's input: the global loads that are not of the filter, which every lane reads at one
    /// address.
    static AccessCount inputLoads(const Counters& counters) {
        AccessCount sum;
        for (const auto& line : counters.lines) {
            const bool filter = line.count.sectors == line.count.requests;
            if (line.space == Space::global && line.operation == Operation::load && !filter)
                trace::add(sum, line.count);
        }
        return sum;
    }

    /// Executions, divergent ones and lanes apart of the branches at a line of a file, which is told by its text.
    static std::vector<std::int64_t> branchesAt(const Counters& counters, const std::string& file,
                                                const std::string& text) {
        std::ifstream source(std::filesystem::path(WARPLENS_SOURCE_DIR) / file);
        int number = 0;
        std::string line;
        do ++number;
        while (std::getline(source, line) && line.find(text) == std::string::npos);
        EXPECT_TRUE(source) << text;
        std::vector<std::int64_t> sums(3);
        for (const auto& branch : counters.branchLines) {
            if (branch.file != file || branch.line != number) continue;
            sums[0] += branch.executions;
            sums[1] += branch.divergent;
            sums[2] += branch.lanesApart;
        }
        return sums;
    }
    static std::int64_t divergentOfLines(const Counters& counters) {
        std::int64_t sum = 0;
        for (const auto& branch : counters.branchLines) sum += branch.divergent;
        return sum;
    }

    trace::TraceDevice m_device;
};

TEST_F(Truth, NaiveConvolution) {
    const auto c = convolution("naive", 32, 32);
    EXPECT_EQ(c.globalLoad.requests, 101920);
    EXPECT_EQ(c.globalLoad.sectors, 290472);
    const auto input = inputLoads(c);
    EXPECT_EQ(input.requests, 50960);
    EXPECT_EQ(input.sectors, 239512);
    EXPECT_NEAR(perRequest(input.sectors, input), 4.700, 0.0005);
    EXPECT_EQ(c.globalLoad.requests - input.requests, 50960);
    EXPECT_EQ(c.globalLoad.sectors - input.sectors, 50960);
    EXPECT_EQ(c.globalStore.requests, 2048);
    EXPECT_EQ(c.globalStore.sectors, 4 * 2048);
    // Each axis has 5 taps at 256 places less the 6 that fall off; two operations a tap, and the offset added to each
    // output.
    constexpr double kTaps = (5 * 256 - 6) * (5 * 256 - 6);
    EXPECT_EQ(c.flops, 2 * kTaps + 256 * 256);
    EXPECT_EQ(c.globalLoad.threadBytes, static_cast<std::int64_t>(8 * kTaps));
    EXPECT_NEAR(c.operationsPerByte, 0.25, 0.006);
    EXPECT_EQ(c.compulsoryBytes, 2 * 256 * 256 * 4 + 25 * 4);
    EXPECT_NEAR(c.inputReuse, kTaps / (256 * 256), 1e-12);
    EXPECT_EQ(c.inputReuseMost, 25);
    EXPECT_EQ(c.constant.requests + c.sharedLoad.requests + c.barriers, 0);
}

TEST_F(Truth, ConvolutionWithConstantMemory) {
    const auto c = convolution("constant", 32, 32);
    EXPECT_EQ(c.globalLoad.requests, 50960);
    EXPECT_EQ(c.globalLoad.sectors, 239512);
    EXPECT_EQ(c.constant.requests, 50960);
    EXPECT_EQ(c.constant.words, 50960);
    EXPECT_EQ(c.constant.worst, 1);
    EXPECT_NEAR(c.operationsPerByte, 0.5, 0.011);
}

TEST_F(Truth, InputTile) {
    const auto c = convolution("tiled_input", 32, 32);
    EXPECT_EQ(c.globalLoad.requests, 2920);
    EXPECT_EQ(c.globalLoad.sectors, 13140);
    EXPECT_EQ(c.globalStore.requests, 2560);
    EXPECT_EQ(c.globalStore.sectors, 9472);
    EXPECT_EQ(c.sharedLoad.requests, 64000);
    EXPECT_EQ(c.sharedLoad.wavefronts, 64000);
    EXPECT_EQ(c.barriers, 100);
}

TEST_F(Truth, OutputTileStagedInStrides) {
    const auto staged = [&](int tile) {
        return textbook(256 * 256 + 25, 256 * 256, [&](LaunchContext& c, float* in, float* out) {
            launchTiledOutput(c, in, in + 256 * 256, out, 256, tile);
        });
    };
    const auto large = staged(32);
    auto input = inputLoads(large);
    EXPECT_EQ(input.requests, 4544);
    EXPECT_NEAR(perRequest(input.sectors, input), 3.375, 0.0005);
    EXPECT_EQ(large.sharedLoad.requests, 51200);
    EXPECT_EQ(large.sharedLoad.wavefronts, 51200);
    const auto small = staged(16);
    input = inputLoads(small);
    EXPECT_EQ(input.requests, 5056);
    EXPECT_NEAR(perRequest(input.sectors, input), 4.875, 0.0005);
    EXPECT_EQ(small.sharedLoad.requests, 51200);
    EXPECT_EQ(small.sharedLoad.wavefronts, 2 * 51200);
}

/// Ours stages in one row of threads; what that costs is enumerated here, thread by thread.
TEST_F(Truth, OutputTileStagedInARow) {
    for (const auto& [width, height] : {std::pair{32, 32}, {32, 8}, {16, 16}, {8, 4}, {30, 7}}) {
        const auto expected = enumerateRowStaging(256, 2, width, height);
        const auto c = convolution("tiled_output", width, height);
        EXPECT_EQ(c.globalLoad.requests, expected.loads) << width << "x" << height;
        EXPECT_EQ(c.globalLoad.sectors, expected.sectors) << width << "x" << height;
        EXPECT_EQ(c.sharedStore.requests, expected.stores) << width << "x" << height;
        EXPECT_EQ(c.sharedLoad.requests, expected.sharedLoads) << width << "x" << height;
        EXPECT_EQ(c.sharedLoad.wavefronts, expected.wavefronts) << width << "x" << height;
    }
}

TEST_F(Truth, Transposition) {
    const auto naive = textbook(256 * 256, 256 * 256,
                                [](LaunchContext& c, float* in, float* out) { launchTransposeNaive(c, in, out, 256); });
    EXPECT_EQ(naive.globalLoad.requests, 2048);
    EXPECT_EQ(naive.globalLoad.sectors, 4 * 2048);
    EXPECT_EQ(naive.globalStore.requests, 2048);
    EXPECT_EQ(naive.globalStore.sectors, 65536);
    EXPECT_EQ(naive.globalStore.usefulBytes, 256 * 256 * 4);
    for (const bool padded : {false, true}) {
        const auto tiled = textbook(256 * 256, 256 * 256, [&](LaunchContext& c, float* in, float* out) {
            launchTransposeTiled(c, in, out, 256, padded);
        });
        EXPECT_EQ(tiled.globalStore.sectors, 4 * 2048);
        EXPECT_EQ(tiled.sharedLoad.requests, 2048);
        EXPECT_EQ(tiled.sharedLoad.wavefronts, padded ? 2048 : 65536);
        EXPECT_EQ(tiled.sharedLoad.worst, padded ? 1 : 32);
        EXPECT_EQ(tiled.sharedStore.wavefronts, 2048);
        EXPECT_EQ(tiled.barriers, 64);
    }
}

TEST_F(Truth, FourFloatsALoad) {
    const auto c = textbook(
        65536, 1, [](LaunchContext& context, float* in, float* out) { launchSumOfFours(context, in, out, 65536); });
    EXPECT_EQ(c.globalLoad.requests, 512);
    EXPECT_EQ(c.globalLoad.sectors, 8192);
    EXPECT_EQ(c.globalLoad.usefulBytes, 65536 * 4);
    EXPECT_EQ(c.globalAtomics.requests, 512);
    EXPECT_EQ(c.globalAtomics.lanes, 512);
    EXPECT_EQ(c.globalAtomics.worst, 1);
    EXPECT_EQ(c.blockContention, 8);
}

TEST_F(Truth, SevenPointStencil) {
    constexpr int kEdge = 64, kInner = kEdge - 2;
    const auto c =
        textbook(kEdge * kEdge * kEdge, kEdge * kEdge * kEdge,
                 [](LaunchContext& context, float* in, float* out) { launchSevenPoints(context, in, out, kEdge); });
    EXPECT_EQ(c.globalLoad.requests, 53816);
    EXPECT_EQ(c.globalLoad.requests, 7 * 7688);
    EXPECT_EQ(c.globalLoad.sectors, 222952);
    EXPECT_EQ(c.flops, 13.0 * kInner * kInner * kInner);
    EXPECT_EQ(c.globalLoad.threadBytes, std::int64_t{7} * 4 * kInner * kInner * kInner);
}

TEST_F(Truth, LanesThatSkipRoundsStayTogether) {
    const auto c =
        textbook(160, 32, [](LaunchContext& context, float* in, float* out) { launchSkippingLanes(context, in, out); });
    EXPECT_EQ(c.globalLoad.requests, 5);
    EXPECT_EQ(c.globalLoad.lanes, 5 * 16);
    EXPECT_EQ(c.globalStore.requests, 1);
    EXPECT_EQ(c.divergentBranches, 5);
}

/// Six warps of 32 lanes, told by hand.
TEST_F(Truth, BranchesByLine) {
    const auto c = textbook(1, 192, [](LaunchContext& context, float*, float* out) { launchBranching(context, out); });
    const auto at = [&](const char* text) { return branchesAt(c, "tests/gpu/trace/textbook_kernels.cuh", text); };
    using Sums = std::vector<std::int64_t>;
    EXPECT_EQ(at("if (threadIdx.x % 2 == 1)"), (Sums{6, 6, 6 * 16}));
    EXPECT_EQ(at("if (threadIdx.x / 32 == 1)"), (Sums{6, 0, 0})) << "each warp goes as a whole";
    EXPECT_EQ(at("if (never > 0)"), (Sums{6, 0, 0}));
    // Of 32 lanes 8 leave before each round, the last 8 together after the third.
    EXPECT_EQ(at("k < threadIdx.x % 4"), (Sums{6 * 4, 6 * 3, 6 * 3 * 8}));
    EXPECT_EQ(divergentOfLines(c), c.divergentBranches);
    EXPECT_EQ(c.divergentBranches, 6 + 6 * 3);
}

TEST_F(Truth, TheLineAtWhichThreadsOfAnInputTileLeave) {
    const auto c = convolution("tiled_input", 32, 32);
    const auto sums = branchesAt(c, "gpu/families/convolution/kernels/tiled_input.cuh", "if (column < 0");
    // 256 rows of pixels in 10 columns of blocks: in each such warp some write and some do not, so that they part once
    // at least. At most they do so at each part of the condition: all 3,200 warps at both ends of their row, 280 at the
    // picture's right edge, and those 2,560 once more if the parts are put together first.
    EXPECT_GE(sums[1], 2560);
    EXPECT_LE(sums[1], 2 * 3200 + 280 + 2560);
    EXPECT_GE(sums[2], 2560 * 4) << "two lanes at each end";
    EXPECT_EQ(divergentOfLines(c), c.divergentBranches);
}

TEST_F(Truth, LanesThatLoopUnevenlyMeetAgain) {
    const auto c =
        textbook(32, 32, [](LaunchContext& context, float* in, float* out) { launchUnevenLoops(context, in, out); });
    EXPECT_EQ(c.globalLoad.requests, 32);
    EXPECT_EQ(c.globalLoad.lanes, 32 * 33 / 2);
    EXPECT_EQ(c.globalLoad.sectors, 32);
    EXPECT_EQ(c.globalStore.requests, 1);
    EXPECT_EQ(c.globalStore.sectors, 4);
}

TEST_F(Truth, AtomicsOnFewAddresses) {
    for (const unsigned addresses : {1U, 4U, 32U}) {
        const auto c = textbook(1, 32, [&](LaunchContext& context, float*, float* out) {
            launchCounting(context, reinterpret_cast<unsigned*>(out), addresses);
        });
        EXPECT_EQ(c.sharedAtomics.requests, 3 * 4);
        EXPECT_EQ(c.sharedAtomics.lanes, 3 * 128);
        EXPECT_EQ(c.sharedAtomics.words, 3 * 4 * addresses);
        EXPECT_EQ(c.sharedAtomics.worst, static_cast<int>(32 / addresses));
        EXPECT_EQ(c.blockContention, 128 / addresses);
        EXPECT_EQ(c.globalAtomics.requests, 3);
        EXPECT_EQ(c.flops, 0) << "integers";
        EXPECT_EQ(c.globalAtomics.lanes, 3 * addresses);
        EXPECT_EQ(c.barriers, 6);
    }
}

/// textbook() fails on findings; a barrier's number must not come around after 2^16.
TEST_F(Truth, WarpBarriersAreToldApartHoweverMany) {
    for (const int times : {1, 255, 256, 65535, 65536}) {
        textbook(32, 32,
                 [&](LaunchContext& context, const float*, float* out) { launchWarpBarriers(context, out, times); });
    }
}

/// What begins at a sector and what begins 4 bytes into one: each quarter of 8 floats then touches two sectors, where a
/// load of the whole warp touches five.
TEST_F(Truth, FetchesThroughATextureAreRequestsOfQuartersOfAWarp) {
    for (const int first : {0, 1}) {
        for (const int lanes : {1, 8, 9, 20, 32}) {
            const auto c = textbook(128, 96, [&](LaunchContext& context, const float* in, float* out) {
                launchFetching(context, in, out, first, lanes);
            });
            const int quarters = (lanes + 7) / 8, rest = lanes % 8;
            EXPECT_EQ(c.texture.requests, 3 * quarters) << lanes;
            // A part of a quarter that ends before its sector does needs no second one.
            const int sectors = first == 0 ? quarters : 2 * quarters - (rest > 0);
            EXPECT_EQ(c.texture.sectors, 3 * sectors) << first << ' ' << lanes;
            EXPECT_EQ(c.texture.lanes, 3 * lanes);
            EXPECT_EQ(c.texture.threadBytes, 3 * lanes * 4);
            EXPECT_EQ(c.texture.usefulBytes, 3 * lanes * 4);
            EXPECT_EQ(c.globalLoad, AccessCount()) << "counted apart";
            EXPECT_EQ(c.globalStore.requests, 3);
            EXPECT_EQ(c.inputReuse, 1) << "they read the input all the same";
            if (lanes == 32) {
                EXPECT_EQ(c.activeLanes, 32) << "an instruction of a warp counts once, not once a quarter";
            }
        }
    }
}

TEST_F(Truth, AnAtomicsAdditionOfFloatsIsAnOperationOfEachLane) {
    const auto c =
        textbook(192, 1, [](LaunchContext& context, const float* in, float* out) { launchAdding(context, in, out); });
    EXPECT_EQ(c.flops, 2 * 192) << "a product by the thread, an addition by the atomic";
    EXPECT_EQ(c.atomicFlops, 192);
    EXPECT_EQ(c.operationsPerByte, 2 * 192 / (192 * 4.0));
}

TEST_F(Truth, ProductsOfMatrices) {
    const auto c = textbook(
        64, 192, [](LaunchContext& context, const float* in, float* out) { launchProducts(context, in, out); });
    // A product of 16 x 16 by 16 x 8 is 16 * 8 sums of 16 terms; five of it a warp.
    EXPECT_EQ(c.matrixOperations, 3 * 2 * 5 * (2 * 16 * 8 * 16));
    EXPECT_EQ(c.flops, 3 * 64) << "the sum that is stored";
    EXPECT_EQ(c.operationsPerByte, (c.matrixOperations + c.flops) / (3 * 64 * 4));
}

/// Two warps of 128 columns and 32 rows: each of a strip's rows, the halo's too, is multiplied by the band of each row
/// of the largest filter built, three times, a slice of 16 values after the other.
TEST_F(Truth, ConvolutionOnTensorCores) {
    const auto& variant = variantOf(familyOf("convolution"), "tensor_core");
    for (const auto [asked, built, slices] :
         {std::array{2, 4, 1}, std::array{4, 4, 1}, std::array{5, 7, 2}, std::array{7, 7, 2}}) {
        trace::VariantTracer tracer(familyOf("convolution"), noise({128, 64}, io::PixelType::u16),
                                    {{"radius", std::int64_t{asked}}});
        const auto record = tracer.trace(variant, {{"block_height", 2}, {"rows_per_thread", 32}}, kEveryBlock, {}, {});
        ASSERT_TRUE(record.counters) << record.reason;
        const int products = 2 * (32 + 2 * built) * (2 * built + 1) * slices * 3;
        EXPECT_EQ(record.counters->matrixOperations, products * 4096.0) << "radius " << asked;
    }
}

/// From bytes to bytes: two warps of 128 columns and 32 rows, less those of the frame; rows in stretches of 8 or 4,
/// each multiplied by the band of each row of the filter, twice.
TEST_F(Truth, ConvolutionOfBytesOnTensorCores) {
    const auto& variant = variantOf(familyOf("convolution"), "tensor_core");
    for (const auto [asked, built, slices, ahead] :
         {std::array{0, 1, 1, 8}, std::array{1, 1, 1, 8}, std::array{2, 2, 1, 8}, std::array{3, 3, 1, 8},
          std::array{4, 4, 1, 4}, std::array{5, 7, 2, 4}, std::array{7, 7, 2, 4}}) {
        trace::VariantTracer tracer(familyOf("convolution"), noise({128, 64}, io::PixelType::u8),
                                    {{"radius", std::int64_t{asked}}});
        const auto record = tracer.trace(variant, {{"block_height", 2}, {"rows_per_thread", 32}}, kEveryBlock, {}, {});
        ASSERT_TRUE(record.counters) << record.reason;
        const int rows = (32 - built + 2 * built + ahead - 1) / ahead * ahead;
        // Eights at the top and the bottom, and one on each side of the rows between; sixteen of them a warp.
        const int octets = 2 * built * 16 + (64 - 2 * built) * 2, framing = (octets + 15) / 16;
        EXPECT_EQ(record.counters->matrixOperations, (2 * rows + framing) * (2 * built + 1) * slices * 2 * 4096.0)
            << "radius " << asked;
        EXPECT_EQ(record.counters->sharedLoad.requests, 0) << "nothing is staged";
    }
}

TEST(Sampling, ScalesToTheWholeOfAUniformKernel) {
    trace::VariantTracer tracer(familyOf("convolution"), noise({1100, 900}, io::PixelType::f32),
                                {{"radius", std::int64_t{1}}});
    const auto& constant = variantOf(familyOf("convolution"), "constant");
    const auto whole = tracer.trace(constant, {}, kEveryBlock, {}, {}).counters.value();
    const auto sampled = tracer.trace(constant, {}, {.words = 2'000'000}, {}, {}).counters.value();
    EXPECT_EQ(whole.tracedShare, 1.0);
    EXPECT_LT(sampled.tracedShare, 0.2);
    EXPECT_GT(sampled.tracedShare, 0.0);
    EXPECT_EQ(sampled.globalLoad.requests, whole.globalLoad.requests);
    EXPECT_EQ(sampled.globalLoad.sectors, whole.globalLoad.sectors);
    EXPECT_EQ(sampled.globalStore, whole.globalStore);
    EXPECT_EQ(sampled.constant, whole.constant);
    EXPECT_EQ(sampled.flops, whole.flops);
}

}  // namespace
}  // namespace warplens::gpu::testing
