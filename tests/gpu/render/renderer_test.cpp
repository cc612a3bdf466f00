// SPDX-License-Identifier: Apache-2.0
// Loop against kernel, bricks against every sample, refusals, stopping, colour tables.
#include "gpu/core/error.hpp"
#include "gpu/device/device.hpp"
#include "gpu/render/bricks.hpp"
#include "gpu/render/colour_table.hpp"
#include "io/generate.hpp"
#include "tests/gpu/render/render_case.hpp"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <thread>

namespace warplens::gpu::render {
namespace {

using namespace test;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

double fullOf(io::PixelType type) {
    return type == io::PixelType::f32 ? 1 : type == io::PixelType::u8 ? 255 : type == io::PixelType::u16 ? 65535 : 1e9;
}

/// Cut-off corners of what a volume may be, in all types.
std::vector<std::shared_ptr<io::Grid>> oddVolumes() {
    std::vector<std::shared_ptr<io::Grid>> list;
    using enum io::PixelType;
    for (const io::PixelType type : {u8, u16, f32, u32, i32}) {
        const double full = fullOf(type);
        for (const io::Shape shape :
             {io::Shape{33, 17, 25}, {1, 1, 1}, {1, 19, 1}, {40, 1, 3}, {9, 9, 9}, {8, 16, 2}}) {
            // Empty bricks and full ones.
            list.push_back(volumeOf(shape, type, [&](auto x, auto y, auto z) {
                return (x / 8 + y / 8 + z / 8) % 2
                           ? 0.0
                           : std::floor(full * noise(x, y, z) * (type == io::PixelType::f32 ? 1e6 : 1)) /
                                 (type == io::PixelType::f32 ? 1e6 : 1);
            }));
            list.back()->geometry.spacing = {1, 0.7, 2.5};
        }
    }
    return list;
}

std::vector<FrameRequest> requestsFor(const io::Grid& grid) {
    std::vector<FrameRequest> list;
    const double full = fullOf(grid.type());
    for (const Mode mode : {Mode::maximum, Mode::average, Mode::shaded})
        for (const bool fine : {true, false})
            for (const View view : {View{}, View{.yaw = 0, .pitch = 0}, View{.yaw = 201, .pitch = -90, .zoom = 2.5}}) {
                FrameRequest request;
                request.view = view;
                request.mode = mode;
                request.fine = fine;
                request.width = 37;
                request.height = 29;
                request.transfer = {0.05 * full, 0.9 * full, {}, {{0.3, 0}, {0.8, 0.5}}};
                for (const auto colour : coloursOf(ColourTable::inferno)) request.transfer.colours.push_back(colour);
                list.push_back(request);
            }
    return list;
}

/// Largest difference of any byte, and how many pixels differ by more than 2.
std::pair<int, int> difference(const Frame& a, const Frame& b) {
    int largest = 0, many = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        int most = 0;
        for (int shift = 0; shift < 32; shift += 8)
            most = std::max(most, std::abs(static_cast<int>(a.pixels[i] >> shift & 0xffU) -
                                           static_cast<int>(b.pixels[i] >> shift & 0xffU)));
        largest = std::max(largest, most);
        many += most > 2;
    }
    return {largest, many};
}

TEST(Raycast, KernelAndLoopDrawTheSame) {
    const auto loop = cpuRenderer();
    const auto kernel = kernelRenderer(openDevice("cpu"));
    for (const auto& volume : oddVolumes())
        for (const FrameRequest& request : requestsFor(*volume)) {
            const Frame a = drawn(*loop, volume, request), b = drawn(*kernel, volume, request);
            const auto [largest, many] = difference(a, b);
            // A ray that grazes an edge may have a sample more or less; light inside one cell jumps from cell to cell,
            // which is where the samples of a ray along an axis lie.
            EXPECT_LE(many, request.mode == Mode::shaded && !request.fine ? 20 : 3)
                << "mode " << static_cast<int>(request.mode) << " largest " << largest;
        }
}

/// The greatest interpolated value on a ray in double precision, every sample taken, and one nearly as far along.
double greatestAlong(const io::Grid& grid, const FrameRequest& request, int px, int py) {
    const auto spacing = drawnSpacing(grid.geometry);
    const Projection p(grid.shape(), spacing, request.view, request.width, request.height);
    const Vector origin = p.toVoxel(px + 0.5, py + 0.5), forward = p.forwardVoxels();
    const double fastest = std::max({std::abs(forward[0]), std::abs(forward[1]), std::abs(forward[2])});
    const double extents[] = {static_cast<double>(grid.shape().width), static_cast<double>(grid.shape().height),
                              static_cast<double>(grid.shape().depth)};
    double begin = -1e9, end = 1e9;
    for (std::size_t a = 0; a < 3; ++a) {
        const double t0 = -origin[a] / forward[a], t1 = (extents[a] - origin[a]) / forward[a];
        begin = std::max(begin, std::min(t0, t1));
        end = std::min(end, std::max(t0, t1));
    }
    const double step = 0.5 / fastest;
    double best = -1;
    for (double t = begin + step; t < end - 1e-3 * step; t += step) {
        std::int64_t low[3];
        double part[3];
        for (std::size_t a = 0; a < 3; ++a) {
            const double q = std::clamp(origin[a] + t * forward[a] - 0.5, 0.0, extents[a] - 1);
            low[a] = std::min(static_cast<std::int64_t>(q), static_cast<std::int64_t>(extents[a]) - 2);
            part[a] = q - static_cast<double>(low[a]);
        }
        double value = 0;
        for (int corner = 0; corner < 8; ++corner) {
            double weight = 1;
            for (int a = 0; a < 3; ++a) weight *= corner >> a & 1 ? part[a] : 1 - part[a];
            value += weight * grid.value(low[0] + (corner & 1), low[1] + (corner >> 1 & 1), low[2] + (corner >> 2 & 1));
        }
        best = std::max(best, value);
    }
    return best;
}

TEST(Raycast, PassingOverBricksLosesNoMaximum) {
    // Few voxels that shine: many bricks hold none, and a ray that leaves one a sample late misses what lies behind.
    auto volume = volumeOf({33, 27, 40}, io::PixelType::f32, [](auto x, auto y, auto z) {
        return noise(x, y, z) < 0.004 ? 0.3 + 0.7 * noise(z, x, y) : 0.0;
    });
    volume->geometry.spacing = {1, 0.7, 1.5};
    const auto renderer = cpuRenderer();
    FrameRequest request;
    request.view = {.yaw = 31, .pitch = 17};
    request.width = 60;
    request.height = 50;
    request.transfer = readable(0, 1);
    const Frame frame = drawn(*renderer, volume, request);
    int wrong = 0, seen = 0;
    for (int y = 0; y < 50; ++y)
        for (int x = 0; x < 60; ++x) {
            const double expected = greatestAlong(*volume, request, x, y);
            if (expected < 0 || at(frame, x, y) == 0) continue;
            ++seen;
            wrong += std::abs(valueIn(at(frame, x, y), request.transfer) - expected) > 2.0 / kTableSize;
        }
    EXPECT_GT(seen, 800);
    EXPECT_LE(wrong, 1);
}

TEST(Bricks, HoldLeastAndGreatestOfWhatRaysMeet) {
    auto volume = volumeOf({21, 10, 9}, io::PixelType::f32, noise);
    volume->setValue(3, 3, 3, 0, kNan);
    const Bricks bricks = bricksOf(*volume);
    ASSERT_EQ(bricks.count, (std::array<int, 3>{3, 2, 1}));
    for (int by = 0; by < 2; ++by)
        for (int bx = 0; bx < 3; ++bx) {
            float low = 1e9F, high = -1e9F;
            for (int z = 0; z <= 8; ++z)
                for (int y = 8 * by; y <= std::min(8 * by + 8, 9); ++y)
                    for (int x = 8 * bx; x <= std::min(8 * bx + 8, 20); ++x) {
                        const auto v = static_cast<float>(volume->value(x, y, z));
                        if (std::isnan(v)) continue;
                        low = std::min(low, v);
                        high = std::max(high, v);
                    }
            const BrickRange range = bricks.ranges[static_cast<std::size_t>(by * 3 + bx)];
            EXPECT_EQ(range.low, low);
            EXPECT_EQ(range.high, high);
        }
}

TEST(Renderer, AColourVolumeIsDrawnByItsBrightness) {
    auto colours = std::make_shared<io::Grid>(io::Shape{5, 5, 5, 3}, io::PixelType::u8);
    for (int i = 0; i < 125; ++i)
        for (int c = 0; c < 3; ++c) colours->setValue(i % 5, i / 5 % 5, i / 25, c, 30 * (c + 1));
    const auto renderer = cpuRenderer();
    FrameRequest request = oneToOne(*colours, 0, 0, 5, 5);
    request.transfer = readable(0, 255);
    EXPECT_NEAR(valueIn(at(drawn(*renderer, colours, request), 2, 2), request.transfer), 60, 0.3);
}

TEST(Renderer, RefusesWhatCannotBeDrawn) {
    const auto renderer = cpuRenderer();
    FrameRequest request;
    request.width = request.height = 4;
    request.transfer.colours = {0xff000000};
    EXPECT_THROW(renderer->render(request), Error);
    renderer->setVolume(volumeOf({2, 2, 2}, io::PixelType::u8, [](auto, auto, auto) { return 1.0; }));
    request.width = 0;
    EXPECT_THROW(renderer->render(request), Error);
    EXPECT_THROW(openRenderer("cuda:99"), Error);
    // A spacing that is no length is drawn as 1.
    io::Geometry broken;
    broken.spacing = {0, -1, std::nan("")};
    EXPECT_EQ(drawnSpacing(broken), (Vector{1, 1, 1}));
}

TEST(Renderer, StopsWhenAsked) {
    const auto renderer = cpuRenderer();
    renderer->setVolume(std::make_shared<io::Grid>(io::generate("gen:noise:192x192x192:u8")));
    FrameRequest request;
    request.mode = Mode::average;
    request.width = 2000;
    request.height = 1500;
    request.transfer = readable(0, 255);
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;
    std::jthread asking([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        asked = std::chrono::steady_clock::now();
        stop.request_stop();
    });
    try {
        renderer->render(request, stop.get_token());
        ADD_FAILURE() << "not stopped";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::cancelled);
    }
    asking.join();
    EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::milliseconds(250));
}

TEST(ColourTable, RisesInLightnessFromEndToEnd) {
    // Published ends of the tables.
    EXPECT_EQ(coloursOf(ColourTable::viridis).front(), 0xff440154);
    EXPECT_EQ(coloursOf(ColourTable::viridis).back(), 0xfffde725);
    EXPECT_EQ(coloursOf(ColourTable::inferno).front(), 0xff000004);
    for (const ColourTable table :
         {ColourTable::viridis, ColourTable::cividis, ColourTable::magma, ColourTable::inferno}) {
        double last = -1;
        for (const std::uint32_t c : coloursOf(table)) {
            const double light = 0.2126 * (c >> 16U & 0xffU) + 0.7152 * (c >> 8U & 0xffU) + 0.0722 * (c & 0xffU);
            EXPECT_GE(light, last - 2);
            last = light;
        }
    }
    std::set<std::uint32_t> middles;
    for (int i = 0; i < 5; ++i) middles.insert(coloursOf(static_cast<ColourTable>(i))[128]);
    EXPECT_EQ(middles.size(), 5U);
}

}  // namespace
}  // namespace warplens::gpu::render
