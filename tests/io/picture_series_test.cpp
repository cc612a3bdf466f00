// SPDX-License-Identifier: Apache-2.0
#include "io/picture_series.hpp"

#include "io/write.hpp"
#include "tests/io/support/files.hpp"

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;

/// Slices of a random volume under the given names.
io::Grid writeSlices(const Folder& folder, const std::vector<std::string>& names, int channels, PixelType type) {
    auto volume = randomGrid({5, 4, static_cast<std::int64_t>(names.size()), channels}, type);
    io::Grid slice({5, 4, 1, channels}, type);
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::memcpy(slice.data(), volume.data() + i * slice.bytes(), slice.bytes());
        io::write(slice, folder.path() / names[i]);
    }
    return volume;
}

TEST(PictureSeries, NumbersDecideTheOrder) {
    // NPY, so that no process is started for each.
    const std::pair<const char*, std::vector<std::string>> series[] = {
        {"s-###.npy", {"s-008.npy", "s-009.npy", "s-010.npy"}},
        {"s-%03d.npy", {"s-998.npy", "s-999.npy", "s-1000.npy"}},
        {"s#.npy", {"s8.npy", "s9.npy", "s10.npy", "s11.npy"}},
        {"%d", {}},
        {"#.npy", {"0.npy"}},
    };
    for (const auto& [pattern, names] : series) {
        const Folder folder;
        io::write(randomGrid({2, 2, 1, 1}, PixelType::u8), folder.path() / "s-1.npy");
        io::write(randomGrid({2, 2, 1, 1}, PixelType::u8), folder.path() / "s-0x7.npy");
        const auto input = "series:" + (folder.path() / pattern).string();
        if (names.empty()) {
            EXPECT_TRUE(refuses([&] { io::read(input); }, Kind::unreadable, "no file"));
            continue;
        }
        const auto volume = writeSlices(folder, names, 3, PixelType::u16);
        const auto files = io::filesOfSeries(input);
        ASSERT_EQ(files.size(), names.size()) << pattern;
        for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(files[i], (folder.path() / names[i]).string());
        EXPECT_TRUE(sameValues(io::read(input), volume)) << pattern;
        EXPECT_EQ(io::pathOf(input), "");
    }
}

TEST(PictureSeries, AGapAStrangerAndAStop) {
    const Folder folder;
    writeSlices(folder, {"a1.npy", "a2.npy", "a3.npy", "a5.npy"}, 1, PixelType::u8);
    const auto input = "series:" + (folder.path() / "a#.npy").string();
    EXPECT_TRUE(refuses([&] { io::read(input); }, Kind::unreadable, "a4.npy is missing before a5.npy"));
    io::write(randomGrid({5, 3, 1, 1}, PixelType::u8), folder.path() / "a4.npy");
    EXPECT_TRUE(refuses([&] { io::read(input); }, Kind::unsupported, "a4.npy: another size or type"));
    io::write(randomGrid({5, 4, 1, 1}, PixelType::u16), folder.path() / "a4.npy");
    EXPECT_TRUE(refuses([&] { io::read(input); }, Kind::unsupported, "another size or type"));
    io::write(randomGrid({5, 3, 1, 1}, PixelType::u8), folder.path() / "a5.npy");
    for (int i = 0; i < 20; ++i)
        EXPECT_TRUE(refuses([&] { io::read(input); }, Kind::unsupported, "a4.npy: another size")) << "the first of two";
    io::write(randomGrid({5, 4, 1, 1}, PixelType::u8), folder.path() / "a4.npy");
    io::write(randomGrid({5, 4, 1, 1}, PixelType::u8), folder.path() / "a5.npy");
    EXPECT_EQ(io::read(input).shape().depth, 5);
    std::stop_source stop;
    io::ReadOptions options;
    options.stop = stop.get_token();
    options.progress = [&](double) { stop.request_stop(); };
    EXPECT_TRUE(refuses([&] { io::read(input, options); }, Kind::cancelled));
    for (const char* bad : {"series:a.png", "series:a##b#.png", "series:a%s.png", "series:a%3d.png", "series:%"}) {
        EXPECT_TRUE(refuses([&] { io::read(bad); }, Kind::argument, "###")) << bad;
    }
}

}  // namespace
}  // namespace warplens::test
