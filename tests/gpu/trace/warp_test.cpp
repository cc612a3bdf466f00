// SPDX-License-Identifier: Apache-2.0
// Single warps and load maps against what the definition of a convolution says they must be.
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/trace/tally.hpp"
#include "gpu/trace/variant_tracer.hpp"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <map>

namespace warplens::gpu::testing {
namespace {

constexpr int kRadius = 2;
const ParameterValues kFilter{{"radius", std::int64_t{kRadius}}};
const trace::SamplePolicy kEveryBlock{.whole = true};

/// How many outputs along an axis read the value at `at`.
int taps(std::int64_t at, std::int64_t extent) {
    return 1 + static_cast<int>(std::min<std::int64_t>(kRadius, at) + std::min<std::int64_t>(kRadius, extent - 1 - at));
}

class WarpTest : public ::testing::Test {
protected:
    static constexpr std::int64_t kWidth = 96, kHeight = 80;

    static trace::VariantTracer& tracer() {
        static trace::VariantTracer one(familyOf("convolution"), noise({kWidth, kHeight}, io::PixelType::f32), kFilter);
        return one;
    }
    static WarpTrace warp(const std::string& variant, std::int64_t x, std::int64_t y, const std::string& kernel = {}) {
        return tracer().warp(variantOf(familyOf("convolution"), variant), {}, {.kernel = kernel, .x = x, .y = y}, {});
    }
    static LoadMap loads(const std::string& variant) {
        return tracer().loads(variantOf(familyOf("convolution"), variant), {}, {}, {});
    }
};

TEST_F(WarpTest, ReadsTheWindowOfItsPixelsLaneByLane) {
    const auto trace = warp("constant", 40, 21);
    EXPECT_EQ(trace.block, (std::array{32U, 8U, 1U}));
    EXPECT_EQ(trace.index, (std::array{1U, 2U, 0U}));
    EXPECT_EQ(trace.warp, 21 % 8);
    EXPECT_EQ(trace.lane, 40 % 32);
    std::vector<std::int64_t> places;
    int weights = 0, stores = 0;
    for (const WarpRequest& request : trace.requests) {
        const WarpSite& site = trace.sites[static_cast<std::size_t>(request.site)];
        EXPECT_EQ(request.mask, 0xffffffffU);
        EXPECT_EQ(site.bytes, 4);
        EXPECT_FALSE(site.file.empty());
        if (site.space == Space::constant) {
            EXPECT_EQ(request.offset.front(), request.offset.back()) << "one weight for all";
            ++weights;
            continue;
        }
        ASSERT_GE(request.buffer, 0);
        EXPECT_EQ(trace.buffers[static_cast<std::size_t>(request.buffer)].valueBytes, 4);
        for (std::int64_t lane = 0; lane < 32; ++lane)
            EXPECT_EQ(request.offset[static_cast<std::size_t>(lane)], request.offset[0] + 4 * lane);
        EXPECT_EQ(request.count.sectors, request.offset[0] % 32 == 0 ? 4 : 5);
        if (site.operation == Operation::store) {
            EXPECT_EQ(request.offset[0], 4 * (21 * kWidth + 32));
            ++stores;
        } else {
            places.push_back(request.offset[0] / 4);
        }
    }
    EXPECT_EQ(weights, 25);
    EXPECT_EQ(stores, 1);
    std::vector<std::int64_t> expected;
    for (int dy = -kRadius; dy <= kRadius; ++dy) {
        for (int dx = -kRadius; dx <= kRadius; ++dx) expected.push_back((21 + dy) * kWidth + 32 + dx);
    }
    std::sort(places.begin(), places.end());
    EXPECT_EQ(places, expected);
}

// Where a warp writes a row of 32 pixels, all warps together make what the counters count.
TEST_F(WarpTest, AllWarpsTogetherAreTheCounters) {
    for (const std::string variant : {"naive", "constant", "texture", "separable"}) {
        const auto counted =
            tracer().trace(variantOf(familyOf("convolution"), variant), {}, kEveryBlock, {}, {}).counters;
        ASSERT_TRUE(counted);
        std::map<std::pair<Space, Operation>, AccessCount> sums;
        for (const KernelCounters& kernel : counted->kernels) {
            for (std::int64_t y = 0; y < kHeight; ++y) {
                for (std::int64_t x = 0; x < kWidth; x += 32) {
                    const auto one = warp(variant, x, y, kernel.kernel);
                    EXPECT_EQ(one.kernel, kernel.kernel);
                    for (const auto& r : one.requests) {
                        const auto& site = one.sites[static_cast<std::size_t>(r.site)];
                        trace::add(sums[{site.space, site.operation}], r.count);
                    }
                }
            }
        }
        EXPECT_EQ((sums[{Space::global, Operation::load}]), counted->globalLoad) << variant;
        EXPECT_EQ((sums[{Space::global, Operation::store}]), counted->globalStore) << variant;
        EXPECT_EQ((sums[{Space::constant, Operation::load}]), counted->constant) << variant;
        EXPECT_EQ((sums[{Space::texture, Operation::load}]), counted->texture) << variant;
    }
}

// Wherever its thread may be, the warp found writes the pixel.
TEST_F(WarpTest, EveryVariantHasAWarpForAnyPixel) {
    for (const Variant& variant : familyOf("convolution").variants()) {
        if (variant.kind != Variant::Kind::kernel) continue;
        for (const auto& [x, y] : {std::pair{0, 0}, {95, 79}, {40, 33}, {31, 7}, {64, 64}}) {
            const auto trace = warp(variant.id, x, y);
            const std::int64_t value = y * kWidth + x;
            const bool writes = std::ranges::any_of(trace.requests, [&](const WarpRequest& r) {
                const auto& site = trace.sites[static_cast<std::size_t>(r.site)];
                const auto lane = static_cast<std::size_t>(trace.lane);
                return site.operation == Operation::store && site.space == Space::global && (r.mask >> lane & 1U) &&
                       value * 4 >= r.offset[lane] && value * 4 < r.offset[lane] + site.bytes;
            });
            EXPECT_TRUE(writes) << variant.id << " x " << x << " y " << y;
        }
    }
}

TEST_F(WarpTest, TheMapOfLoadsFollowsTheDefinition) {
    for (const std::string variant : {"naive", "constant", "coarsened"}) {
        const auto map = loads(variant);
        for (std::int64_t y = 0; y < kHeight; ++y) {
            for (std::int64_t x = 0; x < kWidth; ++x)
                ASSERT_EQ(map.loads->value(x, y), taps(x, kWidth) * taps(y, kHeight)) << variant;
        }
    }
    // Input tiles of 32 with 28 outputs: a value is read by every tile that holds it.
    const auto tiled = loads("tiled_input");
    const auto tiles = [](std::int64_t at, std::int64_t extent) {
        int holding = 0;
        for (std::int64_t first = 0; first < extent; first += 28)
            holding += at >= first - kRadius && at < first - kRadius + 32;
        return holding;
    };
    for (std::int64_t y = 0; y < kHeight; ++y) {
        for (std::int64_t x = 0; x < kWidth; ++x)
            ASSERT_EQ(tiled.loads->value(x, y), tiles(x, kWidth) * tiles(y, kHeight));
    }
}

// Rows that are padded on the device: pixels are found where they lie in the picture, and what pads them is none.
TEST(WarpOfPaddedRows, IsFoundByThePicturesOwnPixels) {
    constexpr std::int64_t kOdd = 67, kRows = 43;
    const auto picture = noise({kOdd, kRows}, io::PixelType::f32);
    trace::VariantTracer tracer(familyOf("convolution"), picture, kFilter);
    for (const char* id : {"naive", "register_blocked", "streamed", "separable_streamed", "tensor_core"}) {
        const Variant& variant = variantOf(familyOf("convolution"), id);
        const auto record = tracer.trace(variant, {}, kEveryBlock, {}, {});
        ASSERT_TRUE(record.counters) << describe(record);
        EXPECT_TRUE(record.counters->findings.empty()) << describe(record);
        EXPECT_EQ(record.reason, variant.id == "naive" ? "" : "rows padded from 67 to 96 values on the device") << id;
        EXPECT_GE(record.counters->inputReuse, 1) << id << " reads what was padded";
        const auto map = tracer.loads(variant, {}, {}, {});
        ASSERT_EQ(map.loads->shape(), picture->shape()) << id;
        for (std::int64_t y = 0; y < kRows; ++y) {
            for (std::int64_t x = 0; x < kOdd; ++x) ASSERT_GE(map.loads->value(x, y), 1) << id << ' ' << x << ' ' << y;
        }
        for (const auto& [x, y] : {std::pair{0, 0}, {66, 42}, {40, 33}, {66, 20}, {64, 7}}) {
            const auto trace = tracer.warp(variant, {}, {.x = x, .y = y}, {});
            const auto lane = static_cast<std::size_t>(trace.lane);
            const bool writes = std::ranges::any_of(trace.requests, [&](const WarpRequest& r) {
                const auto& site = trace.sites[static_cast<std::size_t>(r.site)];
                const std::int64_t at = 4 * (y * kOdd + x), from = r.offset[lane];
                return site.operation == Operation::store && site.space == Space::global && (r.mask >> lane & 1U) &&
                       at >= from && at < from + site.bytes;
            });
            EXPECT_TRUE(writes) << id << " x " << x << " y " << y;
            // Values of the picture: rows of 67, of which none is longer.
            for (const WarpRequest& r : trace.requests) {
                if (r.buffer < 0 || trace.buffers[static_cast<std::size_t>(r.buffer)].valueBytes == 0) continue;
                for (const std::int64_t offset : r.offset) ASSERT_LT(offset, 4 * kOdd * kRows) << id;
            }
        }
    }
}

TEST_F(WarpTest, OtherFamiliesAndTypesHaveThemAsWell) {
    const auto picture = noise({64, 48, 1, 3}, io::PixelType::u8);
    trace::VariantTracer histogram(familyOf("histogram"), picture, {});
    for (const char* id : {"naive", "coarsened_contiguous", "multi_copy"}) {
        const auto trace = histogram.warp(variantOf(familyOf("histogram"), id), {}, {.x = 13, .y = 7}, {});
        EXPECT_FALSE(trace.requests.empty());
        const auto map = histogram.loads(variantOf(familyOf("histogram"), id), {}, {}, {});
        for (std::int64_t i = 0; i < 64 * 48; ++i) ASSERT_EQ(map.loads->value(i % 64, i / 64), 1) << id << " at " << i;
    }
    trace::VariantTracer stencil(familyOf("stencil"), noise({24, 20, 16}, io::PixelType::u8), {});
    for (const Variant& variant : familyOf("stencil").variants()) {
        if (variant.kind != Variant::Kind::kernel) continue;
        const auto trace = stencil.warp(variant, {}, {.x = 13, .y = 7, .z = 5}, {});
        EXPECT_FALSE(trace.requests.empty()) << variant.id;
        const auto map = stencil.loads(variant, {}, {}, {});
        EXPECT_GE(map.loads->value(12, 10, 8), 1) << variant.id;
    }
}

TEST_F(WarpTest, SaysWhyThereIsNone) {
    EXPECT_THROW(warp("naive", kWidth, 0), Error);
    EXPECT_THROW(warp("opencv", 0, 0), Error);
    EXPECT_THROW(warp("naive", 0, 0, "no such kernel"), Error);
    EXPECT_THROW(loads("opencv"), Error);
}

}  // namespace
}  // namespace warplens::gpu::testing
