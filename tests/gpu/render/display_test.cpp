// SPDX-License-Identifier: Apache-2.0
// Every device draws alike; tests/gui/views/display_test.cpp compares one of them with the window.
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/kernels/transfer.hpp"
#include "gpu/render/display_painter.hpp"
#include "gpu/render/label_colour.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace warplens::gpu::testing {
namespace {

using render::Display;
using render::DisplayLine;

/// Screen pixels that lie every `step` values along `stored` values, the first at `begin`.
DisplayLine lineAlong(std::int64_t stored, double begin, double step, int screen) {
    DisplayLine line;
    for (int i = 0; i < screen; ++i) {
        const double at = begin + i * step;
        const auto low = static_cast<std::int32_t>(at);
        line.first.push_back(low);
        line.second.push_back(std::min<std::int32_t>(low + 1, static_cast<std::int32_t>(stored) - 1));
        line.weight.push_back(static_cast<float>(at - low));
    }
    return line;
}

std::shared_ptr<Display> displayOf(std::int64_t width, std::int64_t height, int level, bool smooth) {
    auto display = std::make_shared<Display>();
    for (int k = 0; k < level; ++k) {
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    display->across = lineAlong(width, 0.25, static_cast<double>(width - 1) / 41, 40);
    display->down = lineAlong(height, 0.5, static_cast<double>(height - 1) / 33, 32);
    display->level = level;
    display->smooth = smooth;
    auto& c = display->colours;
    c.low = 0.1F;
    c.scale = 1300;
    c.least = 0.05F;
    c.greatest = 0.95F;
    for (std::uint32_t i = 0; i < c.table.size(); ++i) {
        c.table[i] = 0xff000000U | i * 37;
        c.bytes[i] = static_cast<std::uint8_t>(i / 5);
    }
    c.nan = 1;
    c.plusInfinity = 2;
    c.minusInfinity = 3;
    c.below = 4;
    c.above = 5;
    return display;
}

std::vector<std::uint32_t> drawnOn(const std::string& id, const std::shared_ptr<const io::Grid>& grid,
                                   const std::shared_ptr<const Display>& display) {
    const auto device = openDevice(id);
    Resident resident;
    keepResident(*device, grid, resident);
    render::DisplayPainter painter(*device);
    const render::Seen seen = painter.paint({&resident.planes, grid->shape(), grid->type()}, display);
    const std::uint32_t* pixels = seen.pixels.get();
    return {pixels, pixels + static_cast<std::ptrdiff_t>(seen.width) * seen.height};
}

TEST(Display, DevicesDrawAlike) {
    using enum io::PixelType;
    for (const io::PixelType type : {u8, u16, f32, u32, i32})
        for (const int channels : {1, 3, 4})
            for (const auto& [level, smooth] : {std::pair(0, false), std::pair(0, true), std::pair(2, true)}) {
                const auto grid = noise({101, 77, 1, channels}, type);
                const auto display = displayOf(101, 77, level, smooth);
                if (type != io::PixelType::f32) {
                    display->colours.scale = type == u8 ? 5 : type == u16 ? 0.02F : 1e-6F;
                    display->colours.greatest = type == u8 ? 240 : type == u16 ? 60000 : 2e9F;
                }
                const auto expected = drawnOn("cpu", grid, display);
                EXPECT_GT(std::ranges::count(expected, 5U), level > 0 ? -1 : 0) << "no value beyond the range is seen";
                for (const std::string& id : devicesHere())
                    EXPECT_EQ(drawnOn(id, grid, display), expected)
                        << id << ", " << io::nameOf(type) << ", " << channels << " channels, level " << level;
            }
}

TEST(Display, EveryDeviceGivesALabelItsOwnColourThroughNoFloat) {
    // Neighbours that are one float.
    const std::uint32_t values[] = {0, 0xffffffff, 1U << 30, (1U << 30) + 1, 0x80000000, 0x80000001};
    for (const io::PixelType type : {io::PixelType::u32, io::PixelType::i32}) {
        auto grid = std::make_shared<io::Grid>(io::Shape{6, 1, 1, 1}, type);
        std::ranges::copy(values, grid->as<std::uint32_t>());
        auto display = displayOf(6, 1, 0, false);
        display->across = lineAlong(6, 0, 1, 6);
        display->down = lineAlong(1, 0, 1, 1);
        display->colours.labels = true;
        std::vector<std::uint32_t> expected;
        for (std::int64_t x = 0; x < 6; ++x)
            expected.push_back(render::labelColour(static_cast<std::int64_t>(grid->value(x, 0))));
        EXPECT_EQ(std::set(expected.begin(), expected.end()).size(), 6U);
        for (const std::string& id : devicesHere()) EXPECT_EQ(drawnOn(id, grid, display), expected) << id;
    }
}

TEST(Display, ColoursOneValueByHand) {
    auto grid = std::make_shared<io::Grid>(io::Shape{3, 2, 1, 1}, io::PixelType::f32);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const float values[] = {0.5F, std::numeric_limits<float>::quiet_NaN(), infinity, -infinity, 0.01F, 0.99F};
    for (int i = 0; i < 6; ++i) grid->setValue(i % 3, i / 3, 0, 0, values[i]);
    auto display = displayOf(3, 2, 0, false);
    display->across = lineAlong(3, 0, 1, 3);
    display->down = lineAlong(2, 0, 1, 2);
    for (const std::string& id : devicesHere())
        EXPECT_EQ(drawnOn(id, grid, display), (std::vector<std::uint32_t>{0xff000000U | 520 * 37, 1, 2, 3, 4, 5}))
            << id;
}

}  // namespace
}  // namespace warplens::gpu::testing
