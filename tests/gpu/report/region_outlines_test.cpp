// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/region_outlines.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu {
namespace {

const auto kAll = [](std::int64_t) { return true; };

io::Grid randomLabels(const io::Shape& shape, io::PixelType type, int labels, double empty, unsigned seed) {
    std::mt19937 random(seed);
    io::Grid grid(shape, type);
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                const bool none = std::uniform_real_distribution(0.0, 1.0)(random) < empty;
                grid.setValue(x, y, z, 0, none ? 0 : std::uniform_int_distribution(1, labels)(random));
            }
    return grid;
}

/// Whether the middle of a pixel is inside, by the edges that a ray to the left crosses.
bool inside(const RegionOutline& outline, std::int64_t x, std::int64_t y) {
    bool odd = false;
    const auto& corners = outline.corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const auto &a = corners[i], &b = corners[(i + 1) % corners.size()];
        if (a.x == b.x && a.x <= x && y >= std::min(a.y, b.y) && y < std::max(a.y, b.y)) odd = !odd;
    }
    return odd;
}

/// A label and what it encloses: what no way over edges of other pixels reaches from outside of the picture.
std::vector<bool> filled(const io::Grid& labels, std::int64_t z, int label) {
    const std::int64_t width = labels.shape().width, height = labels.shape().height, wide = width + 2;
    std::vector<bool> outside(static_cast<std::size_t>(wide * (height + 2)));
    std::vector<std::pair<std::int64_t, std::int64_t>> ways{{-1, -1}};
    while (!ways.empty()) {
        const auto [x, y] = ways.back();
        ways.pop_back();
        if (x < -1 || y < -1 || x > width || y > height) continue;
        const bool beyond = x < 0 || y < 0 || x == width || y == height;
        const auto at = static_cast<std::size_t>((y + 1) * wide + x + 1);
        if (outside[at] || (!beyond && labels.value(x, y, z) == label)) continue;
        outside[at] = true;
        for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) ways.emplace_back(x + dx, y + dy);
    }
    std::vector<bool> made;
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            made.push_back(!outside[static_cast<std::size_t>((y + 1) * wide + x + 1)]);
    return made;
}

TEST(RegionOutlines, FilledAreTheOuterMasks) {
    unsigned seed = 1;
    for (const io::PixelType type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::u32, io::PixelType::i32})
        for (const io::Shape& shape : {io::Shape{1, 1}, {17, 13}, {31, 24}, {9, 7, 3, 1}})
            for (const double empty : {0.0, 0.3, 0.6, 0.9}) {
                const io::Grid labels = randomLabels(shape, type, 3, empty, seed++);
                const auto outlines = regionOutlines(labels, kAll, {});
                for (std::int64_t z = 0; z < shape.depth; ++z)
                    for (int label = 1; label <= 3; ++label) {
                        const std::vector<bool> wanted = filled(labels, z, label);
                        for (std::int64_t y = 0; y < shape.height; ++y)
                            for (std::int64_t x = 0; x < shape.width; ++x) {
                                const bool found = std::ranges::any_of(outlines, [&](const RegionOutline& outline) {
                                    return outline.label == label && outline.slice == z && inside(outline, x, y);
                                });
                                ASSERT_EQ(found, wanted[static_cast<std::size_t>(y * shape.width + x)])
                                    << seed << " label " << label << " at " << x << ',' << y << ',' << z;
                            }
                    }
            }
}

