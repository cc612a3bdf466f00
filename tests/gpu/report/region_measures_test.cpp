// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/region_measures.hpp"

#include "gpu/report/unit_heads.hpp"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numbers>

namespace warplens::gpu {
namespace {

using std::numbers::pi;

io::Grid labelled(const io::Shape& shape, const std::function<int(int x, int y, int z)>& label) {
    io::Grid grid(shape, io::PixelType::u32);
    for (int z = 0; z < shape.depth; ++z)
        for (int y = 0; y < shape.height; ++y)
            for (int x = 0; x < shape.width; ++x) grid.setValue(x, y, z, 0, label(x, y, z));
    return grid;
}

int sixShapes(int x, int y, int) {
    const int a = (x - 12) * (x - 12) + (y - 12) * (y - 12), b = (x - 34) * (x - 34) + (y - 30) * (y - 30);
    if (y >= 21 && y < 24 && x >= 8 && x < 16) return 6;
    if (y == 39 && x == 0) return 5;
    if (y >= 28 && y < 36 && x == y - 24) return 4;
    if (b <= 64 && b >= 16) return 3;
    if ((y >= 3 && y < 9 && x >= 30 && x < 44) || (y >= 9 && y < 20 && x >= 30 && x < 33)) return 2;
    return a <= 81 && y < 21 ? 1 : 0;
}

// What scikit-image 0.26 says of the same labels: regionprops, and perimeter_crofton with four directions.
TEST(RegionMeasures, AreScikitImages) {
    const io::Grid labels = labelled({48, 40, 1, 1}, sixShapes);
    io::Grid values(labels.shape(), io::PixelType::f32);
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 48; ++x) values.setValue(x, y, 0, 0, x * 3 + y * y % 17);
    const Table table = measureRegions(labels, &values, {});
    const std::vector<std::int64_t> pixels{252, 117, 152, 8, 1, 24};
    EXPECT_EQ(table.integers("pixels"), pixels);
    EXPECT_EQ(table.integers("label"), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
    const std::vector<double> perimeters{56.827750409195374, 57.11360473423885, 75.46361681742363,
                                         17.564613919787334, 2.681517061334488, 19.746587142767844};
    const std::vector<double> means{44.02777777777778, 114.25641025641026, 109.66447368421052, 27.625, 8,
                                    43.166666666666664};
    const std::vector<double> deviations{
        14.631560467988201, 14.698772462354322, 14.412140386232206, 6.122448448129228, 0, 8.95203266799719};
    const std::vector<double> y{11.964285714285714, 7.897435897435898, 30, 31.5, 39, 22};
    const std::vector<double> x{12, 34.94871794871795, 34, 7.5, 0, 11.5};
    for (std::size_t row = 0; row < pixels.size(); ++row) {
        EXPECT_NEAR(table.reals("perimeter")[row], perimeters[row], 1e-9) << row;
        EXPECT_NEAR(table.reals("mean")[row], means[row], 1e-9) << row;
        EXPECT_NEAR(table.reals("deviation")[row], deviations[row], 1e-9) << row;
        EXPECT_NEAR(table.reals("sum")[row], means[row] * static_cast<double>(pixels[row]), 1e-6) << row;
        EXPECT_NEAR(table.reals("x")[row], x[row], 1e-9) << row;
        EXPECT_NEAR(table.reals("y")[row], y[row], 1e-9) << row;
        EXPECT_NEAR(table.reals("circularity")[row],
                    4 * pi * static_cast<double>(pixels[row]) / (perimeters[row] * perimeters[row]), 1e-9);
    }
    EXPECT_EQ(table.integers("at_edge"), (std::vector<std::int64_t>{0, 0, 0, 0, 1, 0}));
    EXPECT_EQ(table.integers("neighbours"), (std::vector<std::int64_t>{1, 0, 0, 0, 0, 1})) << "1 lies upon 6";
    EXPECT_EQ(table.find("area"), nullptr) << "no unit, no area beside the pixels";
}

// By trying all pairs of corners, and all directions of a thousand.
TEST(RegionMeasures, FeretIsThatOfAllCorners) {
    io::Grid labels = labelled({48, 40, 1, 1}, sixShapes);
    labels.geometry.spacing = {0.5, 2, 1};
    const Table table = measureRegions(labels, nullptr, {});
    for (int label = 1; label <= 6; ++label) {
        std::vector<std::pair<double, double>> corners;
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 48; ++x)
                if (sixShapes(x, y, 0) == label)
                    for (const int i : {0, 1})
                        for (const int j : {0, 1}) corners.emplace_back((x + i) * 0.5, (y + j) * 2.0);
        double largest = 0, least = 1e9;
        for (const auto& [ax, ay] : corners)
            for (const auto& [bx, by] : corners) largest = std::max(largest, std::hypot(ax - bx, ay - by));
        for (int k = 0; k < 4000; ++k) {
            const double c = std::cos(pi * k / 4000), s = std::sin(pi * k / 4000);
            double low = 1e9, high = -1e9;
            for (const auto& [px, py] : corners) {
                low = std::min(low, px * c + py * s);
                high = std::max(high, px * c + py * s);
            }
            least = std::min(least, high - low);
        }
        const auto row = static_cast<std::size_t>(label - 1);
        EXPECT_DOUBLE_EQ(table.reals("feret")[row], largest);
        EXPECT_NEAR(table.reals("feret_min")[row], least, 2e-2) << "the best of 4,000 directions";
        EXPECT_LE(table.reals("feret_min")[row], least + 1e-12);
        EXPECT_DOUBLE_EQ(table.reals("area")[row], static_cast<double>(table.integers("pixels")[row]));
    }
    EXPECT_EQ(table.find("area")->unit, "mm²");
}

TEST(RegionMeasures, ABallInUnlikeSpacing) {
    // A voxel of 4 x 4 x 10 µm; the ball has a radius of 100.
    const auto ball = [](int x, int y, int z) {
        const double dx = (x - 29.5) * 4, dy = (y - 29.5) * 4, dz = (z - 11.5) * 10;
        return dx * dx + dy * dy + dz * dz <= 1e4 ? 7 : 0;
    };
    io::Grid labels = labelled({60, 60, 24, 1}, ball);
    labels.geometry.spacing = {0.004, 0.004, 0.01};
    const Table table = measureRegions(labels, nullptr, {});
    ASSERT_EQ(table.rows(), 1u);
    EXPECT_EQ(table.integers("label").front(), 7);
    EXPECT_EQ(table.find("volume")->unit, "µm³");
    const std::string heads = toCsv(withUnitHeads(table));
    EXPECT_TRUE(
        heads.starts_with("label,pixels [px],volume [um^3],surface [um^2],sphericity,diameter [um],"
                          "feret [um],x [um],y [um],z [um],x0 [px],"))
        << heads;
    EXPECT_NEAR(table.reals("volume").front(), 4.0 / 3 * pi * 1e6, 0.01 * 4e6);
    EXPECT_NEAR(table.reals("surface").front(), 4 * pi * 1e4, 0.03 * 4 * pi * 1e4);
    EXPECT_NEAR(table.reals("sphericity").front(), 1, 0.04);
    EXPECT_NEAR(table.reals("feret").front(), 200, 12) << "to the corners of voxels";
    EXPECT_NEAR(table.reals("z").front(), 115, 1e-6);
    EXPECT_EQ(table.integers("at_edge").front(), 0);
}

TEST(RegionMeasures, OneVoxelHasTheSurfaceOfThirteenDirections) {
    // Weights of MorphoLibJ's table for cubes, in both senses of a direction.
    constexpr double kFace = 0.04577789120476, kEdge = 0.03698062787608, kCorner = 0.03519563978232;
    const io::Grid labels = labelled({3, 3, 3, 1}, [](int x, int y, int z) { return x == 1 && y == 1 && z == 1; });
    const double expected = 2 * 2 * 2 * (3 * kFace + 6 * kEdge / std::sqrt(2.0) + 4 * kCorner / std::sqrt(3.0));
    EXPECT_NEAR(measureRegions(labels, nullptr, {}).reals("surface").front(), expected, 2e-3);
}

TEST(RegionMeasures, NothingToMeasureAndValuesThatAreNone) {
    const Table none = measureRegions(labelled({5, 4, 1, 1}, [](int, int, int) { return 0; }), nullptr, {});
    EXPECT_EQ(none.rows(), 0u);
    EXPECT_EQ(toCsv(none), "label,pixels\n");
    EXPECT_EQ(toCsv(withUnitHeads(none)), "label,pixels [px]\n");

    const io::Grid labels = labelled({2, 1, 1, 1}, [](int, int, int) { return 1; });
    io::Grid values({2, 1, 1, 3}, io::PixelType::f32);
    for (int c = 0; c < 3; ++c) values.setValue(0, 0, 0, c, c), values.setValue(1, 0, 0, c, NAN);
    const Table table = measureRegions(labels, &values, {});
    EXPECT_EQ(table.reals("mean_3").front(), 2);
    EXPECT_EQ(table.reals("greatest_2").front(), 1);
    io::Grid other({3, 1, 1, 1}, io::PixelType::u8);
    EXPECT_THROW(measureRegions(labels, &other, {}), std::invalid_argument);
    EXPECT_THROW(measureRegions(values, nullptr, {}), std::invalid_argument);
}

}  // namespace
}  // namespace warplens::gpu
