// SPDX-License-Identifier: Apache-2.0
// Every row on every device: each task, type, number of channels and every remainder of a word; masks of which
// scikit-image's thin() and scipy's binary_fill_holes() say the same; and passes enough for a spiral.
#include "tests/support/family_on_device.hpp"

#include <vector>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;
using Rows = std::vector<std::string>;

const Parameter::Value kFill = std::string("fill-holes"), kThin = std::string("skeleton");

std::shared_ptr<io::Grid> pictureOf(const Rows& rows) {
    auto grid = std::make_shared<io::Grid>(
        io::Shape{static_cast<std::int64_t>(rows[0].size()), static_cast<std::int64_t>(rows.size())}, PixelType::u8);
    for (std::size_t y = 0; y < rows.size(); ++y)
        for (std::size_t x = 0; x < rows[y].size(); ++x)
            grid->setValue(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y), 0, 0,
                           rows[y][x] == '#' ? 200 : 0);
    return grid;
}

Rows rowsOf(const io::Grid& made) {
    Rows rows;
    for (std::int64_t y = 0; y < made.shape().height; ++y) {
        rows.emplace_back();
        for (std::int64_t x = 0; x < made.shape().width; ++x) {
            const double value = made.value(x, y);
            rows.back() += value == 255 ? '#' : value == 0 ? '.' : '?';
        }
    }
    return rows;
}

class Binary : public FamilyOnDevice {
protected:
    Binary() : FamilyOnDevice("binary") {}

    void expectAllRows(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values,
                       const std::string& what) {
        const bool thins = values.at("task") == kThin;
        EXPECT_EQ(expectAllOk(input, values, what), thins ? (std::set<std::string>{"naive", "lookup", "bits"})
                                                          : (std::set<std::string>{"naive", "bits", "opencv"}))
            << what;
    }
    void expectMade(const Rows& from, const Parameter::Value& task, const Rows& expected) {
        for (const auto& run : m_runner.run(requestOf(pictureOf(from), {{"task", task}, {"level", 100.0}})).runs) {
            if (run.status == Status::unsupported) continue;
            ASSERT_EQ(run.status, Status::ok) << describe(run);
            EXPECT_EQ(rowsOf(*run.result.picture), expected) << run.variant;
        }
    }
};

TEST_P(Binary, EveryTaskTypeChannelAndSize) {
    for (const Parameter::Value& task : {kFill, kThin})
        for (const io::Shape& shape : {io::Shape{1, 1}, io::Shape{65, 1}, io::Shape{1, 37}, io::Shape{53, 29},
                                       io::Shape{19, 23, 1, 3}, io::Shape{17, 13, 1, 4}, io::Shape{35, 7, 3}})
            for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32})
                for (const double part : {0.1, 0.35}) {
                    const double top = type == PixelType::u8 ? 255 : type == PixelType::u16 ? 65535 : 1;
                    expectAllRows(noise(shape, type, 3), {{"task", task}, {"level", part * top}},
                                  format(task) + ' ' + std::to_string(shape.width) + "x" +
                                      std::to_string(shape.height) + io::nameOf(type));
                }
    for (const Parameter::Value& task : {kFill, kThin})
        for (const double level : {-1.0, 255.0})
            expectAllRows(noise({41, 33}, PixelType::u8), {{"task", task}, {"level", level}}, "all, and nothing");
}

TEST_P(Binary, EveryRemainderOfAWord) {
    for (std::int64_t width = 30; width <= 66; ++width)
        for (const Parameter::Value& task : {kFill, kThin})
            expectAllRows(noise({width, 9}, PixelType::u8, 5), {{"task", task}, {"level", 70.0}},
                          format(task) + ' ' + std::to_string(width));
}

TEST_P(Binary, EveryTunable) {
    for (const Variant& variant : familyOf("binary").variants())
        for (const Tunable& tunable : variant.tunables)
            for (const int value : {1, 5, 16})
                EXPECT_FALSE(expectAllOk(noise({45, 38}, PixelType::u8), {{"task", kThin}, {"level", 70.0}}, tunable.id,
                                         {variant.id}, {{tunable.id, value}})
                                 .empty());
}

TEST_P(Binary, WorkedOutByHand) {
    const Rows rings{"...........", ".########..", ".#......#..", ".#.##...##.", ".#..#...#..",
                     ".########..", "..#..#.....", ".####......", "..........."};
    expectMade(rings, kFill,
               {"...........", ".########..", ".########..", ".#########.", ".########..", ".########..", "..####.....",
                ".####......", "..........."});
    expectMade(rings, kThin,
               {"...........", "..######...", ".#......#..", ".#.#....#..", ".#..#...#..", "..######...", "..#..#.....",
                ".####......", "..........."});
    expectMade({"#########", "#########", "#########", "...###...", "...###...", "...###...", "...###..."}, kThin,
               {".........", ".##..###.", "...##....", "....#....", "....#....", "....#....", "........."});
}

// The way in is longer than what passes are launched at once reach; the middle of another one has no way in.
TEST_P(Binary, FillsASpiralOnlyWhereItIsClosed) {
    Rows open(41, std::string(41, '.'));
    int left = 0, top = 0, right = 40, bottom = 40;
    while (right - left > 3) {
        for (int x = left; x <= right; ++x) open[static_cast<std::size_t>(top)][static_cast<std::size_t>(x)] = '#';
        for (int y = top; y <= bottom; ++y) open[static_cast<std::size_t>(y)][static_cast<std::size_t>(right)] = '#';
        for (int x = left; x <= right; ++x) open[static_cast<std::size_t>(bottom)][static_cast<std::size_t>(x)] = '#';
        for (int y = top + 2; y <= bottom; ++y) open[static_cast<std::size_t>(y)][static_cast<std::size_t>(left)] = '#';
        if (left > 0) open[static_cast<std::size_t>(top)][static_cast<std::size_t>(left - 1)] = '#';
        left += 2, top += 2, right -= 2, bottom -= 2;
    }
    expectMade(open, kFill, open);
    Rows closed = open, filled(41, std::string(41, '#'));
    closed[1][0] = '#';
    expectMade(closed, kFill, filled);
}

INSTANTIATE_TEST_SUITE_P(Binary, Binary, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
