// SPDX-License-Identifier: Apache-2.0
// Registry x device x type x channels x spacing x extent: every kernel, and OpenCV, against every pixel's own look at
// all others.
#include "gpu/core/error.hpp"
#include "gpu/families/distance/tests/distance_case.hpp"
#include "io/generate.hpp"

#include <algorithm>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};
const std::set<std::string> kKernels{"brute", "jump_flooding", "separable", "outward", "banded", "near_first"};
const std::vector<std::string> kExact{"brute", "separable", "outward", "banded", "near_first"};

std::string text(const io::Shape& s, PixelType type) {
    return std::to_string(s.width) + "x" + std::to_string(s.height) + "x" + std::to_string(s.depth) + " c" +
           std::to_string(s.channels) + " " + io::nameOf(type);
}

std::shared_ptr<io::Grid> spaced(std::shared_ptr<io::Grid> grid, const std::array<double, 3>& mm) {
    grid->geometry.spacing = mm;
    return grid;
}

class DistanceRegistry : public DistanceOnDevice {};

TEST_P(DistanceRegistry, WhoTakesWhat) {
    const auto picture = sprinkled({33, 17}, PixelType::u8, 0.1);
    auto all = kKernels;
    EXPECT_EQ(expectAllOk(picture, distances(true), "squared"), all);
    EXPECT_EQ(expectAllOk(picture, distances(false, "mm"), "mm"), all);
    EXPECT_EQ(expectAllOk(sprinkled({9, 7, 5}, PixelType::f32, 0.1), distances(), "volume"), all);
    all.insert("opencv");
    EXPECT_EQ(expectAllOk(picture, distances(), "roots"), all);
}

// Every width and, by turns, every height: each remainder of a band, a stretch and a warp.
TEST_P(DistanceRegistry, EverySizeUpTo17AndPrimes) {
    for (const int width :
         {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 47, 61, 64, 65, 67}) {
        const io::Shape shape{width, 1 + (width * 7 + 3) % 37};
        const PixelType type = kTypes[width % 3];
        const double share = width % 4 == 0 ? 0.4 : 3.0 / static_cast<double>(shape.pixels());
        expectAllOk(sprinkled(shape, type, share, static_cast<std::uint64_t>(width)), distances(width % 2 == 0),
                    text(shape, type));
    }
    for (const int height : {1, 2, 31, 32, 33, 63, 64, 65, 97}) {
        const io::Shape shape{3, height};
        expectAllOk(sprinkled(shape, PixelType::u8, 0.05, static_cast<std::uint64_t>(height)), distances(true),
                    text(shape, PixelType::u8));
    }
}

// No site, one in each corner and in the middle, nothing but sites, a line, a board, noise that percolates.
TEST_P(DistanceRegistry, Masks) {
    const io::Shape shape{45, 38};
    const auto expect = [&](const std::string& what, auto isSite) {
        auto grid = std::make_shared<io::Grid>(shape, PixelType::u8);
        for (int y = 0; y < 38; ++y)
            for (int x = 0; x < 45; ++x) grid->setValue(x, y, 0, 0, isSite(x, y) ? 0 : 255);
        for (const bool squared : {false, true}) expectAllOk(grid, distances(squared), what);
        expectAllOk(grid, distances(false, "mm"), what + " mm");
    };
    expect("none", [](int, int) { return false; });
    expect("all", [](int, int) { return true; });
    for (const auto& [a, b] : {std::pair{0, 0}, {44, 0}, {0, 37}, {44, 37}, {20, 19}})
        expect("one", [a = a, b = b](int x, int y) { return x == a && y == b; });
    expect("row", [](int, int y) { return y == 37; });
    expect("column", [](int x, int) { return x == 0; });
    expect("diagonal", [](int x, int y) { return x == y; });
    expect("corners", [](int x, int y) { return x % 44 == 0 && y % 37 == 0; });
    expect("board", [](int x, int y) { return (x / 5 + y / 3) % 2 == 0; });
    for (const double share : {0.003, 0.02, 0.407, 0.9})
        for (const std::uint64_t seed : {1, 2})
            expectAllOk(sprinkled(shape, PixelType::u16, share, seed), distances(true), "noise");
}

