// SPDX-License-Identifier: Apache-2.0
// Registry x device x task x type x channels x extent: every kernel against the definition, and all of them, OpenCV
// included, against each other to the last bit.
#include "gpu/families/layout/tests/layout_case.hpp"

#include <limits>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};

std::string text(const io::Shape& s, PixelType type) {
    return std::to_string(s.width) + "x" + std::to_string(s.height) + "x" + std::to_string(s.depth) + " c" +
           std::to_string(s.channels) + " " + io::nameOf(type);
}

class LayoutRegistry : public LayoutOnDevice {
protected:
    void everyTaskOn(const io::Shape& shape, PixelType type) {
        const auto input = noise(shape, type, static_cast<std::uint64_t>(shape.width * 1000 + shape.height));
        for (const auto& [name, parameters, kernels] : layoutTasks(shape.channels > 1)) {
            const auto what = name + " " + text(shape, type);
            ASSERT_EQ(expectAllOk(input, parameters, what), kernels) << what;
        }
        const std::int64_t x = shape.width / 3, y = shape.height / 4;
        ASSERT_EQ(expectAllOk(input, crop(x, y, shape.width - x, (shape.height - y + 1) / 2), "crop"), 3)
            << text(shape, type);
    }
};

// Every remainder of both extents modulo 16, so that rows start at every place between two packs.
TEST_P(LayoutRegistry, EveryRemainderOfBothExtents) {
    for (const PixelType type : kTypes)
        for (int r = 0; r < 16; ++r) everyTaskOn({32 + r, 16 + (7 * r + 3) % 16}, type);
}

TEST_P(LayoutRegistry, EveryNumberOfChannels) {
    for (const PixelType type : kTypes)
        for (const int channels : {3, 4})
            for (const int r : {0, 1, 2, 5, 8, 11, 15}) everyTaskOn({48 + r, 17 + r / 2, 1, channels}, type);
}

TEST_P(LayoutRegistry, OneValueOneRowOneColumnAndPrimes) {
    for (const PixelType type : kTypes)
        for (const auto& [w, h] : {std::pair{1, 1}, {1, 37}, {37, 1}, {2, 3}, {131, 67}, {257, 13}, {7, 1009}})
            everyTaskOn({w, h}, type);
}

TEST_P(LayoutRegistry, TilesThatFitAndTilesOneValueShortOrLong) {
    for (const auto& [w, h] : {std::pair{128, 256}, {127, 129}, {112, 240}, {113, 239}, {256, 128}})
        for (const PixelType type : kTypes) everyTaskOn({w, h}, type);
}

TEST_P(LayoutRegistry, Volumes) {
    for (const auto& shape : {io::Shape{5, 7, 3}, io::Shape{17, 33, 5, 3}, io::Shape{32, 16, 4}, io::Shape{1, 1, 9},
                              io::Shape{19, 1, 23}, io::Shape{16, 16, 32, 4}})
        for (const PixelType type : kTypes) everyTaskOn(shape, type);
}

TEST_P(LayoutRegistry, EveryTunable) {
    for (const auto& [w, h] : {std::pair{300, 270}, {288, 272}})
        for (const PixelType type : kTypes) {
            const auto input = noise({w, h}, type);
            for (const int bytes : {128, 256})
                EXPECT_EQ(expectAllOk(input, task("rotate90"), "tiles", {{"tile_bytes", bytes}}), 1 + 5);
            for (const int height : {1, 2, 32})
                EXPECT_EQ(expectAllOk(input, task("transpose"), "height", {{"block_height", height}}), 6);
            for (const char* name : {"flip-x", "copy"})
                for (const auto& [x, y] : {std::pair{1, 1}, {33, 3}, {64, 16}})
                    EXPECT_EQ(expectAllOk(input, task(name), name, {{"block_width", x}, {"block_height", y}}), 3);
        }
    for (const char* name : {"planar", "interleaved"})
        for (const int width : {32, 64, 256, 512})
            for (const int more : {0, 1})
                EXPECT_EQ(expectAllOk(noise({96 + more, 31, 1, 3}, PixelType::u8), task(name), name,
                                      {{"block_width", width}}),
                          2);
}

// Not a number keeps its place and its class; -0 and denormal numbers their bits.
TEST_P(LayoutRegistry, FloatsKeepTheirBits) {
    auto input = noise({35, 18}, PixelType::f32);
    const float odd[] = {std::numeric_limits<float>::quiet_NaN(), -0.0F, std::numeric_limits<float>::infinity(),
                         std::numeric_limits<float>::denorm_min(), -std::numeric_limits<float>::infinity()};
    for (int i = 0; i < 5; ++i) input->as<float>()[input->index(7 * i, 3 * i)] = odd[i];
    for (const auto& [name, parameters, kernels] : layoutTasks(false))
        EXPECT_EQ(expectAllOk(input, parameters, name), kernels) << name;
    auto request = layoutRequest(input, task("rotate180"), GetParam());
    request.variants = {"rows"};
    const auto run = m_runner.run(request).runs.front();
    ASSERT_EQ(run.status, Status::ok) << describe(run);
    for (int i = 0; i < 5; ++i) {
        const float* turned = &run.result.picture->as<float>()[input->index(34 - 7 * i, 17 - 3 * i)];
        EXPECT_EQ(std::memcmp(turned, &odd[i], sizeof(float)), 0) << i;
    }
}

// Threads and blocks in any order give the same: a missing barrier would show.
TEST_P(LayoutRegistry, AnyOrderOfThreads) {
    if (GetParam() != "cpu") GTEST_SKIP() << "a GPU has its own order";
    for (const std::uint64_t seed : {1, 2, 3}) {
        for (const char* name : {"transpose", "planar", "interleaved"}) {
            auto request = layoutRequest(noise({77, 45, 1, 3}, PixelType::u8), task(name), GetParam());
            request.scheduling.shuffleSeed = seed;
            for (const auto& run : m_runner.run(request).runs)
                EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << describe(run);
        }
    }
}

TEST_P(LayoutRegistry, ALargePicture) {
    if (GetParam() == "cpu") GTEST_SKIP() << "8191 x 8209 is for the GPU: the SIMT device would take minutes";
    for (const PixelType type : kTypes)
        for (const char* name : {"transpose", "flip-x", "planar"}) {
            auto request = layoutRequest(noise({8191, 8209}, type), task(name), GetParam());
            for (const auto& run : m_runner.run(request).runs)
                EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << describe(run);
        }
}

INSTANTIATE_TEST_SUITE_P(Layout, LayoutRegistry, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
