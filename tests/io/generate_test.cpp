// SPDX-License-Identifier: Apache-2.0
#include "io/generate.hpp"

#include "io/read.hpp"
#include "tests/io/support/files.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warplens::test {
namespace {

using io::generate;
using io::PixelType;
using Kind = io::Error::Kind;

TEST(Generate, NoiseIsDeterminedBySeedAndUniform) {
    const auto a = generate("gen:noise:256x128x2:u8:c=3:seed=5");
    EXPECT_EQ(a.shape(), (io::Shape{256, 128, 2, 3}));
    EXPECT_TRUE(sameValues(a, generate("gen:noise:256x128x2:u8:seed=5:c=3")));
    EXPECT_FALSE(sameValues(a, generate("gen:noise:256x128x2:u8:c=3:seed=6")));
    std::array<int, 256> counts{};
    for (std::size_t i = 0; i < a.bytes(); ++i) ++counts[a.as<std::uint8_t>()[i]];
    const double expected = static_cast<double>(a.bytes()) / 256;
    for (const int count : counts) EXPECT_NEAR(count, expected, 6 * std::sqrt(expected));
}

TEST(Generate, NoiseIsTheDocumentedFunctionOfTheCounter) {
    const auto bytes = generate("gen:noise:5x4:u8:seed=7");
    const auto words = generate("gen:noise:5x4:u16:seed=7");
    const auto floats = generate("gen:noise:5x4:f32:seed=7");
    for (std::uint64_t i = 0; i < 20; ++i) {
        const auto bits = io::randomBits(7, i);
        EXPECT_EQ(bytes.as<std::uint8_t>()[i], bits >> 56);
        EXPECT_EQ(words.as<std::uint16_t>()[i], bits >> 48);
        EXPECT_EQ(floats.as<float>()[i], static_cast<float>(static_cast<double>(bits >> 40) / 16777216.0));
    }
    // Fixed for ever: recorded runs and other people's scripts name these inputs.
    EXPECT_EQ(io::randomBits(0, 0), 12035550249420947055U);
    EXPECT_EQ(io::randomBits(7, 3), 11146164815057002045U);
}

TEST(Generate, NormalHasItsMeanAndDeviation) {
    const auto a = generate("gen:normal:256x128x2:u8:seed=5:mean=0.4:deviation=0.12");
    EXPECT_TRUE(sameValues(a, generate("gen:normal:256x128x2:u8:seed=5")));
    double sum = 0, squares = 0;
    int within = 0;
    for (std::size_t i = 0; i < a.bytes(); ++i) {
        const double v = a.as<std::uint8_t>()[i] - 102.0;
        sum += v;
        squares += v * v;
        within += std::abs(v) <= 30 ? 1 : 0;
    }
    const auto n = static_cast<double>(a.bytes());
    EXPECT_NEAR(sum / n, 0, 0.5);
    EXPECT_NEAR(std::sqrt(squares / n), 30.6, 0.5);
    EXPECT_NEAR(within / n, 0.67, 0.02) << "two thirds within a deviation, where a uniform one had 0.58";
    EXPECT_EQ(generate("gen:normal:9x9:f32:deviation=0:mean=0.25").value(4, 4), 0.25);
}

/// Places that hang together with the first one, and pairs of open neighbours.
std::pair<std::int64_t, std::int64_t> placesAndPairs(const io::Grid& grid) {
    const auto& s = grid.shape();
    const auto open = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return x < s.width && y < s.height && z < s.depth && x >= 0 && y >= 0 && z >= 0 && grid.value(x, y, z) != 0;
    };
    std::vector<bool> reached(static_cast<std::size_t>(s.pixels()));
    std::vector<std::array<std::int64_t, 3>> list{{0, 0, 0}};
    reached[0] = true;
    std::int64_t pairs = 0;
    for (std::size_t i = 0; i < list.size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
            for (const int step : {-1, 1}) {
                auto next = list[i];
                next[static_cast<std::size_t>(axis)] += step;
                if (!open(next[0], next[1], next[2])) continue;
                ++pairs;
                const auto at = static_cast<std::size_t>((next[2] * s.height + next[1]) * s.width + next[0]);
                if (!reached[at]) list.push_back(next);
                reached[at] = true;
            }
    return {static_cast<std::int64_t>(list.size()), pairs / 2};
}

// A tree: everything open hangs together, with one pair of neighbours less than places. Every small size, and volumes.
TEST(Generate, MazesLeadEverywhereWithoutALoop) {
    std::vector<std::string> sizes{"64x33", "7x5x6", "2x3x4"};
    for (int width = 1; width <= 8; ++width)
        for (int height = 1; height <= 8; ++height)
            sizes.push_back(std::to_string(width) + "x" + std::to_string(height));
    for (const auto& size : sizes)
        for (const char* seed : {"0", "9"}) {
            const auto grid = generate("gen:maze:" + size + ":u8:seed=" + seed);
            const auto& s = grid.shape();
            std::int64_t open = 0;
            for (std::int64_t z = 0; z < s.depth; ++z)
                for (std::int64_t y = 0; y < s.height; ++y)
                    for (std::int64_t x = 0; x < s.width; ++x) {
                        const double value = grid.value(x, y, z);
                        EXPECT_TRUE(value == 0 || value == 255);
                        open += value == 255 ? 1 : 0;
                        EXPECT_TRUE(value == 255 || x % 2 + y % 2 + z % 2 > 0) << size;
                    }
            const auto rooms = (s.width + 1) / 2 * ((s.height + 1) / 2) * ((s.depth + 1) / 2);
            EXPECT_EQ(open, 2 * rooms - 1) << size;
            EXPECT_EQ(placesAndPairs(grid), (std::pair{open, open - 1})) << size << " seed " << seed;
        }
    EXPECT_TRUE(sameValues(generate("gen:maze:31x21:u8"), generate("gen:maze:31x21:u8:seed=0")));
    EXPECT_FALSE(sameValues(generate("gen:maze:31x21:u8"), generate("gen:maze:31x21:u8:seed=1")));
}

TEST(Generate, CorridorsOfAMazeAreAsWideAsACell) {
    const auto narrow = generate("gen:maze:9x6:u8:seed=3"), wide = generate("gen:maze:27x18:u8:seed=3:cell=3");
    for (std::int64_t y = 0; y < 18; ++y)
        for (std::int64_t x = 0; x < 27; ++x) EXPECT_EQ(wide.value(x, y), narrow.value(x / 3, y / 3)) << x << " " << y;
    EXPECT_THROW(generate("gen:maze:9x9:u8:cell=0"), io::Error);
}

TEST(Generate, EachKindIsWhatItSays) {
    const auto gradient = generate("gen:gradient:256x2:u8");
    for (int x = 0; x < 256; ++x) EXPECT_EQ(gradient.value(x, 1), x);
    EXPECT_EQ(generate("gen:gradient:3x5x2:u16:axis=y").value(1, 4, 1), 65535);
    EXPECT_EQ(generate("gen:gradient:3x5x2:f32:axis=z").value(1, 4, 1), 1);
    const auto board = generate("gen:checkerboard:8x8:u8:cell=2");
    EXPECT_EQ(board.value(1, 1), 0);
    EXPECT_EQ(board.value(2, 1), 255);
    EXPECT_EQ(board.value(2, 2), 0);
    const auto impulse = generate("gen:impulse:5x4x3:f32:value=2.5");
    EXPECT_EQ(impulse.value(2, 2, 1), 2.5);
    EXPECT_EQ(impulse.value(2, 2, 0), 0);
    EXPECT_EQ(generate("gen:impulse:5x4:u8:x=0:y=3").value(0, 3), 255);
    EXPECT_EQ(generate("gen:constant:2x2:u8").value(1, 1), 128);
    EXPECT_EQ(generate("gen:constant:2x2:u16:value=7").value(1, 1), 7);
    const auto bump = generate("gen:gaussian:65x65:f32:sigma=4");
    EXPECT_EQ(bump.value(32, 32), 1);
    EXPECT_NEAR(bump.value(36, 32), std::exp(-0.5), 1e-6);
    const auto zone = generate("gen:zoneplate:64x64:u8:c=4");
    EXPECT_EQ(zone.value(32, 32, 0, 0), 255);
    EXPECT_EQ(zone.value(5, 9, 0, 0), zone.value(5, 9, 0, 2));
    EXPECT_EQ(zone.value(5, 9, 0, 3), 255) << "alpha is full";
    EXPECT_EQ(zone.metadata.format, "generated");
}

TEST(Generate, AThirdExtentIsDepth) { EXPECT_EQ(io::read("gen:constant:4x5x3:u8").shape(), (io::Shape{4, 5, 3, 1})); }

TEST(Generate, TextHoldsLettersAsOftenAsEnglishDoes) {
    const auto text = generate("gen:text:256x256:u8:seed=3");
    int counts[256] = {};
    for (std::int64_t i = 0; i < text.shape().values(); ++i) ++counts[text.as<std::uint8_t>()[i]];
    EXPECT_EQ(std::accumulate(counts + 'a', counts + 'z' + 1, 0), 65536) << "small letters alone";
    EXPECT_NEAR(counts['e'] / 65536.0, 0.127, 0.006);
    EXPECT_NEAR(counts['t'] / 65536.0, 0.0906, 0.005);
    EXPECT_LT(counts['q'], counts['b']);
    EXPECT_GT(counts['z'], 0);
    EXPECT_EQ(generate("gen:text:16x9:f32:seed=3").as<float>()[0], text.as<std::uint8_t>()[0] / 255.0F);
}

TEST(Generate, MalformedDescriptionsSayWhatIsWrong) {
    const std::pair<const char*, const char*> cases[] = {
        {"gen:", "incomplete"},
        {"gen:noise:4x4", "incomplete"},
        {"gen:static:4x4:u8", "static"},
        {"gen:noise:4:u8", "'4'"},
        {"gen:noise:4x4x4x4:u8", "WxH"},
        {"gen:noise:4xx:u8", "height"},
        {"gen:noise:-4x4:u8", "empty"},
        {"gen:noise:0x4:u8", "empty"},
        {"gen:noise:4x4:u32", "u32"},
        {"gen:noise:4x4:u8:c=2", "c=2"},
        {"gen:noise:4x4:u8:seed", "key=value"},
        {"gen:noise:4x4:u8:seed=x", "seed"},
        {"gen:noise:4x4:u8:seed=-1", "seed"},
        {"gen:noise:4x4:u8:seed=1:seed=2", "twice"},
        {"gen:noise:4x4:u8:sigma=2", "sigma"},
        {"gen:constant:4x4:u8:value=256", "value"},
        {"gen:constant:4x4:u8:value=1.5", "value"},
        {"gen:constant:4x4:f32:value=1e39", "value"},
        {"gen:impulse:4x4:u8:x=4", "x=4"},
        {"gen:gaussian:4x4:f32:sigma=0", "sigma"},
        {"gen:checkerboard:4x4:u8:cell=0", "cell"},
        {"gen:gradient:4x4:u8:axis=w", "axis"},
        {"gen:noise:99999999999999999999x4:u8", "width"},
    };
    for (const auto& one : cases) {
        EXPECT_TRUE(refuses([&] { generate(one.first); }, Kind::argument, one.second)) << one.first;
    }
    EXPECT_TRUE(refuses([] { generate("gen:noise:2000000x4:u8"); }, Kind::limit, "1048576"));
    EXPECT_TRUE(refuses([] { generate("gen:noise:1000000x1000000x1000000:f32:c=4"); }, Kind::limit));
}

TEST(Generate, AStopEndsIt) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(refuses([&] { io::generate("gen:noise:4x4:u8", {}, stop.get_token()); }, Kind::cancelled));
}

