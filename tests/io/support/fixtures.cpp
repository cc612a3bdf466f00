// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support/fixtures.hpp"

#include "io/codecs/codec.hpp"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfOutputFile.h>
#include <ImfTiledOutputFile.h>
#include <cstdio>
#include <cstdlib>
#include <half.h>
#include <jpeglib.h>
#include <png.h>
#include <tiffio.h>

namespace warplens::test {

Bytes makePng(const PngOptions& o, const Bytes& rows) {
    Bytes out;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &out,
        [](png_structp p, png_bytep bytes, std::size_t count) {
            auto* to = static_cast<Bytes*>(png_get_io_ptr(p));
            const auto* from = reinterpret_cast<std::byte*>(bytes);
            to->insert(to->end(), from, from + count);
        },
        nullptr);
    png_set_IHDR(png, info, o.width, o.height, o.bits, o.colour,
                 o.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    std::vector<png_color> palette;
    for (std::size_t i = 0; i + 2 < o.palette.size(); i += 3) {
        palette.push_back({o.palette[i], o.palette[i + 1], o.palette[i + 2]});
    }
    if (!palette.empty()) png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
    if (!o.transparency.empty()) {
        png_set_tRNS(png, info, o.transparency.data(), static_cast<int>(o.transparency.size()), nullptr);
    }
    if (o.transparentGrey >= 0) {
        png_color_16 colour{};
        colour.gray = static_cast<png_uint_16>(o.transparentGrey);
        png_set_tRNS(png, info, nullptr, 0, &colour);
    }
    png_write_info(png, info);
    const auto rowBytes = rows.size() / o.height;
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; ++pass) {
        for (std::size_t y = 0; y < o.height; ++y) {
            png_write_row(png, reinterpret_cast<png_const_bytep>(rows.data() + y * rowBytes));
        }
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

Bytes makeJpeg(int width, int height, int channels, const Bytes& values, const Bytes& exif, bool progressive,
               const Bytes& icc) {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* buffer = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &buffer, &size);
    jpeg.image_width = static_cast<JDIMENSION>(width);
    jpeg.image_height = static_cast<JDIMENSION>(height);
    jpeg.input_components = channels;
    jpeg.in_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 100, TRUE);
    for (int i = 0; i < jpeg.num_components; ++i) jpeg.comp_info[i].h_samp_factor = jpeg.comp_info[i].v_samp_factor = 1;
    if (progressive) jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    if (!exif.empty()) {
        jpeg_write_marker(&jpeg, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(exif.data()),
                          static_cast<unsigned>(exif.size()));
    }
    if (!icc.empty()) {
        jpeg_write_icc_profile(&jpeg, reinterpret_cast<const JOCTET*>(icc.data()), static_cast<unsigned>(icc.size()));
    }
    for (int y = 0; y < height; ++y) {
        const auto* row =
            reinterpret_cast<const JSAMPLE*>(values.data() + static_cast<std::ptrdiff_t>(y) * width * channels);
        auto* mutableRow = const_cast<JSAMPLE*>(row);
        jpeg_write_scanlines(&jpeg, &mutableRow, 1);
    }
    jpeg_finish_compress(&jpeg);
    const auto* bytes = reinterpret_cast<std::byte*>(buffer);
    Bytes out(bytes, bytes + size);
    jpeg_destroy_compress(&jpeg);
    std::free(buffer);
    return out;
}

Bytes exifSegment(int orientation, bool bigEndian) {
    const auto number = [&](std::uint64_t value, std::size_t size) {
        auto bytes = little(value, size);
        if (bigEndian) std::reverse(bytes.begin(), bytes.end());
        return bytes;
    };
    return join({bytesOf(std::string("Exif\0\0", 6)), bytesOf(bigEndian ? "MM" : "II"), number(42, 2), number(8, 4),
                 number(2, 2),                                                   // entries
                 number(0x0100, 2), number(4, 2), number(1, 4), number(640, 4),  // a width, to be skipped
                 number(0x0112, 2), number(3, 2), number(1, 4), number(static_cast<std::uint64_t>(orientation), 2),
                 number(0, 2), number(0, 4)});
}