TEST_P(DistanceRegistry, TypesChannelsAndLevels) {
    for (const PixelType type : kTypes)
        for (const int channels : {1, 3, 4}) {
            const auto input = noise({23, 19, 1, channels}, type);
            const double top = type == PixelType::u8 ? 255 : type == PixelType::u16 ? 65535 : 1;
            for (const double share : {-1.0, 0.0, 0.01, 0.5, 1.0})
                expectAllOk(input, distances(channels == 3, "pixels", share * top),
                            text({23, 19, 1, channels}, type) + " level " + std::to_string(share));
        }
}

TEST_P(DistanceRegistry, Volumes) {
    for (const io::Shape shape : {io::Shape{13, 9, 7}, io::Shape{35, 3, 4, 3}, io::Shape{1, 1, 40}, io::Shape{2, 34, 3},
                                  io::Shape{5, 4, 33}, io::Shape{17, 1, 16}, io::Shape{1, 1, 1030}}) {
        const auto input = sprinkled(shape, kTypes[shape.depth % 3], 3.0 / static_cast<double>(shape.pixels()), 5);
        for (const bool squared : {false, true}) expectAllOk(input, distances(squared), text(shape, input->type()));
        expectAllOk(spaced(sprinkled(shape, PixelType::u8, 0.05), {0.7, 0.7, 3.1}), distances(false, "mm"), "mm");
    }
    expectAllOk(sprinkled({6, 5, 4}, PixelType::u8, 0), distances(), "a volume without a site");
}

TEST_P(DistanceRegistry, SpacingThatDiffersFromAxisToAxis) {
    for (const std::array<double, 3> mm : {std::array<double, 3>{0.35, 0.9, 1},
                                           {1, 1, 5},
                                           {1e-4, 2e-4, 1e-3},
                                           {300, 7, 0.001},
                                           {1.0 / 3, 1.0 / 3, 1.0 / 3}})
        for (const bool squared : {false, true}) {
            expectAllOk(spaced(sprinkled({41, 29}, PixelType::u8, 0.01), mm), distances(squared, "mm"), "picture");
            expectAllOk(spaced(sprinkled({11, 12, 9}, PixelType::f32, 0.01), mm), distances(squared, "mm"), "volume");
        }
}

// NaN is at or below no level, infinity below every finite one or none.
TEST_P(DistanceRegistry, NotANumberIsNoSite) {
    auto input = sprinkled({21, 18}, PixelType::f32, 0.02);
    float* values = input->as<float>();
    const float odd[] = {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::infinity(), -0.0F};
    for (int i = 0; i < 21 * 18; i += 3) values[i] = odd[i % 40 == 0 ? 3 : i % 3];
    expectAllOk(input, distances(true), "NaN");
    // What lies on a device is not sent again: pictures are not written to any more.
    const auto below = std::make_shared<io::Grid>(input->clone());
    below->as<float>()[40] = -std::numeric_limits<float>::infinity();
    expectAllOk(below, distances(true, "pixels", -5), "below -5");
    const auto nothing = std::make_shared<io::Grid>(input->clone());
    std::fill_n(nothing->as<float>(), 21 * 18, std::numeric_limits<float>::quiet_NaN());
    expectAllOk(nothing, distances(), "nothing but NaN");
}

TEST_P(DistanceRegistry, EveryTunableOfEveryVariant) {
    const auto picture = sprinkled({70, 41}, PixelType::u8, 0.01);
    const auto volume = sprinkled({19, 6, 20}, PixelType::u16, 0.01);
    for (const Variant& variant : familyOf("distance").variants()) {
        if (variant.kind == Variant::Kind::library) continue;
        for (const auto& [width, height] : {std::pair{8, 8}, {32, 1}, {33, 7}, {128, 2}}) {
            TunableValues chosen;
            for (const auto& tunable : variant.tunables)
                chosen[tunable.id] = !tunable.choices.empty()
                                         ? tunable.choices[static_cast<std::size_t>(width) % tunable.choices.size()]
                                     : tunable.id == "block_width" ? width
                                                                   : height;
            expectAllOk(picture, distances(true), variant.id, {variant.id}, chosen);
            expectAllOk(volume, distances(true), variant.id, {variant.id}, chosen);
        }
    }
}

// Threads and blocks in any order give the same: a missing barrier would show.
TEST_P(DistanceRegistry, AnyOrderOfThreads) {
    if (GetParam() != "cpu") GTEST_SKIP() << "a GPU has its own order";
    for (const std::uint64_t seed : {1, 2, 3})
        for (const io::Shape shape : {io::Shape{131, 34}, io::Shape{33, 3, 17}}) {
            auto request = requestOf(sprinkled(shape, PixelType::u8, 0.01, seed), distances(true), kExact);
            request.scheduling.shuffleSeed = seed;
            for (const auto& run : m_runner.run(request).runs) EXPECT_EQ(run.status, Status::ok) << describe(run);
        }
}