TEST(Generate, ASphereIsABallOfThatRadius) {
    const auto g = generate("gen:sphere:21x23x25:f32:r=7.25");
    double volume = 0;
    for (std::int64_t z = 0; z < 25; ++z) {
        for (std::int64_t y = 0; y < 23; ++y) {
            for (std::int64_t x = 0; x < 21; ++x) {
                const double r =
                    std::hypot(static_cast<double>(x - 10), static_cast<double>(y - 11), static_cast<double>(z - 12));
                const double expected = r <= 6.75 ? 1 : r >= 7.75 ? 0 : 7.75 - r;
                EXPECT_NEAR(g.value(x, y, z), expected, 1e-6);
                volume += g.value(x, y, z);
            }
        }
    }
    EXPECT_NEAR(volume, 4.0 / 3 * 3.14159265 * std::pow(7.25, 3), 20);
    EXPECT_EQ(generate("gen:sphere:9x9:u8").value(4, 4), 255) << "a disc where there is no depth";
}

TEST(Generate, MarschnerLobbIsTheirFormula) {
    const auto g = generate("gen:marschner_lobb:41x41x41:f32");
    for (const auto& [x, y, z] : {std::array{0, 0, 0}, {20, 20, 20}, {40, 20, 3}, {11, 29, 37}}) {
        const double u = x / 20.0 - 1;
        const double v = y / 20.0 - 1;
        const double w = z / 20.0 - 1;
        const double pi = std::acos(-1.0);
        const double rho = std::cos(2 * pi * 6 * std::cos(pi * std::sqrt(u * u + v * v) / 2));
        EXPECT_NEAR(g.value(x, y, z), (1 - std::sin(pi * w / 2) + 0.25 * (1 + rho)) / 2.5, 1e-6);
    }
}

