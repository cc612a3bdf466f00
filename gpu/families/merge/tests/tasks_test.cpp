// SPDX-License-Identifier: Apache-2.0
// What each task means, spelled out on small pictures; refusals; and whether the check finds what is wrong.
#include "gpu/core/error.hpp"
#include "gpu/families/merge/reference.hpp"
#include "gpu/families/merge/tests/merge_case.hpp"

#include <gmock/gmock.h>
#include <limits>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr int kPermilles[] = {0, 1, 10, 50, 250, 500, 750, 950, 990, 999, 1000};

std::shared_ptr<io::Grid> rowOf(PixelType type, const std::vector<double>& values) {
    auto grid = std::make_shared<io::Grid>(io::Shape{static_cast<std::int64_t>(values.size()), 1}, type);
    for (std::size_t i = 0; i < values.size(); ++i) grid->setValue(static_cast<std::int64_t>(i), 0, 0, 0, values[i]);
    return grid;
}

RunRecord runOf(const std::shared_ptr<const io::Grid>& input, const std::string& task,
                const std::string& variant = "vectorised") {
    Request request = mergeRequest(input, task, "cpu");
    request.variants = {variant};
    Runner runner;
    return runner.run(request).runs.front();
}

// As numpy.quantile(range(10), q, method="lower").
TEST(MergeTasks, QuantilesAreTheLowerValues) {
    const auto run = runOf(rowOf(PixelType::u8, {7, 3, 9, 0, 5, 1, 8, 2, 6, 4}), "quantiles");
    ASSERT_EQ(run.status, Status::ok) << describe(run);
    EXPECT_EQ(run.result.picture, nullptr);
    const Table& table = *run.result.tables.front();
    EXPECT_EQ(table.id, "quantiles");
    EXPECT_THAT(table.reals("percent"),
                ElementsAreArray({0.0, 0.1, 1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0, 99.9, 100.0}));
    EXPECT_THAT(table.integers("value"), ElementsAreArray({0, 0, 0, 0, 2, 4, 6, 8, 8, 8, 9}));
}

// The last place that is not above its share of the way from the first to the last, counted off.
TEST(MergeTasks, QuantilesOfEveryLength) {
    for (const int length : {1, 2, 3, 5, 19, 20, 21, 41, 101, 1000, 1001, 1999, 2001, 3001}) {
        std::vector<double> shuffled;
        for (int i = 0; i < length; ++i) shuffled.push_back(static_cast<double>(i * 7919LL % length));
        const auto input = rowOf(PixelType::u16, shuffled);
        std::vector<std::int64_t> expected;
        for (const int permille : kPermilles) {
            int place = 0;
            while (place + 1 < length && (place + 1) * 1000 <= permille * (length - 1)) ++place;
            expected.push_back(place);
        }
        for (const char* task : {"quantiles", "sort"}) {
            const auto run = runOf(input, task);
            ASSERT_EQ(run.status, Status::ok) << describe(run);
            EXPECT_THAT(run.result.tables.front()->integers("value"), ElementsAreArray(expected)) << length << task;
        }
    }
}

TEST(MergeTasks, QuantilesAreOfNumbersAloneAndOfEachChannel) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    auto input = std::make_shared<io::Grid>(io::Shape{4, 1, 1, 3}, PixelType::f32);
    const double values[3][4] = {{nan, 2, nan, -1}, {nan, nan, nan, nan}, {4, 3, 2, 1}};
    for (int x = 0; x < 4; ++x)
        for (int c = 0; c < 3; ++c) input->setValue(x, 0, 0, c, values[c][x]);
    for (const char* task : {"quantiles", "sort", "merge"}) {
        const auto run = runOf(input, task);
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        const Table& table = *run.result.tables.front();
        const auto at = [&](std::size_t channel, std::size_t quantile) {
            EXPECT_EQ(table.integers("channel").at(channel * 11 + quantile), static_cast<std::int64_t>(channel));
            return table.reals("value").at(channel * 11 + quantile);
        };
        EXPECT_EQ(at(0, 0), -1);
        EXPECT_EQ(at(0, 9), -1);
        EXPECT_EQ(at(0, 10), 2);
        EXPECT_TRUE(std::isnan(at(1, 0)) && std::isnan(at(1, 10)));
        EXPECT_EQ(at(2, 5), 2);
    }
}

