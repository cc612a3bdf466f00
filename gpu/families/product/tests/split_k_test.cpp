// SPDX-License-Identifier: Apache-2.0
// software_pipelined's tiles of every height, their sums split in every way: against the definition, with the same bits
// every time; and what the model of turns makes of sizes.
#include "gpu/families/product/split_k.hpp"

#include "gpu/families/product/tests/product_case.hpp"

#include <cstring>
#include <tuple>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;
using product::ProductSize;
using product::splitPlan;
using product::SplitPlan;

constexpr PixelType kSplitTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};
const std::vector<std::string> kSplitRow{"software_pipelined"};

class ProductSplit : public ProductOnDevice {
protected:
    void expectSplit(const io::Shape& shape, PixelType type, const ParameterValues& parameters, int outputs,
                     int splits) {
        const auto input = type == PixelType::f32 ? signedNoise(shape, 3) : noise(shape, type, 5);
        const std::string what = std::to_string(shape.width) + "x" + std::to_string(shape.height) + " " +
                                 io::nameOf(type) + " outputs " + std::to_string(outputs) + " splits " +
                                 std::to_string(splits);
        const TunableValues tunables{{"outputs_per_thread", outputs}, {"splits", splits}};
        EXPECT_EQ(expectAllOk(input, parameters, what, tunables, kSplitRow), 1) << what;
    }
};

// Inner extents around whole steps of 16, primes and 1; splits that divide none of them, and more than there are steps.
TEST_P(ProductSplit, EveryHeightOfTilesAndEveryWayToSplit) {
    int n = 0;
    for (const int outputs : {32, 64, 128})
        for (const int splits : {0, 1, 2, 3, 5, 7, 64})
            for (const auto& [rows, inner, columns] : {std::tuple{1, 1, 1},
                                                       {1, 257, 1},
                                                       {3, 331, 131},
                                                       {131, 97, 2},
                                                       {33, 112, 128},
                                                       {65, 113, 129},
                                                       {128, 127, 127},
                                                       {30, 17, 140}})
                expectSplit({inner, rows}, kSplitTypes[n++ % 3], times(signedNoise({columns, inner}, 7)), outputs,
                            splits);
}

TEST_P(ProductSplit, ChannelsAndSlicesWithAFactorForAllOrOneForEach) {
    for (const int outputs : {32, 64, 128})
        for (const PixelType type : kSplitTypes)
            for (const io::Shape& s : {io::Shape{67, 37, 1, 3}, io::Shape{50, 5, 2, 3}}) {
                expectSplit(s, type, times(signedNoise({35, s.width}, 13)), outputs, 3);
                expectSplit(s, type, times(noise({134, s.width, s.depth, s.channels}, PixelType::u8, 17)), outputs, 4);
            }
}

TEST_P(ProductSplit, FrequenciesOfThinPictures) {
    for (const PixelType type : kSplitTypes)
        for (const auto& [width, height] : {std::pair{331, 3}, {3, 331}, {1, 200}, {200, 1}, {77, 30}})
            for (const int outputs : {32, 64, 128})
                for (const int splits : {0, 3}) expectSplit({width, height}, type, frequencies(32), outputs, splits);
}

// Six turns of whole tiles, then eight that are split; and whole ones that end within a layer.
TEST_P(ProductSplit, WholeTilesBeforeThoseThatAreSplit) {
    const auto expectRight = [&](const io::Shape& shape, const ParameterValues& parameters) {
        auto request = productRequest(noise(shape, PixelType::u8), parameters, GetParam());
        request.variants = kSplitRow;
        request.tunables = {{"outputs_per_thread", 32}, {"splits", 3}};
        EXPECT_EQ(kernelsThatRan(request), 1);
    };
    ASSERT_EQ(splitPlan({3195, 35, 1000}, 32, 3).whole, 792);
    expectRight({35, 3195}, times(signedNoise({1000, 35}, 7)));
    ASSERT_EQ(splitPlan({150, 35, 120, 161}, 32, 3).whole, 792);
    expectRight({35, 150, 161, 1}, times(noise({120, 35, 161, 1}, PixelType::u8, 17)));
}

// 64 layers of which turned left factors take 32 MiB are multiplied together, then the rest, split in another way.
TEST_P(ProductSplit, LayersThatAreNotMultipliedTogether) {
    const io::Shape shape{4096, 2, 65, 1};
    ASSERT_EQ(product::layersTogether({2, 4096, 1, 65}, 32), 64);
    ASSERT_GT(splitPlan({2, 4096, 1, 1}, 32, 0).splits, splitPlan({2, 4096, 1, 64}, 32, 0).splits);
    auto request = productRequest(noise(shape, PixelType::u8), times(signedNoise({1, 4096}, 7)), GetParam());
    request.variants = kSplitRow;
    EXPECT_EQ(kernelsThatRan(request), 1);
}

