// SPDX-License-Identifier: Apache-2.0
// Every row on every device: each type, number of channels and size; what splits and what does not, counted
// here; and cuts that were worked out by hand.
#include "tests/support/family_on_device.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

struct Disc {
    double x, y, radius;
};

struct Ball {
    double x, y, z, radius;
};

/// A volume of balls, whose slices are as thick as so many pixels.
std::shared_ptr<io::Grid> volumeOf(const std::vector<Ball>& balls, const io::Shape& shape, double thick) {
    auto grid = std::make_shared<io::Grid>(shape, PixelType::u8);
    grid->geometry.spacing = {0.25, 0.25, 0.25 * thick};
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                const bool inside = std::ranges::any_of(balls, [&](const Ball& b) {
                    return std::hypot(static_cast<double>(x) - b.x, static_cast<double>(y) - b.y,
                                      static_cast<double>(z) * thick - b.z) <= b.radius;
                });
                grid->setValue(x, y, z, 0, inside ? 200 : 10);
            }
    return grid;
}

/// How many regions are above 0, whose pixels are neighbours along an edge or a corner.
int regionsOf(io::Grid made) {
    const io::Shape s = made.shape();
    int regions = 0;
    for (std::int64_t first = 0; first < s.pixels(); ++first) {
        std::vector<std::int64_t> open{first};
        if (made.value(first % s.width, first / s.width % s.height, first / s.width / s.height) > 0) ++regions;
        while (!open.empty()) {
            const std::int64_t x = open.back() % s.width, y = open.back() / s.width % s.height,
                               z = open.back() / s.width / s.height;
            open.pop_back();
            if (!(made.value(x, y, z) > 0)) continue;
            made.setValue(x, y, z, 0, 0);
            for (std::int64_t w = std::max<std::int64_t>(0, z - 1); w <= std::min(s.depth - 1, z + 1); ++w)
                for (std::int64_t v = std::max<std::int64_t>(0, y - 1); v <= std::min(s.height - 1, y + 1); ++v)
                    for (std::int64_t u = std::max<std::int64_t>(0, x - 1); u <= std::min(s.width - 1, x + 1); ++u)
                        open.push_back((w * s.height + v) * s.width + u);
        }
    }
    return regions;
}

class Watershed : public FamilyOnDevice {
protected:
    Watershed() : FamilyOnDevice("watershed") {}

    void expectAllRows(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values,
                       const std::string& what) {
        EXPECT_EQ(expectAllOk(input, values, what),
                  (std::set<std::string>{"relaxation", "jumping", "walking", "tiled_jumping"}))
            << what;
    }
    /// How many regions each row leaves of discs.
    void expectRegions(const std::vector<Disc>& discs, double tolerance, int expected) {
        auto grid = std::make_shared<io::Grid>(io::Shape{90, 61}, PixelType::u8);
        std::fill_n(grid->as<std::uint8_t>(), 90 * 61, std::uint8_t{0});
        for (std::int64_t y = 0; y < 61; ++y)
            for (std::int64_t x = 0; x < 90; ++x)
                for (const Disc& d : discs)
                    if (std::hypot(static_cast<double>(x) - d.x, static_cast<double>(y) - d.y) <= d.radius)
                        grid->setValue(x, y, 0, 0, 255);
        for (const auto& run : m_runner.run(requestOf(grid, {{"tolerance", tolerance}})).runs) {
            ASSERT_EQ(run.status, Status::ok) << describe(run);
            EXPECT_EQ(regionsOf(run.result.picture->clone()), expected) << run.variant;
        }
    }
};

TEST_P(Watershed, EveryTypeChannelAndSize) {
    for (const io::Shape& shape : {io::Shape{1, 1}, io::Shape{31, 1}, io::Shape{1, 37}, io::Shape{53, 29},
                                   io::Shape{19, 23, 1, 3}, io::Shape{17, 13, 1, 4}, io::Shape{11, 7, 3}})
        for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32})
            for (const double part : {0.05, 0.4}) {
                const double top = type == PixelType::u8 ? 255 : type == PixelType::u16 ? 65535 : 1;
                expectAllRows(noise(shape, type, 3), {{"level", part * top}, {"tolerance", 0.3}},
                              std::to_string(shape.width) + "x" + std::to_string(shape.height) + io::nameOf(type));
            }
    for (const io::Shape& shape : {io::Shape{9, 5, 7}, io::Shape{3, 2, 37}, io::Shape{13, 9, 3, 3}})
        for (const char* dimensions : {"2", "3"}) {
            auto volume = std::make_shared<io::Grid>(noise(shape, PixelType::u8, 5)->clone());
            volume->geometry.spacing = {0.2, 0.3, 1.1};
            for (const char* spacing : {"file", "pixels"})
                expectAllRows(volume,
                              {{"level", 20.0},
                               {"tolerance", 0.3},
                               {"dimensions", std::string(dimensions)},
                               {"spacing", std::string(spacing)}},
                              std::string(dimensions) + spacing + std::to_string(shape.depth));
        }
    // Nothing outside, and nothing inside.
    expectAllRows(noise({9, 8, 7}, PixelType::u8), {{"level", -1.0}}, "all inside a volume");
    expectAllRows(noise({41, 33}, PixelType::u8), {{"level", -1.0}}, "all inside");
    expectAllRows(noise({41, 33}, PixelType::u8), {{"level", 255.0}}, "all outside");
}

