// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "io/fit_format.hpp"
#include "tests/io/support/fixtures.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

io::Grid decode(const Bytes& file) { return io::codecs::decode(file, {}, "test.exr"); }

std::vector<float> ramp(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) / 8;
    return values;
}

TEST(Exr, HalfAndFloatScanlinesAndTilesAnywhere) {
    const std::vector<std::string> sets[] = {{"Y"}, {"R", "G", "B"}, {"R", "G", "B", "A"}};
    for (const auto& channels : sets) {
        for (const bool half : {false, true}) {
            for (const bool tiled : {false, true}) {
                for (const int compression : {0, 1, 2, 3, 4}) {
                    const auto n = channels.size();
                    const auto values = ramp(9 * 7 * n);
                    const auto grid = decode(makeExr(9, 7, {channels, half, tiled, -3, compression, 1}, values));
                    ASSERT_EQ(grid.shape(), (io::Shape{9, 7, 1, static_cast<int>(n)}));
                    EXPECT_EQ(grid.sourceType(), half ? "f16" : "f32");
                    EXPECT_TRUE(std::equal(values.begin(), values.end(), grid.as<float>()));
                }
            }
        }
    }
}

TEST(Exr, IsStoredInEveryWayThatIsOffered) {
    const io::Format& format = *io::formatNamed("exr");
    io::Grid grid({67, 41, 1, 3}, io::PixelType::f32);
    for (std::int64_t i = 0; i < grid.shape().values(); ++i)
        grid.as<float>()[i] = static_cast<float>(i % 97) / 97 + (i % 5 == 0 ? 1000.0F : 0.0F);
    grid.as<float>()[7] = 1e-6F;
    std::map<std::string, std::size_t> bytes;
    for (const io::StorageWay& way : format.ways) {
        const auto file = io::codecs::encode(grid, "exr", "x", {.way = way.id});
        bytes[way.id] = file.size();
        const auto back = decode(file);
        EXPECT_EQ(back.sourceType(), way.halfPrecision ? "f16" : "f32") << way.id;
        // Half an ulp of 11 significant bits, of what is large enough for them.
        for (std::int64_t i = 0; i < grid.shape().values(); ++i)
            ASSERT_NEAR(back.as<float>()[i], grid.as<float>()[i],
                        way.halfPrecision ? std::max(grid.as<float>()[i] / 2048, 0x1p-25F) : 0)
                << way.id << " " << i;
        const auto lost = io::lostBy(format, grid, *io::fitFor(format, grid, {}), {.way = way.id});
        EXPECT_EQ(lost.size(), way.halfPrecision ? 1U : 0U) << way.id;
        // What comes back loses nothing any more.
        EXPECT_TRUE(!way.halfPrecision ||
                    io::lostBy(format, back, *io::fitFor(format, back, {}), {.way = way.id}).empty());
    }
    EXPECT_LT(bytes["half-zip"], bytes["float-zip"]);
    EXPECT_LT(bytes["half-piz"], bytes["half-none"]);
    EXPECT_GT(bytes["float-none"], grid.bytes());
    EXPECT_EQ(io::codecs::encode(grid, "exr", "x").size(), bytes["float-zip"]) << "the usual one";
    grid.as<float>()[0] = 70000;
    EXPECT_EQ(io::lostBy(format, grid, *io::fitFor(format, grid, {}), {.way = "half-zip"}).size(), 2U);
    EXPECT_TRUE(std::isinf(decode(io::codecs::encode(grid, "exr", "x", {.way = "half-zip"})).as<float>()[0]));
}

TEST(Exr, GreyWithAlphaBecomesRgba) {
    const auto grid = decode(makeExr(1, 1, {{"Y", "A"}, false, false, 0, 3, 1}, {0.5F, 0.25F}));
    EXPECT_EQ(grid.shape().channels, 4);
    EXPECT_EQ(grid.value(0, 0, 0, 2), 0.5);
    EXPECT_EQ(grid.value(0, 0, 0, 3), 0.25);
    EXPECT_EQ(grid.metadata.notes.size(), 1U);
}

TEST(Exr, OtherChannelsAreRefusedByName) {
    EXPECT_TRUE(refuses(
        [] {
            decode(makeExr(2, 2, {{"Y", "Z"}, false, false, 0, 3, 1}, ramp(8)));
        },
        Kind::unsupported, "Y, Z"));
    EXPECT_TRUE(refuses(
        [] {
            decode(makeExr(2, 2, {{"left.R"}, false, false, 0, 3, 1}, ramp(4)));
        },
        Kind::unsupported, "left.R"));
    EXPECT_TRUE(refuses(
        [] {
            decode(makeExr(2, 2, {{"Y"}, false, false, 0, 3, 2}, ramp(4)));
        },
        Kind::unsupported, "subsampled"));
}

TEST(Exr, AttributesMustEndWhereTheySay) {
    const auto good = makeExr(2, 2, {{"Y"}, false, false, 0, 3, 1}, ramp(4));
    const auto type = bytesOf(std::string("chlist", 7));
    const auto found = std::search(good.begin(), good.end(), type.begin(), type.end());
    ASSERT_NE(found, good.end());
    auto file = good;
    // OpenEXR would go on behind the list's own end and take what follows for an attribute of any size.
    file[static_cast<std::size_t>(found - good.begin()) + type.size()] = std::byte{20};
    EXPECT_TRUE(refuses([&] { decode(file); }, Kind::unreadable, "chlist"));
}

}  // namespace
}  // namespace warplens::test