Bytes makeWebpAnimation(int width, int height, const std::vector<Bytes>& frames) {
    const auto chunk = [](const char* name, const Bytes& content) {
        return join({bytesOf(name), little(content.size(), 4), content});
    };
    const auto side = [](int pixels) { return little(static_cast<std::uint64_t>(pixels - 1), 3); };
    constexpr std::uint64_t kAnimatedWithAlpha = 0x12, kNoBlending = 2, kMilliseconds = 40;
    Bytes chunks =
        join({bytesOf("WEBP"), chunk("VP8X", join({little(kAnimatedWithAlpha, 4), side(width), side(height)})),
              chunk("ANIM", Bytes(6))});
    for (const auto& frame : frames) {
        constexpr std::ptrdiff_t kHeader = 12, kExtension = 18;
        const bool extended = frame[15] == std::byte{'X'};  // of VP8X
        const Bytes pixels(frame.begin() + kHeader + (extended ? kExtension : 0), frame.end());
        const auto placed =
            join({Bytes(6), side(width), side(height), little(kMilliseconds, 3), little(kNoBlending, 1)});
        chunks = join({chunks, chunk("ANMF", join({placed, pixels}))});
    }
    return chunk("RIFF", chunks);
}

Bytes makeTiff(const char* mode, const std::function<void(void*)>& fill) {
    const Folder folder;
    const auto path = folder.path() / "x.tif";
    TIFF* tiff = TIFFOpen(path.c_str(), mode);
    fill(tiff);
    TIFFClose(tiff);
    return readFile(path);
}

Bytes makeExr(int width, int height, const ExrOptions& o, const std::vector<float>& values) {
    const Folder folder;
    const auto path = folder.path() / "x.exr";
    const Imath::Box2i window({o.offset, o.offset}, {o.offset + width - 1, o.offset + height - 1});
    Imf::Header header(window, window);
    header.compression() = static_cast<Imf::Compression>(o.compression);
    const auto type = o.half ? Imf::HALF : Imf::FLOAT;
    for (const auto& name : o.channels) header.channels().insert(name, Imf::Channel(type, o.sampling, o.sampling));
    std::vector<half> halves(values.begin(), values.end());
    const auto size = o.half ? sizeof(half) : sizeof(float);
    Imf::FrameBuffer buffer;
    for (std::size_t i = 0; i < o.channels.size(); ++i) {
        const void* first = o.half ? static_cast<const void*>(halves.data() + i) : values.data() + i;
        const auto pixel = size * o.channels.size();
        buffer.insert(o.channels[i], Imf::Slice::Make(type, first, window, pixel,
                                                      pixel * static_cast<std::size_t>(width), o.sampling, o.sampling));
    }
    if (o.tiled) {
        header.setTileDescription(Imf::TileDescription(4, 4, Imf::ONE_LEVEL));
        Imf::TiledOutputFile file(path.c_str(), header, 0);
        file.setFrameBuffer(buffer);
        file.writeTiles(0, file.numXTiles() - 1, 0, file.numYTiles() - 1);
    } else {
        Imf::OutputFile file(path.c_str(), header, 0);
        file.setFrameBuffer(buffer);
        file.writePixels(height);
    }
    return readFile(path);
}