TEST_P(Watershed, EveryTunable) {
    for (const Variant& variant : familyOf("watershed").variants())
        for (const Tunable& tunable : variant.tunables)
            for (const int value : {1, 5, 16})
                EXPECT_FALSE(expectAllOk(noise({45, 38}, PixelType::u8), {{"level", 20.0}}, tunable.id, {variant.id},
                                         {{tunable.id, value}})
                                 .empty());
}

TEST_P(Watershed, SplitsWhatTouchesAndNothingElse) {
    expectRegions({{20, 30, 15}}, 0.5, 1);
    expectRegions({{20, 30, 15}, {44, 30, 15}}, 0.5, 2);
    expectRegions({{20, 30, 15}, {44, 30, 15}, {68, 30, 15}}, 0.5, 3);
    expectRegions({{18, 30, 14}, {38, 30, 10}}, 0.5, 2);
    expectRegions({{30, 30, 18}, {36, 30, 18}}, 0.5, 1);
    // The neck of the first pair is 15 - 9 = 6 pixels thinner than the discs.
    expectRegions({{20, 30, 15}, {44, 30, 15}}, 4, 2);
    expectRegions({{20, 30, 15}, {44, 30, 15}}, 10, 1);
}

TEST_P(Watershed, CutsWorkedOutByHand) {
    // Two squares of 3 x 3 with a neck of one pixel: heights 4 in the middles, 1 elsewhere.
    const std::vector<std::string> picture{".........", ".###.###.", ".#######.", ".###.###.", "........."};
    auto grid = std::make_shared<io::Grid>(io::Shape{9, 5}, PixelType::u8);
    for (std::int64_t y = 0; y < 5; ++y)
        for (std::int64_t x = 0; x < 9; ++x)
            grid->setValue(x, y, 0, 0,
                           picture[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#' ? 200 : 0);
    for (const auto& run : m_runner.run(requestOf(grid, {})).runs) {
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        for (std::int64_t y = 0; y < 5; ++y)
            for (std::int64_t x = 0; x < 9; ++x) {
                // The neck climbs to the first column of the left square; what touches it of the right one is cut.
                const bool cut = x == 5 && y >= 1 && y <= 3;
                EXPECT_EQ(run.result.picture->value(x, y), cut || grid->value(x, y) == 0 ? 0 : 255)
                    << run.variant << x << ',' << y;
            }
    }
}

TEST_P(Watershed, SplitsBallsThatTouchThroughSlices) {
    // Above one another, beside one another, and both; one alone.
    const std::vector<Ball> balls{{11, 11, 11, 8}, {11, 11, 24, 8}, {24, 11, 11, 8}, {36, 28, 24, 7}};
    for (const double thick : {1.0, 3.0}) {
        const io::Shape shape{46, 38, thick > 1 ? 12 : 36};
        const auto volume = volumeOf(balls, shape, thick);
        ASSERT_EQ(regionsOf([&] {
                      io::Grid mask = volume->clone();
                      for (std::int64_t i = 0; i < shape.pixels(); ++i)
                          mask.as<std::uint8_t>()[i] = mask.as<std::uint8_t>()[i] > 100 ? 1 : 0;
                      return mask;
                  }()),
                  2)
            << "three of them touch";
        for (const auto& run : m_runner.run(requestOf(volume, {})).runs) {
            ASSERT_EQ(run.status, Status::ok) << describe(run);
            EXPECT_EQ(regionsOf(run.result.picture->clone()), 4) << run.variant << thick;
        }
        const auto slices =
            m_runner.run(requestOf(volume, {{"dimensions", std::string("2")}}, {"walking"})).runs.front();
        ASSERT_EQ(slices.status, Status::ok) << describe(slices);
        EXPECT_LT(regionsOf(slices.result.picture->clone()), 4) << "each by itself, slices join what lies above";
    }
}

TEST_P(Watershed, MeasuresByTheFilesSpacing) {
    // A rod along z, thinner in the middle slice: 6 pixels from its middle to its sides, and 3 there.
    auto rod = std::make_shared<io::Grid>(io::Shape{15, 15, 9}, PixelType::u8);
    for (std::int64_t z = 0; z < 9; ++z)
        for (std::int64_t y = 0; y < 15; ++y)
            for (std::int64_t x = 0; x < 15; ++x) {
                const std::int64_t reach = z == 0 || z == 8 ? 0 : z == 4 ? 3 : 6;
                rod->setValue(x, y, z, 0, std::max(std::abs(x - 7), std::abs(y - 7)) < reach ? 255 : 0);
            }
    rod->geometry.spacing = {1, 1, 20};
    const auto regions = [&](const char* spacing, double tolerance) {
        const auto run =
            m_runner.run(requestOf(rod, {{"spacing", std::string(spacing)}, {"tolerance", tolerance}}, {"walking"}))
                .runs.front();
        EXPECT_EQ(run.status, Status::ok) << describe(run);
        return regionsOf(run.result.picture->clone());
    };
    EXPECT_EQ(regions("file", 2.9), 2);
    EXPECT_EQ(regions("file", 3.1), 1);
    // With steps of 1 the ends of the rod are nearer than its sides: nothing is higher than 3.
    EXPECT_EQ(regions("pixels", 2.9), 1);
}

INSTANTIATE_TEST_SUITE_P(Watershed, Watershed, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
