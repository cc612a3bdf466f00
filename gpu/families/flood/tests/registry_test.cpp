// SPDX-License-Identifier: Apache-2.0
// Registry x device x type x channels x connectivity x shape: every row against a queue.
#include "gpu/core/registry.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/flood/tests/flood_case.hpp"
#include "io/generate.hpp"

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

const std::set<std::string> kAnywhere{"vertex", "frontier", "privatised", "texture", "hybrid", "tiled", "host_queue"};
const std::set<std::string> kSlices{"vertex", "frontier", "privatised", "texture",
                                    "hybrid", "tiled",    "persistent", "host_queue"};

std::shared_ptr<const io::Grid> made(const std::string& description) {
    return std::make_shared<const io::Grid>(io::generate(description));
}

/// Of so many percent 0, the rest full scale.
std::shared_ptr<io::Grid> percolating(const io::Shape& shape, PixelType type, int percent) {
    auto grid = noise(shape, type, static_cast<std::uint64_t>(shape.width + percent));
    const double top = type == PixelType::u8 ? 255 : type == PixelType::u16 ? 65535 : 1;
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                const bool open = grid->value(x, y, z, 0) < top * percent / 100;
                for (int c = 0; c < shape.channels; ++c) grid->setValue(x, y, z, c, open ? 0 : top);
            }
    return grid;
}

/// A corridor of 0 that winds inwards, walls of 255.
std::shared_ptr<io::Grid> spiral(int side) {
    auto grid = std::make_shared<io::Grid>(io::Shape{side, side}, PixelType::u8);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) grid->setValue(x, y, 0, 0, 255);
    int x = 0, y = 0, dx = 1, dy = 0;
    const auto open = [&](int i, int j) { return i >= 0 && j >= 0 && i < side && j < side && grid->value(i, j) == 0; };
    for (int turns = 0; turns < 2;) {
        grid->setValue(x, y, 0, 0, 0);
        const int i = x + dx, j = y + dy;
        const bool blocked = i < 0 || j < 0 || i >= side || j >= side || open(i, j) || open(i + dx, j + dy);
        if (blocked) {
            const int turned = dx;
            dx = -dy;
            dy = turned;
            ++turns;
            continue;
        }
        turns = 0;
        x = i;
        y = j;
    }
    return grid;
}

class FloodRegistry : public FloodCase {};

TEST_P(FloodRegistry, EveryTypeChannelsConnectivityAndShape) {
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32})
        for (const auto& shape : {io::Shape{1, 1}, io::Shape{1, 70}, io::Shape{67, 1}, io::Shape{33, 65, 1, 3},
                                  io::Shape{9, 8, 5}, io::Shape{70, 35, 2, 4}})
            for (const char* connectivity : {"4", "8", "6", "26"}) {
                const bool deep = connectivity == std::string("6") || connectivity == std::string("26");
                FloodAsked asked{{{shape.width / 2, shape.height / 2, shape.depth / 2}}, 0.25, connectivity};
                const std::string what = std::to_string(shape.width) + "x" + std::to_string(shape.height) + " " +
                                         io::nameOf(type) + " " + connectivity;
                EXPECT_EQ(expectSteps(percolating(shape, type, 66), asked, what),
                          deep && shape.depth > 1 ? kAnywhere : kSlices)
                    << what;
            }
}

TEST_P(FloodRegistry, NoiseAtThePercolationDensity) {
    for (const int percent : {58, 60, 70}) {
        const auto input = percolating({96, 70}, PixelType::u8, percent);
        for (const char* connectivity : {"4", "8"})
            for (const FloodPlace& seed : {FloodPlace{0, 0, 0}, FloodPlace{48, 35, 0}, FloodPlace{95, 69, 0}})
                EXPECT_EQ(expectSteps(input, {{seed}, 0, connectivity}, std::to_string(percent)), kSlices);
    }
}