// What jump flooding misses is what comparing it with an exact row shows, and the note says how many.
TEST_P(DistanceRegistry, WrongPixelsOfJumpFloodingAreCounted) {
    std::int64_t all = 0, afterFirst = 0;
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        const auto input = sprinkled({150, 140}, PixelType::u8, 0.01, seed);
        for (const int first : {0, 1}) {
            const auto runs = m_runner
                                  .run(requestOf(input, distances(seed % 2 == 0), {"jump_flooding", "separable"},
                                                 {{"first_pass", first}}))
                                  .runs;
            ASSERT_EQ(runs.size(), 2U);
            ASSERT_EQ(runs[0].status, Status::ok) << describe(runs[0]);
            ASSERT_EQ(runs[1].status, Status::ok) << describe(runs[1]);
            std::int64_t wrong = 0;
            for (int y = 0; y < 140; ++y)
                for (int x = 0; x < 150; ++x) {
                    const double got = runs[0].result.picture->value(x, y), right = runs[1].result.picture->value(x, y);
                    EXPECT_GE(got, right);
                    wrong += got != right;
                }
            EXPECT_EQ(runs[0].verification->note.rfind(std::to_string(wrong) + " of 21000 values", 0), 0U)
                << wrong << ": " << runs[0].verification->note;
            (first == 0 ? all : afterFirst) += wrong;
        }
    }
    EXPECT_GT(all, 0);
    EXPECT_LT(afterFirst, all);
}

// The picture of the lesson on jump flooding, which tells how many.
TEST_P(DistanceRegistry, WrongPixelsOfTheLesson) {
    const auto input = std::make_shared<io::Grid>(io::generate("gen:noise:128x128:u8"));
    const auto runs = m_runner.run(requestOf(input, distances(false, "pixels", 2), {"jump_flooding"})).runs;
    ASSERT_EQ(runs.front().status, Status::ok) << describe(runs.front());
    EXPECT_EQ(runs.front().verification->note.rfind("3 of 16384 values", 0), 0U) << runs.front().verification->note;
}

TEST_P(DistanceRegistry, FarAwayRootsAreRounded) {
    // Squares beyond 2^24, where not every integer is a float.
    auto grid = std::make_shared<io::Grid>(io::Shape{9001, 3}, PixelType::u8);
    std::fill_n(grid->as<std::uint8_t>(), 9001 * 3, std::uint8_t{9});
    grid->setValue(0, 2, 0, 0, 0);
    for (const auto& run : m_runner.run(requestOf(grid, distances(), {"separable", "banded", "near_first"})).runs)
        EXPECT_EQ(run.status, Status::ok) << describe(run);
}

TEST_P(DistanceRegistry, RowsThatNoBlockHolds) {
    const auto input = sprinkled({60000, 1}, PixelType::u8, 0.01);
    const auto runs =
        m_runner.run(requestOf(input, distances(false, "mm"), {"separable", "outward", "banded", "near_first"})).runs;
    ASSERT_EQ(runs.size(), 4U);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(runs[i].status, Status::ok) << describe(runs[i]);
    for (std::size_t i = 2; i < 4; ++i) {
        EXPECT_EQ(runs[i].status, Status::unsupported) << describe(runs[i]);
        EXPECT_NE(runs[i].reason.find("bytes of shared memory"), std::string::npos) << runs[i].reason;
    }
}

TEST_P(DistanceRegistry, ALargePicture) {
    if (GetParam() == "cpu") GTEST_SKIP() << "8191 x 8209 is for the GPU: the SIMT device would take minutes";
    for (const double share : {0.3, 1e-3, 1e-7, 0.0}) {
        const auto input = sprinkled({8191, 8209}, PixelType::u8, share);
        const std::vector<std::string> rows =
            share > 1e-4 ? kExact : std::vector<std::string>{"separable", "banded", "near_first"};
        for (const auto& run : m_runner.run(requestOf(input, distances(true), rows)).runs)
            EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << describe(run);
    }
}

INSTANTIATE_TEST_SUITE_P(Distance, DistanceRegistry, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
