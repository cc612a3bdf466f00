// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/io/support/fixtures.hpp"

#include <tiffio.h>

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;

/// Pages of one colour each, of these sizes.
Bytes pages(const std::vector<std::pair<int, int>>& sizes, const char* mode, int photometric = PHOTOMETRIC_MINISBLACK) {
    return makeTiff(mode, [&](void* handle) {
        auto* tiff = static_cast<TIFF*>(handle);
        int page = 0;
        for (const auto& [width, height] : sizes) {
            TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
            TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
            TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
            TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, photometric);
            TIFFSetField(tiff, TIFFTAG_COMPRESSION, page % 2 == 0 ? COMPRESSION_LZW : COMPRESSION_NONE);
            Bytes row(static_cast<std::size_t>(width), static_cast<std::byte>(10 + page));
            for (int y = 0; y < height; ++y) TIFFWriteScanline(tiff, row.data(), static_cast<std::uint32_t>(y), 0);
            TIFFWriteDirectory(tiff);
            ++page;
        }
    });
}

io::Grid decode(const Bytes& file, int frame = 0) {
    io::codecs::Source source;
    source.file = file;
    source.fileBytes = static_cast<std::int64_t>(file.size());
    source.where = "stack.tif";
    source.frame = frame;
    return io::codecs::identify(file)->decode(source);
}

TEST(TiffStack, PagesAlikeAreSlicesClassicAndBig) {
    for (const char* mode : {"wl", "wb", "w8"}) {
        const auto file = pages({{3, 2}, {3, 2}, {3, 2}, {3, 2}}, mode);
        const auto stack = decode(file);
        ASSERT_EQ(stack.shape(), (io::Shape{3, 2, 4, 1})) << mode;
        for (int z = 0; z < 4; ++z) EXPECT_EQ(stack.value(2, 1, z), 10 + z);
        EXPECT_EQ(stack.metadata.pages, 4);
        EXPECT_EQ(stack.metadata.page, 0);
        for (int page = 1; page <= 4; ++page) {
            const auto one = decode(file, page);
            EXPECT_EQ(one.shape(), (io::Shape{3, 2, 1, 1}));
            EXPECT_EQ(one.value(0, 0), 9 + page);
            EXPECT_EQ(one.metadata.page, page);
        }
        EXPECT_TRUE(refuses([&] { decode(file, 5); }, Kind::argument, "choose 1 to 4"));
    }
}

TEST(TiffStack, PagesThatDifferAreOnePictureAtATime) {
    const auto file = pages({{3, 2}, {5, 2}}, "wl");
    const auto first = decode(file);
    EXPECT_EQ(first.shape(), (io::Shape{3, 2, 1, 1}));
    ASSERT_EQ(first.metadata.notes.size(), 1U);
    EXPECT_NE(first.metadata.notes[0].find("differ"), std::string::npos);
    EXPECT_EQ(decode(file, 2).shape().width, 5);
    // Of a picture and of every slice alike.
    EXPECT_EQ(decode(pages({{3, 2}, {3, 2}}, "wl", PHOTOMETRIC_MINISWHITE)).value(0, 0, 1), 11);
}

TEST(TiffStack, ComesPageByPageWithProgressAndCanBeStopped) {
    const Folder folder;
    const auto path = (folder.path() / "s.tif").string();
    const auto stack = randomGrid({64, 64, 50, 1}, PixelType::u8);
    io::write(stack, path);
    std::vector<double> told;
    io::ReadOptions options;
    options.progress = [&](double fraction) { told.push_back(fraction); };
    EXPECT_TRUE(sameValues(io::read(path, options), stack));
    EXPECT_GE(told.size(), 40U);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    std::stop_source stop;
    options.stop = stop.get_token();
    options.progress = [&](double) { stop.request_stop(); };
    EXPECT_TRUE(refuses([&] { io::read(path, options); }, Kind::cancelled));
}

TEST(TiffStack, ManyPagesCannotBeInASmallFile) {
    // A chain of directories that all point to the same pixels.
    Bytes file = join({bytesOf("II"), little(42, 2), little(16, 4), Bytes(8)});
    const auto entry = [](unsigned tag, unsigned type, std::uint64_t value) {
        return join({little(tag, 2), little(type, 2), little(1, 4), little(value, 4)});
    };
    constexpr int kPages = 300;
    for (int page = 0; page < kPages; ++page) {
        const auto next = page + 1 < kPages ? file.size() + 2 + 9 * 12 + 4 : 0;
        const auto directory = join({little(9, 2), entry(256, 4, 64), entry(257, 4, 64), entry(258, 3, 8),
                                     entry(259, 3, 1), entry(262, 3, 1), entry(273, 4, 16), entry(277, 3, 1),
                                     entry(278, 4, 64), entry(279, 4, 4096), little(next, 4)});
        file.insert(file.end(), directory.begin(), directory.end());
    }
    EXPECT_TRUE(refuses([&] { decode(file); }, Kind::unreadable, "cannot be in so small a file"));
}

}  // namespace
}  // namespace warplens::test