TEST(Generate, HotspotsAreWhereTheSeedPutsThem) {
    const auto g = generate("gen:hotspots:40x30x20:u16:count=5:seed=3:sigma=1.5");
    EXPECT_TRUE(sameValues(g, generate("gen:hotspots:40x30x20:u16:seed=3:sigma=1.5:count=5")));
    EXPECT_FALSE(sameValues(g, generate("gen:hotspots:40x30x20:u16:seed=4:sigma=1.5:count=5")));
    int peaks = 0;
    for (std::size_t i = 0; i < g.bytes() / 2; ++i) peaks += g.as<std::uint16_t>()[i] == 65535;
    EXPECT_EQ(peaks, 5);
    for (const char* bad : {"gen:hotspots:8x8:u8:count=0", "gen:hotspots:8x8:u8:sigma=0", "gen:sphere:8x8:u8:r=-1",
                            "gen:marschner_lobb:8x8:u8:amplitude=-1", "gen:sphere:8x8:u8:sigma=1"}) {
        EXPECT_TRUE(refuses([&] { generate(bad); }, Kind::argument)) << bad;
    }
}

/// A one-pixel way: how many bright neighbours a bright pixel has, at its sides and at its corners.
std::array<int, 2> neighboursOf(const io::Grid& g, std::int64_t x, std::int64_t y) {
    std::array<int, 2> counts{};
    for (std::int64_t dy = -1; dy <= 1; ++dy)
        for (std::int64_t dx = -1; dx <= 1; ++dx) {
            const auto nx = x + dx, ny = y + dy;
            const bool there = nx >= 0 && ny >= 0 && nx < g.shape().width && ny < g.shape().height;
            if ((dx != 0 || dy != 0) && there && g.value(nx, ny) > 0) ++counts[dx != 0 && dy != 0 ? 1 : 0];
        }
    return counts;
}

