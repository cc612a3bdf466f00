// SPDX-License-Identifier: Apache-2.0
// Two lists of any lengths, of one picture or of two, as they are or sorted beforehand; and the search for a co-rank.
#include "gpu/core/error.hpp"
#include "gpu/families/merge/tests/merge_case.hpp"

#include <functional>
#include <iterator>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

const std::set<std::string> kRows{"naive",      "co_rank",      "tiled",   "circular_buffer",
                                  "vectorised", "asynchronous", "std_sort"};

std::shared_ptr<io::Grid> rowOf(const std::vector<double>& values, PixelType type = PixelType::f32) {
    auto grid = std::make_shared<io::Grid>(io::Shape{static_cast<std::int64_t>(values.size()), 1}, type);
    for (std::size_t i = 0; i < values.size(); ++i) grid->setValue(static_cast<std::int64_t>(i), 0, 0, 0, values[i]);
    return grid;
}

Parameter::Value secondList(std::shared_ptr<const io::Grid> grid) {
    return std::make_shared<const NamedGrid>(NamedGrid{"second.csv", std::move(grid)});
}

/// The values of both, pixel after pixel.
io::Grid both(const io::Grid& a, const io::Grid& b, const io::Shape& shape) {
    io::Grid all(shape, a.type());
    std::memcpy(all.data(), a.data(), a.bytes());
    std::memcpy(all.data() + a.bytes(), b.data(), b.bytes());
    return all;
}

class MergeLists : public MergeCase {
protected:
    Request request(std::shared_ptr<const io::Grid> input, ParameterValues more) {
        auto made = mergeRequest(std::move(input), "merge", GetParam());
        made.parameters.merge(more);
        return made;
    }
};

// Whatever is first, of short lists and of several tiles, in channels that begin anywhere.
TEST_P(MergeLists, OneListMayBeLongerThanTheOther) {
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::i32, PixelType::f32})
        for (const auto& [shape, splits] :
             {std::pair{io::Shape{40, 1}, std::vector<std::int64_t>{1, 15, 20, 25, 39, 40}},
              {io::Shape{13, 7, 1, 3}, {1, 2, 45, 90, 91}},
              {io::Shape{101, 97}, {1, 3841, 9000, 9796}}})
            for (const std::int64_t first : splits) {
                const auto input = noise(shape, type);
                const std::string what = std::to_string(first) + " of " + std::to_string(shape.pixels());
                EXPECT_EQ(expectSorted(request(input, {{"first", first}}), *input, what), kRows) << what;
            }
}

TEST_P(MergeLists, MayBeTwoPictures) {
    for (const auto type : {PixelType::u8, PixelType::f32})
        for (const auto& [a, b, shape] : {std::tuple{io::Shape{15, 1}, io::Shape{25, 1}, io::Shape{40, 1}},
                                          {io::Shape{31, 20}, io::Shape{31, 3}, io::Shape{31, 23}},
                                          {io::Shape{7, 3, 2, 3}, io::Shape{5, 5, 1, 3}, io::Shape{67, 1, 1, 3}}}) {
            const auto first = noise(a, type, 1), second = noise(b, type, 2);
            const io::Grid all = both(*first, *second, shape);
            EXPECT_EQ(expectSorted(request(first, {{"with", secondList(second)}}), all, "two pictures"), kRows);
        }
}

TEST_P(MergeLists, AreMergedAsGivenWhenSorted) {
    const auto a = sortedByStd(*noise({15, 1}, PixelType::u16, 1)), b = sortedByStd(*noise({25, 1}, PixelType::u16, 2));
    const io::Grid all = both(*a, *b, {40, 1});
    const ParameterValues given{{"lists", std::string("given")}, {"with", secondList(b)}};
    EXPECT_EQ(expectSorted(request(a, given), all, "given"), kRows);
    const auto joined = std::make_shared<const io::Grid>(all.clone());
    const ParameterValues divided{{"lists", std::string("given")}, {"first", std::int64_t{15}}};
    EXPECT_EQ(expectSorted(request(joined, divided), all, "given, divided"), kRows);
}

