// SPDX-License-Identifier: Apache-2.0
// Who gets the same bits of a float sum: what a row says of itself holds, and the fixed tree is the tree it is said to
// be.
#include "gpu/families/reduction/problem.hpp"
#include "gpu/families/reduction/tests/reduction_case.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

namespace warplens::gpu::testing {
namespace {

std::shared_ptr<const io::Grid> difficultFloats() {
    std::vector<float> values(150001);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(io::randomBits(9, i) >> 40) * std::exp2(static_cast<float>(i % 37) - 30.0F);
    return floatRow(values);
}

struct Bits {
    std::uint64_t sum, mean, variance;
    auto operator<=>(const Bits&) const = default;
};

/// Of one variant under one schedule and with one choice of tunables.
Bits bitsOf(Runner& runner, const std::shared_ptr<const io::Grid>& input, const std::string& variant,
            const TunableValues& tunables, std::uint64_t seed, const std::string& device = "cpu") {
    auto request = reductionRequest(input, {}, device);
    request.variants = {variant};
    request.tunables = tunables;
    request.scheduling = {.workers = seed % 2 == 0 ? 1 : 2, .shuffleSeed = seed};
    const auto run = runner.run(request).runs.front();
    EXPECT_EQ(run.status, Status::ok) << variant << ": " << run.reason;
    if (run.status != Status::ok) return {};
    const Table& table = *run.result.tables.front();
    const auto of = [&](const char* id) { return std::bit_cast<std::uint64_t>(table.reals(id).front()); };
    return {of("sum"), of("mean"), of("variance")};
}

TEST(BitsOfReductions, AreTheSameFromRunToRunWhereARowSaysSo) {
    Runner runner;
    const auto input = difficultFloats();
    for (const Variant& variant : familyOf("reduction").variants()) {
        if (variant.kind != Variant::Kind::kernel) continue;
        const auto& entry = reduction::ladder().anyBuildOf(variant);
        if (!entry.statistics || entry.sameBits == reduction::SameBits::no) continue;
        std::set<Bits> seen;
        for (const std::uint64_t seed : {0, 1, 2}) seen.insert(bitsOf(runner, input, variant.id, {}, seed));
        EXPECT_EQ(seen.size(), 1U) << variant.id;
    }
}

// Another number of multiprocessors is another grid.
TEST(BitsOfReductions, AreTheSameOnOtherGridsWhereARowSaysSo) {
    Runner runner;
    const auto input = difficultFloats();
    std::set<std::string> differ;
    for (const Variant& variant : familyOf("reduction").variants()) {
        if (variant.kind != Variant::Kind::kernel || variant.id == "atomic") continue;
        const auto& entry = reduction::ladder().anyBuildOf(variant);
        const bool chooses =
            std::ranges::any_of(variant.tunables, [](const Tunable& t) { return t.id == "blocks_per_multiprocessor"; });
        if (!chooses) continue;
        std::set<Bits> seen;
        for (const int blocks : {1, 2, 3})
            seen.insert(bitsOf(runner, input, variant.id, {{"blocks_per_multiprocessor", blocks}}, 0));
        if (entry.sameBits == reduction::SameBits::onEveryDevice) {
            EXPECT_EQ(seen.size(), 1U) << variant.id;
        }
        if (seen.size() > 1) differ.insert(variant.id);
    }
    // What the fixed tree is there for does happen to the others.
    EXPECT_TRUE(differ.contains("fused"));
    EXPECT_FALSE(differ.contains("fixed_tree"));
}

TEST(BitsOfReductions, OfTheGpuAreThoseOfTheCpu) {
    const auto list = listDevices();
    if (!list.devices.front().ranks()) GTEST_SKIP() << "no GPU here: " << list.whyNoCuda;
    Runner runner;
    const auto input = difficultFloats();
    for (const Variant& variant : familyOf("reduction").variants()) {
        if (variant.kind != Variant::Kind::kernel) continue;
        const auto& entry = reduction::ladder().anyBuildOf(variant);
        if (!entry.statistics || entry.sameBits != reduction::SameBits::onEveryDevice) continue;
        EXPECT_EQ(bitsOf(runner, input, variant.id, {}, 0, "cuda:0"), bitsOf(runner, input, variant.id, {}, 0))
            << variant.id;
    }
}

/// Sixteen values of a lane as they are joined: four accumulators over four packs, then those in pairs.
float joined(const std::array<float, 16>& values) {
    std::array<float, 4> sums{};
    for (std::size_t i = 0; i < 16; ++i) sums[i % 4] += values[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// The fixed tree's sum in plain loops: leaves of 4,096 values, in each of them 32 lanes, in each of those 8 times 16
/// values in f32; the leaves 256 ways, and those by warps.
double fixedTreeSum(const float* values, std::size_t count) {
    constexpr std::size_t kLeaf = 4096, kChunk = 512;
    const auto halved = [](std::vector<double> sums) {
        for (std::size_t apart = sums.size() / 2; apart >= 1; apart /= 2)
            for (std::size_t i = 0; i < apart; ++i) sums[i] += sums[i + apart];
        return sums[0];
    };
    std::vector<double> leaves;
    for (std::size_t leaf = 0; leaf < count; leaf += kLeaf) {
        std::vector<double> lanes(32);
        for (std::size_t chunk = leaf; chunk < std::min(count, leaf + kLeaf); chunk += kChunk) {
            for (std::size_t lane = 0; lane < 32; ++lane) {
                if (chunk + kChunk > count) {
                    for (std::size_t i = chunk + lane; i < count; i += 32)
                        lanes[lane] += static_cast<double>(values[i]);
                    continue;
                }
                std::array<float, 16> own{};
                for (std::size_t i = 0; i < 16; ++i) own[i] = values[chunk + (i / 4 * 32 + lane) * 4 + i % 4];
                lanes[lane] += static_cast<double>(joined(own));
            }
        }
        leaves.push_back(halved(lanes));
    }
    std::vector<double> warps;
    for (std::size_t warp = 0; warp < 8; ++warp) {
        std::vector<double> lanes(32);
        for (std::size_t lane = 0; lane < 32; ++lane)
            for (std::size_t i = warp * 32 + lane; i < leaves.size(); i += 256) lanes[lane] += leaves[i];
        warps.push_back(halved(lanes));
    }
    warps.resize(32);
    return halved(warps);
}

TEST(BitsOfReductions, OfTheFixedTreeAreThoseOfAPlainLoop) {
    Runner runner;
    for (const std::size_t size : {1U, 511U, 512U, 4096U, 4097U, 150001U}) {
        const auto all = difficultFloats();
        const std::vector<float> values(all->as<float>(), all->as<float>() + size);
        const auto bits = bitsOf(runner, floatRow(values), "fixed_tree", {}, 0);
        EXPECT_EQ(std::bit_cast<double>(bits.sum), fixedTreeSum(values.data(), size)) << size;
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
