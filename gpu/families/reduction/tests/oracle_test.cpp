// SPDX-License-Identifier: Apache-2.0
// What auto takes, beside plain loops over every size from 1 to 70 and primes up to a million; the family's own check
// has no part in it. numpy_test.cpp has every row beside numpy.
#include "gpu/families/reduction/tests/reduction_case.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};
// The sanitizers look at accesses, which the registry tests have as well.
constexpr int kStep = warplens::testing::kSanitized ? 9 : 1;

std::vector<double> channelOf(const io::Grid& grid, int channel) {
    std::vector<double> values;
    const auto& s = grid.shape();
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x) values.push_back(grid.value(x, y, z, channel));
    return values;
}

class ReductionOracle : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    Result resultOf(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values) {
        auto request = reductionRequest(input, values, GetParam());
        request.variants = {kAuto};
        const auto run = m_runner.run(request).runs.front();
        EXPECT_EQ(run.status, Status::ok) << run.variant << ": " << run.reason;
        return run.result;
    }

    void statistics(const io::Shape& shape, PixelType type) {
        SCOPED_TRACE(std::to_string(shape.width) + " x " + std::to_string(shape.height) + " x " +
                     std::to_string(shape.channels) + ' ' + io::nameOf(type));
        const auto input = noiseOf(shape, type, static_cast<std::uint64_t>(shape.width));
        const auto other = noiseOf(shape, type, static_cast<std::uint64_t>(shape.width) + 1000);
        const auto single = resultOf(input, {}), both = resultOf(input, comparedWith(other));
        ASSERT_FALSE(single.tables.empty() || both.tables.empty());
        for (int c = 0; c < shape.channels; ++c) {
            const auto a = channelOf(*input, c), b = channelOf(*other, c);
            const auto row = static_cast<std::size_t>(c);
            const auto near = [row](const Table& table, const char* id, long double want) {
                EXPECT_NEAR(table.find(id)->number(row), static_cast<double>(want),
                            1e-6 * std::fabs(static_cast<double>(want)) + 1e-12)
                    << id;
            };
            long double sum = 0, squares = 0, dot = 0, apart = 0, apartSquared = 0, most = 0;
            int differ = 0;
            for (const double value : a) sum += value;
            const long double mean = sum / static_cast<long double>(a.size());
            for (std::size_t i = 0; i < a.size(); ++i) {
                const long double gap = std::fabs(a[i] - b[i]);
                squares += (a[i] - mean) * (a[i] - mean);
                dot += static_cast<long double>(a[i]) * b[i];
                apart += gap;
                apartSquared += gap * gap;
                most = std::max(most, gap);
                differ += a[i] != b[i];
            }
            const auto count = static_cast<long double>(a.size());
            const Table &one = *single.tables.front(), &two = *both.tables.front();
            near(one, "count", count);
            near(one, "sum", sum);
            near(one, "mean", mean);
            near(one, "variance", squares / count);
            const auto [least, largest] = std::pair{std::ranges::min_element(a), std::ranges::max_element(a)};
            near(one, "minimum", *least);
            near(one, "maximum", *largest);
            for (const auto& [name, at] : {std::pair{"minimum", least - a.begin()}, {"maximum", largest - a.begin()}}) {
                EXPECT_EQ(one.find(std::string(name) + "_x")->number(row), at % shape.width);
                EXPECT_EQ(one.find(std::string(name) + "_y")->number(row), at / shape.width);
            }
            near(two, "dot", dot);
            near(two, "max_abs", most);
            near(two, "mean_abs", apart / count);
            near(two, "rmse", std::sqrt(apartSquared / count));
            near(two, "mismatches", differ);
        }
    }

    void projections(const io::Shape& shape, PixelType type) {
        const auto input = noiseOf(shape, type, 7);
        const std::int64_t extent[3] = {shape.width, shape.height, shape.depth};
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (const std::string keep : {"maximum", "minimum", "mean", "sum"}) {
                const auto made = resultOf(input, projected(std::string(1, "xyz"[axis]), keep)).picture;
                ASSERT_NE(made, nullptr);
                // What is left of x, y and z becomes the picture's columns and rows, in that order.
                const std::size_t across = axis == 0 ? 1 : 0, down = axis == 2 ? 1 : 2;
                ASSERT_EQ(made->shape().width, extent[across]);
                ASSERT_EQ(made->shape().height, extent[down]);
                for (int c = 0; c < shape.channels; ++c)
                    for (std::int64_t v = 0; v < extent[down]; ++v)
                        for (std::int64_t u = 0; u < extent[across]; ++u) {
                            std::vector<double> ray;
                            std::int64_t at[3]{};
                            at[across] = u;
                            at[down] = v;
                            for (at[axis] = 0; at[axis] < extent[axis]; ++at[axis])
                                ray.push_back(input->value(at[0], at[1], at[2], c));
                            double want = 0;
                            for (const double value : ray) want += value;
                            if (keep == "mean") want /= static_cast<double>(ray.size());
                            if (keep == "maximum") want = std::ranges::max(ray);
                            if (keep == "minimum") want = std::ranges::min(ray);
                            ASSERT_NEAR(made->value(u, v, 0, c), want, 1e-6 * std::fabs(want) + 1e-12)
                                << keep << " along "
                                << "xyz"[axis] << " at " << u << ", " << v;
                        }
            }
    }

private:
    Runner m_runner;
};

TEST_P(ReductionOracle, EverySizeUpTo70) {
    constexpr int kChannels[] = {1, 3, 4};
    for (int width = 1; width <= 70; width += kStep)
        for (int i = 0; i < 3; ++i) {
            const int channels = kChannels[(width + i) % 3];
            statistics({width, 1 + 7 * width % 70, 1, channels}, kTypes[i]);
            if (width % 3 == i) projections({width, 1 + 7 * width % 20, 1 + 11 * width % 70, channels}, kTypes[i]);
        }
}

TEST_P(ReductionOracle, PrimesUpToAMillion) {
    if (warplens::testing::kSanitized) GTEST_SKIP() << "takes long under sanitizers, which look at accesses";
    for (const auto type : kTypes)
        for (const auto& shape : {io::Shape{101, 103}, io::Shape{1009, 1, 1, 3}, io::Shape{1, 1009, 1, 4},
                                  io::Shape{10007, 1}, io::Shape{100003, 1}, io::Shape{999983, 1}})
            statistics(shape, type);
}

INSTANTIATE_TEST_SUITE_P(Reduction, ReductionOracle, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
