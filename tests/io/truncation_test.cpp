// SPDX-License-Identifier: Apache-2.0
// A file that ends early is an error, or shows the very same picture: never one with a made-up rest.
#include "tests/io/support/truncation.hpp"

#include "io/codecs/codec.hpp"
#include "io/npy.hpp"
#include "io/raw.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/io/support/dicom_files.hpp"
#include "tests/io/support/fixtures.hpp"
#include "tests/io/support/volume_files.hpp"

#include <ImfCompression.h>
#include <numeric>
#include <tiffio.h>

namespace warplens::test {
namespace {

using io::PixelType;

TEST(Truncation, PicturesOfEveryFormat) {
    Files files = smallFiles();
    for (const int colour : {0, 2, 4, 6}) {
        for (const bool interlaced : {false, true}) {
            const int channels = colour == 0 ? 1 : colour == 2 ? 3 : colour == 4 ? 2 : 4;
            const auto rows = storedValues(busyGrid({9 * channels * 2, 8, 1, 1}, PixelType::u8));
            files.emplace_back("colour" + std::to_string(colour) + (interlaced ? "i.png" : ".png"),
                               makePng({9, 8, 16, colour, interlaced, {}, {}, -1}, rows));
        }
    }
    const auto values = storedValues(busyGrid({24, 17, 1, 4}, PixelType::u8));
    for (const int channels : {1, 3}) {
        for (const bool progressive : {false, true}) {
            files.emplace_back(std::to_string(channels) + (progressive ? "p.jpg" : ".jpg"),
                               makeJpeg(24, 17, channels, values, {}, progressive));
        }
    }
    const auto line = [](int bits) {
        std::string text;
        for (int i = 0; i < 12; ++i) text += std::to_string(bits == 1 ? i % 2 : 10 + i) + (i % 4 == 3 ? "\n" : " ");
        return text;
    };
    files.emplace_back("text.pbm", bytesOf("P1\n4 3\n" + line(1)));
    files.emplace_back("text.pgm", bytesOf("P2\n4 3\n255\n" + line(8)));
    files.emplace_back("text.ppm", bytesOf("P3\n2 2\n65535\n" + line(8)));
    checkInMemory(files, 400);
}

TEST(Truncation, TiffsOfEveryCompressionAndLayout) {
    Files files;
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS}) {
        for (const bool tiled : {false, true}) {
            for (const int planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
                const auto file = makeTiff("wl", [&](void* handle) {
                    auto* tiff = static_cast<TIFF*>(handle);
                    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 16);
                    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 32);
                    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
                    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
                    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
                    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, planar);
                    TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
                    const auto part =
                        storedValues(busyGrid({16, 16, 1, planar == PLANARCONFIG_CONTIG ? 3 : 1}, PixelType::u8));
                    auto* data = const_cast<std::byte*>(part.data());
                    const auto size = static_cast<tmsize_t>(part.size());
                    const std::uint32_t parts = planar == PLANARCONFIG_CONTIG ? 2 : 6;
                    if (tiled) {
                        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
                        TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
                    } else {
                        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 16);
                    }
                    // The values last in the file, so that a cut goes through them.
                    TIFFWriteCheck(tiff, tiled, "test");
                    for (std::uint32_t i = 0; i < parts; ++i) {
                        if (tiled) TIFFWriteEncodedTile(tiff, i, data, size);
                        if (!tiled) TIFFWriteEncodedStrip(tiff, i, data, size);
                    }
                });
                files.emplace_back(
                    std::to_string(compression) + (tiled ? "tiles" : "strips") + std::to_string(planar) + ".tif", file);
            }
        }
    }
    checkInMemory(files, 200);
}

TEST(Truncation, ExrsOfEveryCompression) {
    Files files;
    std::vector<float> values(20 * 19);
    std::iota(values.begin(), values.end(), 1.0F);
    for (int compression = 0; compression < Imf::NUM_COMPRESSION_METHODS; ++compression) {
        for (const bool tiled : {false, true}) {
            files.emplace_back(std::to_string(compression) + (tiled ? "t.exr" : "s.exr"),
                               makeExr(20, 19, {{"Y"}, compression % 2 == 0, tiled, 0, compression, 1}, values));
        }
    }
    checkInMemory(files, 100);
}

TEST(Truncation, NpyAndRawValues) {
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
        const auto values = storedValues(busyGrid({7, 5, 2, 1}, type));
        for (const char* dtype : {"|u1", "<u2", ">u2", "<i2", "<f4", ">f4"}) {
            if (dtype[2] - '0' != static_cast<int>(sizeOf(type))) continue;
            for (const char* fortran : {"False", "True"}) {
                const auto text =
                    std::string("{'descr': '") + dtype + "', 'fortran_order': " + fortran + ", 'shape': (2, 5, 7), }\n";
                const auto file =
                    join({bytesOf("\x93NUMPY\1"), Bytes(1), little(text.size(), 2), bytesOf(text), values});
                checkInMemory(
                    dtype, file, [](const Bytes& bytes) { return io::decodeNpy(bytes, {}, "x.npy"); }, 1000);
            }
        }
        for (const char* order : {"little", "big"}) {
            const auto raw = io::parseRaw(std::string("raw:x:7x5x2:") + nameOf(type) + ":order=" + order);
            checkInMemory(
                order, values, [&](const Bytes& bytes) { return io::decodeRaw(bytes, raw, {}); }, 1000);
        }
    }
}

TEST(Truncation, EveryKindThroughTheProcess) {
    const Folder folder;
    const std::vector<std::uint32_t> values{1, 2, 3, 4, 5, 6};
    DicomPicture rle{.width = 3, .height = 2};
    rle.coding = DicomCoding::rle;
    const auto volume = busyGrid({5, 4, 3, 1}, PixelType::f32);
    Files files;
    files.emplace_back("plain.dcm", dicomFile(DicomPicture{.width = 3, .height = 2}, values));
    files.emplace_back("rle.dcm", dicomFile(rle, values));
    files.emplace_back("zlib.mha", join({bytesOf("NDims = 2\nDimSize = 40 30\nElementType = MET_UCHAR\n"
                                                 "CompressedData = True\nElementDataFile = LOCAL\n"),
                                         gzipped(Bytes(1200, std::byte{9}))}));
    files.emplace_back("plain.nii", makeNifti({.sizes = {5, 4}}, Bytes(20, std::byte{3})));
    for (const char* format : {"nrrd", "mha"}) {
        files.emplace_back(std::string("v.") + format, io::codecs::encode(volume, format, "x", {.compress = true}));
    }
    files.emplace_back("a.npy", io::encode(volume, "npy"));
    for (const auto& [name, file] : files) {
        const auto path = folder.write(name, file);
        const auto whole = io::read(path);
        for (const auto size : {file.size() * 2 / 3, file.size() - 12, file.size() - 2}) {
            folder.write(name, std::span(file).first(size));
            checkCut([&] { return io::read(path); }, whole, cutTo(name, size, file.size()));
        }
    }
}

}  // namespace
}  // namespace warplens::test
