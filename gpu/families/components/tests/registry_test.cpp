// SPDX-License-Identifier: Apache-2.0
// Registry x device x neighbours x type x channels x size x pattern: every row against the plainest way to label.
#include "gpu/families/components/tests/components_case.hpp"

#include <limits>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

const std::set<std::string> kAll{"propagation", "union_find", "block_local", "block_2x2",
                                 "runs",        "tiled_runs", "opencv"};
const std::set<std::string> kFaces{"propagation", "union_find", "block_local", "runs", "tiled_runs", "opencv"};
const std::set<std::string> kVolumes{"propagation", "union_find", "block_local", "runs", "tiled_runs"};

std::string text(const io::Shape& s) {
    return std::to_string(s.width) + " x " + std::to_string(s.height) + " x " + std::to_string(s.depth);
}

/// 0 and 1 where noise is above `share` of its range.
std::shared_ptr<io::Grid> specks(const io::Shape& shape, double share, std::uint64_t seed) {
    auto grid = noise(shape, PixelType::f32, seed);
    for (std::int64_t i = 0; i < shape.values(); ++i)
        grid->as<float>()[i] = static_cast<double>(grid->as<float>()[i]) < share ? 1.0F : 0.0F;
    return grid;
}

class ComponentsRegistry : public ComponentsCase {
protected:
    void bothOfPicture(const std::shared_ptr<const io::Grid>& input, const std::string& what) {
        EXPECT_EQ(expectLabels(input, "4", 0.5, what), kFaces);
        EXPECT_EQ(expectLabels(input, "8", 0.5, what), kAll);
    }
    void bothOfVolume(const std::shared_ptr<const io::Grid>& input, const std::string& what) {
        EXPECT_EQ(expectLabels(input, "6", 0.5, what), kVolumes);
        EXPECT_EQ(expectLabels(input, "26", 0.5, what), kVolumes);
    }
};

// At the densities where components are largest and most winding.
TEST_P(ComponentsRegistry, EverySizeUpToSeventeen) {
    for (int width = 1; width <= 17; ++width)
        for (int height = 1; height <= 17; height += 2 + width % 3) {
            const io::Shape shape{width, height};
            const auto seed = static_cast<std::uint64_t>(width * 100 + height);
            EXPECT_EQ(expectLabels(specks(shape, 0.59, seed), "4", 0.5, text(shape)), kFaces);
            EXPECT_EQ(expectLabels(specks(shape, 0.41, seed), "8", 0.5, text(shape)), kAll);
        }
}

// All pictures of 3 x 3 pixels at once, each in a field of its own, and where words and tiles end between them.
TEST_P(ComponentsRegistry, EveryPictureOfThreeByThree) {
    const io::Shape shape{32 * 4, 16 * 4};
    for (const int shift : {0, 2}) {
        auto grid = std::make_shared<io::Grid>(shape, PixelType::u8);  // a new one: devices keep what they know
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                const auto px = (x + shift) % shape.width, py = (y + shift) % shape.height;
                const auto picture = py / 4 * 32 + px / 4, bit = py % 4 * 3 + px % 4;
                grid->setValue(x, y, 0, 0, px % 4 < 3 && py % 4 < 3 && (picture >> bit & 1) != 0 ? 1 : 0);
            }
        bothOfPicture(grid, "all of 3 x 3, " + std::to_string(shift));
    }
}

// Wider and higher than a tile of words, with every remainder of a word somewhere.
TEST_P(ComponentsRegistry, SizesAroundWordsAndTiles) {
    for (const auto& shape :
         {io::Shape{31, 33}, io::Shape{32, 32}, io::Shape{33, 31}, io::Shape{255, 7}, io::Shape{257, 67},
          io::Shape{292, 34}, io::Shape{101, 65}, io::Shape{1, 97}, io::Shape{521, 1}}) {
        const auto seed = static_cast<std::uint64_t>(shape.width);
        EXPECT_EQ(expectLabels(specks(shape, 0.59, seed), "4", 0.5, text(shape)), kFaces);
        EXPECT_EQ(expectLabels(specks(shape, 0.41, seed), "8", 0.5, text(shape)), kAll);
    }
}

TEST_P(ComponentsRegistry, EveryPattern) {
    for (const char* pattern :
         {"spiral:37x35:u8", "spiral:50x34:u8:width=2", "comb:260x5:u8", "comb:47x40:u8:width=3",
          "checkerboard:65x35:u8:cell=1", "checkerboard:260x9:u8:cell=5", "constant:70x37:u8:value=0",
          "constant:70x37:u8:value=255", "coins:64x64:u8:cell=32", "blobs:270x34:f32:cell=6"})
        bothOfPicture(generated(std::string("gen:") + pattern), pattern);
}