TEST(Generate, SpiralIsOneWayWithTwoEnds) {
    for (const auto& [w, h] : {std::array{8, 8}, {9, 9}, {16, 12}, {12, 17}, {63, 65}}) {
        const auto g = generate("gen:spiral:" + std::to_string(w) + "x" + std::to_string(h) + ":u8");
        // Followed from its corner; a way without a fork has at most as many steps as there are pixels.
        std::int64_t x = 0, y = 0, lastX = -1, lastY = -1, steps = 1, bright = 0;
        for (bool going = true; going && steps <= w * h;) {
            going = false;
            const auto fromX = x, fromY = y;
            for (const auto& [dx, dy] : {std::array{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
                const auto nx = fromX + dx, ny = fromY + dy;
                if (nx < 0 || ny < 0 || nx >= w || ny >= h || g.value(nx, ny) == 0) continue;
                if (nx == lastX && ny == lastY) continue;
                ASSERT_FALSE(going) << "a fork at " << fromX << ", " << fromY << " of " << w << " x " << h;
                going = true;
                x = nx;
                y = ny;
            }
            lastX = fromX;
            lastY = fromY;
            steps += going ? 1 : 0;
        }
        for (std::int64_t i = 0; i < w * h; ++i) bright += g.as<std::uint8_t>()[i] == 255 ? 1 : 0;
        EXPECT_EQ(steps, bright) << w << " x " << h;
        EXPECT_GT(bright, w * h / 3);
        EXPECT_EQ(neighboursOf(g, 0, 0)[0], 1);
    }
    const auto wide = generate("gen:spiral:64x64:u16:width=4"), narrow = generate("gen:spiral:16x16:u8");
    for (std::int64_t i = 0; i < 64 * 64; ++i)
        ASSERT_EQ(wide.as<std::uint16_t>()[i] > 0, narrow.value(i % 64 / 4, i / 64 / 4) > 0) << i;
}

TEST(Generate, CombMeetsInItsLastRows) {
    const auto g = generate("gen:comb:13x9x2:f32:width=3");
    for (std::int64_t z = 0; z < 2; ++z)
        for (std::int64_t y = 0; y < 9; ++y)
            for (std::int64_t x = 0; x < 13; ++x)
                EXPECT_EQ(g.value(x, y, z), y >= 6 || (x / 3) % 2 == 0 ? 1 : 0) << x << " " << y;
}

TEST(Generate, BlobsAreSmoothAndHalfAbove) {
    const auto g = generate("gen:blobs:256x256:f32:cell=8:seed=3");
    EXPECT_TRUE(sameValues(g, generate("gen:blobs:256x256:f32:seed=3:cell=8")));
    EXPECT_FALSE(sameValues(g, generate("gen:blobs:256x256:f32:seed=4:cell=8")));
    int above = 0;
    double steepest = 0;
    for (std::int64_t y = 0; y < 256; ++y)
        for (std::int64_t x = 0; x < 255; ++x) {
            above += g.value(x, y) > 0.5 ? 1 : 0;
            steepest = std::max(steepest, std::abs(g.value(x + 1, y) - g.value(x, y)));
        }
    EXPECT_NEAR(above / (255.0 * 256), 0.5, 0.05);
    EXPECT_LT(steepest, 1.5 / 8 + 1e-6) << "a smooth step of 1 over 8 values";
    EXPECT_NE(generate("gen:blobs:8x8x9:u8:cell=4").value(1, 1, 0),
              generate("gen:blobs:8x8x9:u8:cell=4").value(1, 1, 4));
}

TEST(Generate, CoinsLieApartOnADarkGround) {
    const auto g = generate("gen:coins:256x192:u8:seed=11");
    EXPECT_TRUE(sameValues(g, generate("gen:coins:256x192:u8:cell=64:noise=0.06:seed=11")));
    EXPECT_FALSE(sameValues(g, generate("gen:coins:256x192:u8:seed=12")));
    for (int cell = 0; cell < 12; ++cell) {
        int bright = 0;
        for (std::int64_t y = 0; y < 64; ++y)
            for (std::int64_t x = 0; x < 64; ++x) {
                const bool above = g.value(cell % 4 * 64 + x, cell / 4 * 64 + y) > 112;
                bright += above ? 1 : 0;
                EXPECT_FALSE(above && (x == 0 || y == 0 || x == 63 || y == 63)) << "at the edge of cell " << cell;
            }
        EXPECT_GT(bright, 3.14 * 13 * 13);
        EXPECT_LT(bright, 3.15 * 30.5 * 30.5);
    }
    EXPECT_GT(generate("gen:coins:16x16x16:f32:cell=16:noise=0").value(8, 8, 8), 0.5) << "a ball where there is depth";
    for (const char* bad : {"gen:coins:8x8:u8:cell=0", "gen:coins:8x8:u8:noise=2", "gen:blobs:8x8:u8:cell=0",
                            "gen:spiral:8x8:u8:width=0", "gen:comb:8x8:u8:width=-1", "gen:comb:8x8:u8:seed=1"})
        EXPECT_TRUE(refuses([&] { generate(bad); }, Kind::argument)) << bad;
}

}  // namespace
}  // namespace warplens::test