TEST(RegionOutlines, GoRoundOnceOnCornersAlone) {
    io::Grid labels({4, 3}, io::PixelType::u8);
    //  . 5 5 .      The hole at (1, 1) and what lies at a corner belong to it.
    //  5 . 5 .
    //  . 5 . 7
    const std::vector<int> values{0, 5, 5, 0, 5, 0, 5, 0, 0, 5, 0, 7};
    for (int i = 0; i < 12; ++i) labels.setValue(i % 4, i / 4, 0, 0, values[static_cast<std::size_t>(i)]);
    const auto outlines = regionOutlines(labels, kAll, {});
    ASSERT_EQ(outlines.size(), 2U);
    using Corner = RegionOutline::Corner;
    EXPECT_EQ(outlines[0].label, 5);
    const std::vector<Corner> five{{3, 0}, {3, 2}, {2, 2}, {2, 3}, {1, 3}, {1, 2}, {0, 2}, {0, 1}, {1, 1}, {1, 0}};
    EXPECT_EQ(outlines[0].corners, five);
    EXPECT_EQ(outlines[1].corners, (std::vector<Corner>{{4, 2}, {4, 3}, {3, 3}, {3, 2}}));
    EXPECT_EQ(regionOutlines(labels, [](std::int64_t label) { return label == 7; }, {}).size(), 1U);
    const io::Grid floats({2, 2}, io::PixelType::f32);
    EXPECT_THROW(regionOutlines(floats, kAll, {}), std::invalid_argument);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(regionOutlines(labels, kAll, stop.get_token()), Error);
}

class Reader {
public:
    explicit Reader(const std::vector<std::byte>& bytes) : m_bytes(bytes) {}
    unsigned big16(std::size_t at) const { return byte(at) << 8 | byte(at + 1); }
    unsigned little16(std::size_t at) const { return byte(at + 1) << 8 | byte(at); }
    unsigned little32(std::size_t at) const { return little16(at + 2) << 16 | little16(at); }
    std::string text(std::size_t at, std::size_t count) const {
        return {reinterpret_cast<const char*>(m_bytes.data()) + at, count};
    }
    std::size_t size() const { return m_bytes.size(); }

private:
    unsigned byte(std::size_t at) const { return static_cast<unsigned>(m_bytes.at(at)); }
    const std::vector<std::byte>& m_bytes;
};

// By the tables of APPNOTE.TXT and of ij.io.RoiDecoder.
TEST(RegionOutlines, AreAsImageJReadsThem) {
    const RegionOutline square{.label = 12, .slice = 2, .corners = {{7, 300}, {7, 302}, {5, 302}, {5, 300}}};
    const auto file = toImageJ({square, square}, {400, 400, 3, 1});
    const Reader zip(file);
    const std::size_t end = zip.size() - 22;
    EXPECT_EQ(zip.text(end, 4), std::string("PK\5\6"));
    EXPECT_EQ(zip.little16(end + 10), 2U);
    std::size_t entry = zip.little32(end + 16);
    EXPECT_EQ(entry + zip.little32(end + 12), end);
    for (const std::string name : {"12-z3.roi", "12-z3-2.roi"}) {
        EXPECT_EQ(zip.text(entry, 4), std::string("PK\1\2"));
        EXPECT_EQ(zip.little16(entry + 10), 0U) << "as it is";
        // Of Python's zlib.crc32 over the 80 bytes.
        EXPECT_EQ(zip.little32(entry + 16), 0x9CDD0C50U) << std::hex << zip.little32(entry + 16);
        EXPECT_EQ(zip.little32(entry + 20), 80U);
        EXPECT_EQ(zip.text(entry + 46, zip.little16(entry + 28)), name);
        const std::size_t member = zip.little32(entry + 42), roi = member + 30 + name.size();
        EXPECT_EQ(zip.text(member, 4), std::string("PK\3\4"));
        EXPECT_EQ(zip.text(member + 30, name.size()), name);
        EXPECT_EQ(zip.text(roi, 4), "Iout");
        EXPECT_EQ(zip.big16(roi + 4), 228U);
        EXPECT_EQ(zip.big16(roi + 6), 0x0800U) << "traced";
        const std::vector<unsigned> box{300, 5, 302, 7};
        for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(zip.big16(roi + 8 + 2 * i), box[i]);
        EXPECT_EQ(zip.big16(roi + 16), 4U);
        EXPECT_EQ(zip.big16(roi + 58), 3U) << "the slice";
        const std::vector<unsigned> places{2, 2, 0, 0, 0, 2, 2, 0};
        for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(zip.big16(roi + 64 + 2 * i), places[i]);
        entry += 46 + name.size();
    }
    EXPECT_THROW(toImageJ({}, {32768, 4}), Error);
    EXPECT_EQ(toImageJ({}, {4, 4}).size(), 22U);
}

}  // namespace
}  // namespace warplens::gpu