// Whatever order blocks and threads come in.
TEST_P(ProductSplit, TheSameBitsEveryTime) {
    auto request = productRequest(signedNoise({331, 70}, 3), times(signedNoise({200, 331}, 7)), GetParam());
    request.variants = kSplitRow;
    request.tunables = {{"outputs_per_thread", 32}, {"splits", 5}};
    std::shared_ptr<const io::Grid> first;
    for (const std::uint64_t seed : {0, 1, 2}) {
        request.scheduling.shuffleSeed = seed;
        const auto run = m_runner.run(request).runs.front();
        if (run.status == Status::unsupported) GTEST_SKIP() << run.reason;
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        if (first == nullptr) first = run.result.picture;
        EXPECT_EQ(std::memcmp(first->as<float>(), run.result.picture->as<float>(), first->bytes()), 0) << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(Product, ProductSplit, kDevices, nameOfDevice);

TunableValues fitted(const io::Shape& shape, const ParameterValues& parameters, const TunableValues& chosen = {}) {
    const Family& family = familyOf("product");
    const auto problem = family.pose(std::make_shared<const io::Grid>(shape, PixelType::u8), parameters);
    return problem->resolved(variantOf(family, "software_pipelined"), chosen, {});
}

// What was slower than cuBLAS on an H200 is split, and what fills its turns stays as it was.
TEST(ProductSplitModel, SplitsWhereATurnWouldBeAlmostEmptyAndNowhereElse) {
    for (const int n : {2048, 4095, 4096, 8192}) {
        EXPECT_EQ(product::fittedOutputs({{n, n, n}}, 0), 128) << n;
        EXPECT_EQ(splitPlan({n, n, n}, 128, 0).splits, 1) << n;
    }
    const SplitPlan odd = splitPlan({1808, 4096, 1190}, 128, 0);
    EXPECT_GT(odd.splits, 1);
    EXPECT_LT(odd.cost, 0.7 * splitPlan({1808, 4096, 1190}, 128, 1).cost);
    EXPECT_EQ(product::fittedOutputs({{4096, 4096, 1024}}, 0), 128) << "256 tiles, two a multiprocessor";
    EXPECT_EQ(splitPlan({4096, 4096, 1024}, 128, 0).splits, 1);
    EXPECT_GT(splitPlan({1024, 4096, 1024}, 128, 0).splits, 1) << "64 tiles";
    for (const int thin : {1, 3, 30}) {
        for (const ProductSize& size : {ProductSize{thin, 3259, 1043}, ProductSize{1043, 3259, thin}}) {
            EXPECT_EQ(product::fittedOutputs({size}, 0), size.rows == thin ? 32 : 64) << thin;
            EXPECT_GT(splitPlan(size, 32, 0).splits, 4) << thin;
        }
    }
    EXPECT_EQ(splitPlan({3, 20, 1043}, 32, 0).splits, 1) << "nothing to split";
}

TEST(ProductSplitModel, ProblemsSayWhatIsFittedAndKeepWhatIsChosen) {
    const ParameterValues odd = times(std::make_shared<const io::Grid>(io::Shape{1190, 4096}, PixelType::f32));
    const TunableValues values = fitted({4096, 1808}, odd);
    EXPECT_GT(values.at("splits"), 1);
    EXPECT_EQ(fitted({4096, 1808}, odd, {{"splits", 2}}).at("splits"), 2);
    for (const int outputs : {32, 64, 128})
        EXPECT_EQ(fitted({4096, 1808}, odd, {{"outputs_per_thread", outputs}}).at("outputs_per_thread"), outputs);
    const TunableValues thin = fitted({3259, 3}, frequencies(32));
    EXPECT_EQ(thin.at("outputs_per_thread"), 32);
    EXPECT_EQ(thin.at("splits"), 0) << "each of four products has its own";
    EXPECT_EQ(fitted({8, 8, 1, 3}, colours()).at("outputs_per_thread"), 128);
}

// Every term of every tile belongs to one share, and none is empty.
TEST(ProductSplitModel, EveryPlanCoversTheTermsOnce) {
    for (const int outputs : {32, 64, 128})
        for (int inner = 1; inner < 9000; inner += inner < 100 ? 1 : 997)
            for (int splits = 0; splits <= 64; ++splits)
                for (const int rows : {1, 129, 5000}) {
                    const ProductSize size{rows, inner, 300, 2};
                    const SplitPlan plan = splitPlan(size, outputs, splits);
                    ASSERT_EQ(plan.terms % product::SplitTile::kDeep, 0);
                    ASSERT_GE(plan.splits * plan.terms, inner);
                    ASSERT_LT((plan.splits - 1) * plan.terms, inner);
                    ASSERT_LE(plan.whole, plan.tiles);
                    ASSERT_EQ(plan.tiles, (rows + outputs - 1) / outputs * 3 * 2);
                    ASSERT_TRUE(plan.whole % 132 == 0 || plan.whole == plan.tiles);
                    ASSERT_EQ(plan.splits > 1, plan.whole < plan.tiles);
                    // What was fitted and is then chosen is the same.
                    if (splits == 0) {
                        const SplitPlan again = splitPlan(size, outputs, plan.splits);
                        ASSERT_EQ(again.splits, plan.splits);
                        ASSERT_EQ(again.terms, plan.terms);
                        ASSERT_EQ(again.whole, plan.whole);
                    }
                }
}

}  // namespace
}  // namespace warplens::gpu::testing