TEST(MergeTasks, ValuesOfAChannelStandInRasterOrder) {
    auto input = std::make_shared<io::Grid>(io::Shape{2, 2, 1, 3}, PixelType::u8);
    const int values[] = {4, 40, 9, 3, 30, 9, 2, 20, 8, 1, 10, 7},
              expected[] = {1, 10, 7, 2, 20, 8, 3, 30, 9, 4, 40, 9};
    for (int i = 0; i < 12; ++i) input->as<std::uint8_t>()[i] = static_cast<std::uint8_t>(values[i]);
    for (const char* task : {"merge", "sort"}) {
        const auto run = runOf(input, task, "naive");
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        for (int i = 0; i < 12; ++i) EXPECT_EQ(run.result.picture->as<std::uint8_t>()[i], expected[i]) << task << i;
    }
}

TEST(MergeTasks, RefuseWhatTheyCannotDo) {
    const auto floats = noise({8, 8}, PixelType::f32);
    EXPECT_THROW((void)familyOf("merge").pose(floats, mergeTask("shuffle")), Error);
    const auto problem = familyOf("merge").pose(floats, mergeTask("sort"));
    DeviceInfo gpu;
    gpu.kind = DeviceKind::cuda;
    const auto why = [&](const Problem& of, const char* id) { return of.refusal(*findVariant("merge", id), {}, gpu); };
    if (!why(*problem, "cub_merge_sort").empty()) GTEST_SKIP() << "built without CUDA";
    EXPECT_THAT(why(*problem, "cub_merge"), HasSubstr("merge"));
    EXPECT_EQ(why(*problem, "cub_radix_sort"), "");
    EXPECT_THAT(why(*familyOf("merge").pose(floats, {}), "cub_radix_sort"), HasSubstr("sort and quantiles"));
    floats->setValue(3, 3, 0, 0, std::numeric_limits<double>::quiet_NaN());
    const auto withNaN = familyOf("merge").pose(floats, mergeTask("sort"));
    EXPECT_THAT(why(*withNaN, "cub_radix_sort"), HasSubstr("NaN"));
}

// One value off, two that changed places and a zero of the other sign are found; of a library the zero is not.
TEST(MergeTasks, TheCheckFindsWhatIsWrong) {
    const auto input = rowOf(PixelType::f32, {3, -0.0, 1, 0, 2});
    const auto problem = familyOf("merge").pose(input, mergeTask("sort"));
    const Variant &kernel = *findVariant("merge", "naive"), &library = *findVariant("merge", "std_sort");
    const Result right = runOf(input, "sort").result;
    ASSERT_EQ(problem->verify(right, kernel, {}).mismatches, 0);
    const auto mismatches = [&](const std::vector<double>& values, const Variant& variant) {
        Result result = right;
        result.picture = rowOf(PixelType::f32, values);
        return problem->verify(result, variant, {}).mismatches;
    };
    EXPECT_EQ(mismatches({-0.0, 0, 1, 2, 4}, kernel), 1);
    EXPECT_EQ(mismatches({-0.0, 0, 2, 1, 3}, kernel), 2);
    EXPECT_EQ(mismatches({0, -0.0, 1, 2, 3}, kernel), 2);
    EXPECT_EQ(mismatches({0, -0.0, 1, 2, 3}, library), 0);
    Result result = right;
    result.tables = {std::make_shared<Table>(Table{.id = "quantiles", .title = "", .columns = {}})};
    EXPECT_GT(problem->verify(result, kernel, {}).mismatches, 0);
}

}  // namespace
}  // namespace warplens::gpu::testing