std::vector<std::pair<std::string, Bytes>> smallFiles() {
    using io::PixelType;
    std::vector<std::pair<std::string, Bytes>> files;
    const auto encoded = [](const char* format, const io::Shape& shape, PixelType type) {
        return io::codecs::encode(randomGrid(shape, type), format, "seed");
    };
    files.emplace_back("grey.png", encoded("png", {7, 5, 1, 1}, PixelType::u16));
    files.emplace_back("rgba.png", encoded("png", {7, 5, 1, 4}, PixelType::u8));
    files.emplace_back("palette.png",
                       makePng({8, 4, 4, PNG_COLOR_TYPE_PALETTE, true, {0, 0, 0, 9, 9, 200, 255, 1, 1}, {0, 99}, -1},
                               Bytes(16, std::byte{0x12})));
    const auto values = randomGrid({16, 9, 1, 3}, PixelType::u8);
    const Bytes pixels(values.data(), values.data() + values.bytes());
    files.emplace_back("rgb.jpg", makeJpeg(16, 9, 3, pixels, exifSegment(6, false)));
    files.emplace_back("progressive.jpg", makeJpeg(16, 9, 1, pixels, {}, true));
    const auto lossy = [](int channels) {
        return io::codecs::encode(randomGrid({16, 9, 1, channels}, PixelType::u8), "webp", "seed", {.quality = 40});
    };
    const auto lossless = [](const io::Shape& shape, unsigned seed) {
        return io::codecs::encode(randomGrid(shape, PixelType::u8, seed), "webp", "seed", {.quality = 100});
    };
    files.emplace_back("rgb.webp", lossy(3));
    files.emplace_back("rgba.webp", lossy(4));
    files.emplace_back("lossless.webp", lossless({7, 5, 1, 4}, 1));
    files.emplace_back("animated.webp",
                       makeWebpAnimation(7, 5, {lossless({7, 5, 1, 3}, 2), lossless({7, 5, 1, 3}, 3)}));
    files.emplace_back("u16.tif", encoded("tiff", {7, 5, 1, 3}, PixelType::u16));
    files.emplace_back("f32.tif", encoded("tiff", {7, 5, 1, 1}, PixelType::f32));
    files.emplace_back("tiled.tif", makeTiff("wb", [](void* handle) {
                           auto* tiff = static_cast<TIFF*>(handle);
                           TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 20);
                           TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 17);
                           TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
                           TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
                           TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
                           TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
                           TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
                           TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
                           auto tile = randomGrid({16, 16, 1, 1}, PixelType::u8);
                           for (std::uint32_t i = 0; i < 4; ++i) TIFFWriteEncodedTile(tiff, i, tile.data(), 256);
                       }));
    files.emplace_back("rgb.exr", encoded("exr", {7, 5, 1, 3}, PixelType::f32));
    files.emplace_back("half.exr",
                       makeExr(5, 6, {{"Y"}, true, true, 2, Imf::PIZ_COMPRESSION, 1}, std::vector<float>(30, 1.5F)));
    // An old-style flat HDR, then one of a run and a dump in each component.
    files.emplace_back("flat.hdr",
                       join({bytesOf("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 3\n"), Bytes(24, std::byte{77})}));
    Bytes rle = bytesOf("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 10\n");
    for (const int byte : {2, 2, 0, 10}) rle.push_back(static_cast<std::byte>(byte));
    for (int i = 0; i < 4; ++i) {
        for (const int byte : {128 + 7, 40, 3, 130, 131, 132}) rle.push_back(static_cast<std::byte>(byte));
    }
    files.emplace_back("rle.hdr", rle);
    const auto bmp = [](int bits, const Bytes& table, const Bytes& rows) {
        const auto offset = 54 + table.size();
        return join({bytesOf("BM"), little(offset + rows.size(), 4), little(0, 4), little(offset, 4), little(40, 4),
                     little(5, 4), little(3, 4), little(1, 2), little(static_cast<std::uint64_t>(bits), 2),
                     little(0, 24), table, rows});
    };
    files.emplace_back("24.bmp", bmp(24, {}, Bytes(48, std::byte{66})));
    files.emplace_back("8.bmp", bmp(8, Bytes(1024, std::byte{31}), Bytes(24, std::byte{12})));
    const auto tga = [](int kind, int bits, const Bytes& rest) {
        return join({little(0, 1), little(0, 1), little(static_cast<std::uint64_t>(kind), 1), little(0, 9),
                     little(4, 2), little(3, 2), little(static_cast<std::uint64_t>(bits), 1), little(0, 1), rest});
    };
    files.emplace_back("24.tga", tga(2, 24, Bytes(36, std::byte{5})));
    files.emplace_back("rle.tga", tga(11, 8, {std::byte{0x87}, std::byte{9}, std::byte{3}, {}, {}, {}, {}}));
    files.emplace_back("16.pgm", join({bytesOf("P5\n# note\n4 3\n65535\n"), Bytes(24, std::byte{1})}));
    files.emplace_back("8.ppm", join({bytesOf("P6 2 2 255\n"), Bytes(12, std::byte{200})}));
    files.emplace_back("bits.pbm", join({bytesOf("P4\n9 2\n"), Bytes(4, std::byte{0x55})}));
    return files;
}

}  // namespace warplens::test