TEST_P(FloodRegistry, MazesSpiralsAndTheirEnds) {
    for (const char* connectivity : {"4", "8"}) {
        EXPECT_EQ(expectSteps(made("gen:maze:97x71:u8"), {{{0, 0, 0}}, 0, connectivity}, "maze"), kSlices);
        EXPECT_EQ(expectSteps(made("gen:maze:64x64:f32:cell=3"), {{{63, 0, 0}}, 0, connectivity}, "wide"), kSlices);
        EXPECT_EQ(expectSteps(spiral(45), {{{0, 0, 0}}, 0, connectivity}, "spiral"), kSlices);
    }
    expectSteps(made("gen:maze:19x19x19:u8"), {{{0, 0, 0}}, 0, "6"}, "maze of three dimensions");
    // The last pixel of a box: nothing but the seed touches the next one.
    for (const char* connectivity : {"6", "26"})
        EXPECT_EQ(expectSteps(made("gen:constant:1x1x70:u8"), {{{0, 0, 7}}, 0, connectivity}, "along z"), kAnywhere);
}

// More levels than one block takes in a launch, and more than a batch has.
TEST_P(FloodRegistry, OneLongCorridor) {
    EXPECT_EQ(expectSteps(made("gen:constant:1301x1:u8"), {{{0, 0, 0}}, 0, "4"}, "corridor"), kSlices);
}

// All of a picture, and nothing but the seed.
TEST_P(FloodRegistry, FullAndEmpty) {
    for (const char* connectivity : {"4", "8"}) {
        EXPECT_EQ(expectSteps(made("gen:constant:67x66:u16"), {{{66, 0, 0}}, 0, connectivity}, "full"), kSlices);
        // Through open tiles to every side.
        EXPECT_EQ(expectSteps(made("gen:constant:99x98:u8"), {{{50, 45, 0}}, 0, connectivity}, "middle"), kSlices);
        EXPECT_EQ(expectSteps(made("gen:impulse:40x40:u8"), {{{20, 20, 0}}, 254, connectivity}, "one"), kSlices);
    }
}

// A level of 1,024 seeds is as wide as one block takes; the next is wider than the device's queues of a block.
TEST_P(FloodRegistry, AsManySeedsAsThereMayBe) {
    FloodAsked asked{{}, 0, "8"};
    for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) asked.seeds.push_back({5 * x + 2, 5 * y + 2, 0});
    const auto input = made("gen:constant:160x160:u8");
    EXPECT_EQ(expectSteps(input, asked, "seeds"), kSlices);
    const std::set<std::string> levelwise{"frontier", "hybrid", "privatised", "texture", "vertex"};
    EXPECT_EQ(expectSteps(input, asked, "one block has them all", {levelwise.begin(), levelwise.end()},
                          {{"block_width", 1024}}),
              levelwise);
    asked.seeds.push_back({0, 0, 0});
    EXPECT_THROW(expectSteps(input, asked, "one more"), Error);
}

TEST_P(FloodRegistry, EveryTunableOfEveryVariant) {
    const auto input = made("gen:maze:70x50:u8");
    for (const Variant& variant : familyOf("flood").variants())
        for (const Tunable& tunable : variant.tunables)
            for (const int value : tunable.choices)
                EXPECT_EQ(expectSteps(input, {{{0, 0, 0}}, 0, "4"}, variant.id + std::to_string(value), {variant.id},
                                      {{tunable.id, value}}),
                          std::set{variant.id});
}

TEST_P(FloodRegistry, AnyOrderOfThreadsAndBlocks) {
    if (GetParam() != "cpu") GTEST_SKIP() << "a GPU has its own order";
    auto input = percolating({90, 70}, PixelType::u8, 65);
    for (const std::uint64_t seed : {1, 7})
        for (const int workers : {1, 4})
            for (const char* connectivity : {"4", "8"}) {
                expectSteps(input, {{{0, 0, 0}, {89, 69, 0}}, 0, connectivity}, "one colour", {}, {{"block_width", 64}},
                            {.workers = workers, .shuffleSeed = seed});
                expectSteps(noise({60, 50}, PixelType::u8), {{{3, 3, 0}, {50, 40, 0}}, 100, connectivity}, "two", {},
                            {{"block_width", 64}}, {.workers = workers, .shuffleSeed = seed});
            }
}

TEST_P(FloodRegistry, RepeatedLaunchesBeginAnew) {
    for (const double tolerance : {0.0, 100.0}) {
        auto request =
            floodRequest(noise({83, 47}, PixelType::u8), {{{9, 9, 0}, {40, 40, 0}}, tolerance, "8"}, GetParam());
        request.timing = {.warmUps = 1, .minimumSamples = 2, .maximumSamples = 2};
        for (const auto& run : m_runner.run(request).runs)
            EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << describe(run);
    }
}

INSTANTIATE_TEST_SUITE_P(Flood, FloodRegistry, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
