// SPDX-License-Identifier: Apache-2.0
// What goes from grid to grid in a multigrid cycle, against the definition, in doubles. Solvers would come to the right
// end with a wrong step as well, only later.
#include "gpu/families/sparse/solving.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace warplens::gpu::testing {
namespace {

using sparse::CycleGrid;

constexpr int kChannels = 2;

struct Picture {
    int width, height;
    std::vector<unsigned char> inside;
    std::vector<float> b, u, coarse;

    Picture(int w, int h) : width(w), height(h) {
        std::mt19937 random(static_cast<unsigned>(w * 1000 + h));
        const auto cells = static_cast<std::size_t>(w) * static_cast<std::size_t>(h);
        for (std::size_t i = 0; i < cells; ++i) inside.push_back(random() % 4 != 0);
        const auto fill = [&](std::vector<float>& values, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i)
                values.push_back(static_cast<float>(random() % 2001) / 1000.0F - 1.0F);
        };
        fill(b, cells * kChannels);
        fill(u, cells * kChannels);
        fill(coarse, static_cast<std::size_t>((w + 1) / 2) * static_cast<std::size_t>((h + 1) / 2) * kChannels);
    }
    std::size_t at(int x, int y, int c) const { return (static_cast<std::size_t>(c) * height + y) * width + x; }

    /// b - A u of a cell; what lies beyond the picture has no part in it.
    double residual(int x, int y, int c, bool zero) const {
        if (inside[at(x, y, 0)] == 0) return 0;
        double left = b[at(x, y, c)];
        if (zero) return left;
        const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
        for (const auto& [dx, dy] : steps)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                left += double{u[at(x + dx, y + dy, c)]} - u[at(x, y, c)];
        return left;
    }
    double restricted(int x, int y, int c, bool zero) const {
        double sum = 0;
        for (int fy = 2 * y; fy < std::min(height, 2 * y + 2); ++fy)
            for (int fx = 2 * x; fx < std::min(width, 2 * x + 2); ++fx) sum += residual(fx, fy, c, zero);
        return sum;
    }
    double prolonged(int x, int y, int c) const {
        if (inside[at(x, y, 0)] == 0) return u[at(x, y, c)];
        const int across = (width + 1) / 2, down = (height + 1) / 2;
        const auto of = [&](int cx, int cy) {
            cx = std::clamp(cx, 0, across - 1);
            cy = std::clamp(cy, 0, down - 1);
            return double{coarse[(static_cast<std::size_t>(c) * down + cy) * across + cx]};
        };
        const int nx = x / 2 + (x % 2 == 0 ? -1 : 1), ny = y / 2 + (y % 2 == 0 ? -1 : 1);
        return u[at(x, y, c)] + 0.75 * (0.75 * of(x / 2, y / 2) + 0.25 * of(nx, y / 2)) +
               0.25 * (0.75 * of(x / 2, ny) + 0.25 * of(nx, ny));
    }
};

template <class T>
Buffer uploaded(Device& device, const std::vector<T>& values) {
    Buffer buffer = device.allocate(values.size() * sizeof(T));
    device.upload(buffer, values.data(), values.size() * sizeof(T));
    return buffer;
}

std::vector<float> downloaded(Device& device, const Buffer& buffer) {
    std::vector<float> values(buffer.bytes() / sizeof(float));
    device.download(values.data(), buffer, buffer.bytes());
    return values;
}

class SparseCycling : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }
};

// Widths of whole quads and others, ends of the picture within a thread's four rows.
TEST_P(SparseCycling, RestrictsAndProlongsAsDefined) {
    const auto device = openDevice(GetParam());
    const sparse::CyclingEntry& entry = sparse::cycling(device->info());
    for (const auto& [width, height] : {std::pair{4, 1}, {4, 3}, {8, 6}, {12, 5}, {7, 6}, {1028, 7}, {6, 9}}) {
        const Picture picture(width, height);
        const Buffer inside = uploaded(*device, picture.inside), b = uploaded(*device, picture.b);
        const Buffer u = uploaded(*device, picture.u), coarse = uploaded(*device, picture.coarse);
        const Buffer to = device->allocate(coarse.bytes());
        const CycleGrid fine{.width = width, .height = height, .channels = kChannels, .inside = inside.handle()};
        const CycleGrid half{.width = (width + 1) / 2, .height = (height + 1) / 2, .channels = kChannels};
        const std::string size = std::to_string(width) + " x " + std::to_string(height);
        for (const bool zero : {false, true}) {
            device->fill(to, 0xff);
            entry.restricted(device->context(), fine, b.handle(), zero ? 0 : u.handle(), half, to.handle());
            const auto got = downloaded(*device, to);
            for (int c = 0; c < kChannels; ++c)
                for (int y = 0; y < half.height; ++y)
                    for (int x = 0; x < half.width; ++x)
                        ASSERT_NEAR(got[(static_cast<std::size_t>(c) * half.height + y) * half.width + x],
                                    picture.restricted(x, y, c, zero), 1e-5)
                            << size << " at " << x << ", " << y << (zero ? " of zeros" : "");
        }
        entry.prolong(device->context(), half, coarse.handle(), fine, u.handle());
        const auto got = downloaded(*device, u);
        for (int c = 0; c < kChannels; ++c)
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x)
                    ASSERT_NEAR(got[picture.at(x, y, c)], picture.prolonged(x, y, c), 1e-6)
                        << size << " at " << x << ", " << y;
    }
}

INSTANTIATE_TEST_SUITE_P(Sparse, SparseCycling, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