// Where many blocks work on one tree at once.
TEST_P(ComponentsRegistry, LargeComponents) {
    for (const char* pattern : {"blobs:263x131:u8:cell=16", "checkerboard:263x131:u8:cell=1"}) {
        auto request = componentsRequest(generated(std::string("gen:") + pattern), "8", 127, GetParam());
        request.variants = {"union_find", "block_local", "block_2x2", "runs", "tiled_runs"};
        for (int repeat = 0; repeat < (GetParam() == "cpu" ? 1 : 20); ++repeat)
            for (const auto& run : m_runner.run(request).runs)
                EXPECT_EQ(run.status, Status::ok) << pattern << ": " << describe(run);
    }
}

TEST_P(ComponentsRegistry, EveryVolume) {
    for (const auto& shape : {io::Shape{1, 1, 2}, io::Shape{2, 3, 5}, io::Shape{7, 5, 3}, io::Shape{17, 13, 4},
                              io::Shape{33, 34, 3}, io::Shape{65, 3, 7}, io::Shape{264, 4, 2}}) {
        const auto seed = static_cast<std::uint64_t>(shape.width);
        EXPECT_EQ(expectLabels(specks(shape, 0.31, seed), "6", 0.5, text(shape)), kVolumes);
        EXPECT_EQ(expectLabels(specks(shape, 0.1, seed), "26", 0.5, text(shape)), kVolumes);
    }
    for (const char* pattern : {"checkerboard:9x8x7:u8:cell=1", "blobs:40x33x9:f32:cell=5", "constant:5x5x5:u8"})
        bothOfVolume(generated(std::string("gen:") + pattern), pattern);
}

TEST_P(ComponentsRegistry, EveryTypeAndChannelCount) {
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32})
        for (const int channels : {1, 3, 4}) {
            const io::Shape shape{43, 29, 1, channels};
            const double top = type == PixelType::u8 ? 255 : type == PixelType::u16 ? 65535 : 1;
            // Of several channels each must be above.
            const double level = top * (channels == 1 ? 0.55 : 0.2);
            EXPECT_EQ(expectLabels(noise(shape, type, 3), "all", type == PixelType::f32 ? level : std::floor(level),
                                   io::nameOf(type) + std::to_string(channels)),
                      kAll);
        }
    EXPECT_EQ(expectLabels(noise({9, 8, 7, 4}, PixelType::u16), "all", 30000, "volume"), kVolumes);
}

TEST_P(ComponentsRegistry, NaNIsNeverInsideAndInfinityIs) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const float odd[] = {nan, -nan, infinity, -infinity, 0.0F, -0.0F, 1e-45F, 1.0F, -1.0F};
    auto input = noise({61, 23}, PixelType::f32);
    for (int i = 0; i < 61 * 23; ++i) input->as<float>()[i] = odd[i * 7 % 31 % 9];
    for (const double level : {0.0, -3e38, 3e38, 0.5}) expectLabels(input, "8", level, "specials");
}

TEST_P(ComponentsRegistry, EveryTunableOfEveryVariant) {
    const auto input = specks({97, 40}, 0.5, 5);
    const PlainLabels plain(*input, "8", 0.5);
    for (const Variant& variant : familyOf("components").variants())
        for (const Tunable& tunable : variant.tunables)
            for (const int value : tunable.choices) {
                auto request = componentsRequest(input, "8", 0.5, GetParam());
                request.variants = {variant.id};
                request.tunables = {{tunable.id, value}};
                EXPECT_EQ(expectRuns(request, tunable.id + std::to_string(value), plain).size(), 1U) << value;
            }
}

TEST_P(ComponentsRegistry, AnyOrderOfThreadsAndBlocks) {
    if (GetParam() != "cpu") GTEST_SKIP() << "a GPU has its own order";
    for (const std::uint64_t seed : {1, 7})
        for (const int workers : {1, 4})
            EXPECT_EQ(expectLabels(specks({70, 35}, 0.41, seed), "8", 0.5, "shuffled",
                                   {.workers = workers, .shuffleSeed = seed}),
                      kAll);
}

TEST_P(ComponentsRegistry, RepeatedLaunchesBeginAnew) {
    const auto input = specks({83, 97}, 0.5, 2);
    auto request = componentsRequest(input, "8", 0.5, GetParam());
    request.timing = {.warmUps = 1, .minimumSamples = 2, .maximumSamples = 2};
    expectRuns(request, "again", PlainLabels(*input, "8", 0.5));
}

INSTANTIATE_TEST_SUITE_P(Components, ComponentsRegistry, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