TEST_P(MergeLists, ThatDoNotGoTogetherAreRefused) {
    const auto why = [&](std::shared_ptr<const io::Grid> input, ParameterValues values) -> std::string {
        try {
            m_runner.run(request(std::move(input), std::move(values)));
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), Error::Kind::argument);
            return error.what();
        }
        return {};
    };
    const ParameterValues given{{"lists", std::string("given")}, {"first", std::int64_t{3}}};
    EXPECT_EQ(why(rowOf({1, 3, 2, 4, 5}), given),
              "lists given: the first list is not sorted from its value 3 on: sort it, or give --lists sort");
    EXPECT_EQ(why(rowOf({1, 2, 3, 5, 4}), given),
              "lists given: the second list is not sorted from its value 2 on: sort it, or give --lists sort");
    EXPECT_NE(why(rowOf({1, 2, std::nan("")}), given).find("first list is not sorted from its value 3"),
              std::string::npos);
    EXPECT_EQ(why(rowOf({1, 2, 2, 0, 1}), given), "");
    EXPECT_NE(why(rowOf({1, 2}), {{"first", std::int64_t{3}}}).find("3 of 2 values"), std::string::npos);
    EXPECT_NE(why(rowOf({1, 2}), {{"rank", std::int64_t{3}}}).find("3 of 2 outputs"), std::string::npos);
    EXPECT_EQ(why(rowOf({1, 2}), {{"with", secondList(rowOf({1}, PixelType::u8))}}),
              "with: second.csv is u8 of 1 channel, the picture f32 of 1 channel: give lists of the same type and "
              "channels");
    EXPECT_NE(why(rowOf({1}), {{"with", secondList(rowOf({1}))}, {"first", std::int64_t{1}}}).find("leave it out"),
              std::string::npos);
}

// The last step says how many come from the first list, as a stable merge tells; every step halves what is left.
TEST_P(MergeLists, TellTheStepsOfTheSearchForACoRank) {
    const std::vector<double> a{1, 3, 3, 5, 7, 9, 9, 9, 12, 13, 20, 21, 22, 23, 24}, b{2, 3, 9, 9, 10, 30, 31};
    std::vector<std::pair<double, bool>> from, other, merged;
    for (const double value : a) from.emplace_back(value, true);
    for (const double value : b) other.emplace_back(value, false);
    std::merge(from.begin(), from.end(), other.begin(), other.end(), std::back_inserter(merged),
               [](const auto& x, const auto& y) { return x.first < y.first; });
    std::int64_t expected = 0;
    for (std::size_t k = 0; k <= merged.size(); ++k) {
        auto asked = request(rowOf(a), {{"with", secondList(rowOf(b))}, {"rank", static_cast<std::int64_t>(k)}});
        asked.variants = {"co_rank"};
        const auto run = m_runner.run(asked).runs.front();
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        ASSERT_EQ(run.result.tables.size(), 2U);
        const Table& steps = *run.result.tables.back();
        ASSERT_EQ(steps.id, "co_rank");
        EXPECT_EQ(steps.integers("i").back(), expected) << k;
        EXPECT_EQ(steps.integers("j").back(), static_cast<std::int64_t>(k) - expected) << k;
        EXPECT_LE(steps.rows(), 1U + 3U) << "up to 7 places are left, which takes 3 steps";
        for (std::size_t n = 0; n + 1 < steps.rows(); ++n) {
            const auto wide = [&](std::size_t at) { return steps.integers("high")[at] - steps.integers("low")[at]; };
            EXPECT_LE(wide(n + 1), wide(n) / 2) << k;
            EXPECT_EQ(steps.reals("a_i")[n], a.at(static_cast<std::size_t>(steps.integers("i")[n])));
            EXPECT_EQ(steps.reals("b_j")[n], b.at(static_cast<std::size_t>(steps.integers("j")[n])));
        }
        if (k < merged.size() && merged[k].second) ++expected;
    }
}

INSTANTIATE_TEST_SUITE_P(Merge, MergeLists, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
