// SPDX-License-Identifier: Apache-2.0
// A file that ends early is an error, or shows the very same picture: never one with a made-up rest.
#include "io/codecs/codec.hpp"
#include "io/npy.hpp"
#include "io/raw.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/io/support/dicom_files.hpp"
#include "tests/io/support/fixtures.hpp"
#include "tests/io/support/volume_files.hpp"

#include <ImfCompression.h>
#include <functional>
#include <numeric>
#include <set>
#include <tiffio.h>

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;
using Files = std::vector<std::pair<std::string, Bytes>>;

/// Every size of a small file; of a larger one the beginning, the end, and some between.
std::set<std::size_t> sizesBelow(std::size_t size, std::size_t most) {
    std::set<std::size_t> sizes;
    const auto step = std::max<std::size_t>(size / most, 1);
    for (std::size_t at = 0; at < size; at += step) sizes.insert(at);
    const auto ends = std::min(size, most / 4);
    for (std::size_t i = 0; i < ends; ++i) {
        sizes.insert(i);
        sizes.insert(size - 1 - i);
    }
    return sizes;
}

/// What becomes of a file that was cut.
void checkCut(const std::function<io::Grid()>& reading, const io::Grid& whole, const std::string& what) {
    io::Grid grid;
    if (const auto error = errorOf([&] { grid = reading(); })) {
        // Every kind but these two ends the program with status 3.
        EXPECT_TRUE(error->kind() != Kind::argument && error->kind() != Kind::cancelled) << what << error->what();
    } else {
        EXPECT_TRUE(sameValues(grid, whole)) << what;
    }
}

std::string cutTo(const std::string& name, std::size_t size, std::size_t whole) {
    return name + " cut to " + std::to_string(size) + " of " + std::to_string(whole);
}

/// For what is read from memory: copies of just each size, so that a sanitizer sees every step beyond it.
void checkInMemory(const std::string& name, const Bytes& file, const std::function<io::Grid(const Bytes&)>& decode,
                   std::size_t most) {
    io::Grid whole;
    ASSERT_FALSE(errorOf([&] { whole = decode(file); })) << name << ": " << errorOf([&] { decode(file); })->what();
    for (const auto size : sizesBelow(file.size(), most)) {
        const Bytes prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        checkCut([&] { return decode(prefix); }, whole, cutTo(name, size, file.size()));
    }
}

void checkInMemory(const Files& files, std::size_t most) {
    for (const auto& [name, file] : files) {
        checkInMemory(
            name, file, [&, where = name](const Bytes& bytes) { return io::codecs::decode(bytes, {}, where); }, most);
    }
}

/// For libraries that open files themselves: cuts one file of the folder, while `input` is read.
void checkFile(const Folder& folder, const std::string& name, const Bytes& file, const std::string& input,
               std::size_t most) {
    const auto path = folder.write(name, file);
    const auto reading = [&] { return decodeFile((folder.path() / input).string()); };
    io::Grid whole;
    ASSERT_FALSE(errorOf([&] { whole = reading(); })) << name << ": " << errorOf(reading)->what();
    const auto sizes = sizesBelow(file.size(), most);
    // From the longest on, as that is only a cut.
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
        std::filesystem::resize_file(path, *size);
        checkCut(reading, whole, cutTo(name, *size, file.size()));
    }
    folder.write(name, file);
}

void checkFiles(const Files& files, std::size_t most) {
    const Folder folder;
    for (const auto& [name, file] : files) checkFile(folder, name, file, name, most);
}

/// A picture no part of which looks like another, and which no zeros can stand for.
io::Grid busyGrid(const io::Shape& shape, PixelType type) {
    io::Grid grid(shape, type);
    std::mt19937 random(7);
    const auto values = static_cast<std::size_t>(shape.values());
    for (std::size_t i = 0; i < values; ++i) {
        const auto value = static_cast<int>(random() % 250 + 1);
        if (type == PixelType::u8) grid.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(value);
        if (type == PixelType::u16) grid.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(257 * value);
        if (type == PixelType::f32) grid.as<float>()[i] = static_cast<float>(value) + 0.5F;
    }
    return grid;
}

Bytes storedValues(const io::Grid& grid) { return {grid.data(), grid.data() + grid.bytes()}; }

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

std::string nrrdHeader(const std::string& encoding, const std::string& more = "") {
    return "NRRD0004\ntype: unsigned short\ndimension: 3\nsizes: 5 4 3\nendian: little\nencoding: " + encoding + "\n" +
           more;
}

std::string metaHeader(const std::string& more, const std::string& data) {
    return "ObjectType = Image\nNDims = 3\nDimSize = 5 4 3\nElementType = MET_USHORT\n"
           "ElementByteOrderMSB = False\n" +
           more + "ElementDataFile = " + data + "\n";
}

TEST(Truncation, VolumesOfEveryEncoding) {
    Files files;
    const auto grid = busyGrid({5, 4, 3, 1}, PixelType::u16);
    const auto plain = storedValues(grid);
    std::string text;
    std::string hex;
    for (std::size_t i = 0; i < 60; ++i)
        text += std::to_string(grid.as<std::uint16_t>()[i]) + (i % 5 == 4 ? "\n" : " ");
    for (const auto byte : plain) {
        for (const int digit : {std::to_integer<int>(byte) / 16, std::to_integer<int>(byte) % 16})
            hex += "0123456789abcdef"[digit];
    }
    for (const auto& [encoding, data] : {std::pair<std::string, Bytes>{"raw", plain},
                                         {"gzip", gzipped(plain)},
                                         {"bzip2", bzipped(plain)},
                                         {"ascii", bytesOf(text)},
                                         {"hex", bytesOf(hex)}}) {
        files.emplace_back(encoding + ".nrrd", join({bytesOf(nrrdHeader(encoding) + "\n"), data}));
    }
    for (const bool sized : {false, true}) {
        const auto packed = gzipped(plain);
        const auto size = "CompressedDataSize = " + std::to_string(packed.size()) + "\n";
        files.emplace_back(
            sized ? "sized.mha" : "unsized.mha",
            join({bytesOf(metaHeader("CompressedData = True\n" + (sized ? size : ""), "LOCAL")), packed}));
    }
    files.emplace_back("plain.mha", join({bytesOf(metaHeader("", "LOCAL")), plain}));
    files.emplace_back("text.mha", join({bytesOf(metaHeader("BinaryData = False\n", "LOCAL")), bytesOf(text)}));
    const Folder folder;
    for (const auto& [name, file] : files) EXPECT_TRUE(sameValues(decodeFile(folder.write(name, file)), grid)) << name;
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
        for (const int channels : {1, 3}) {
            const auto name = std::string(nameOf(type)) + std::to_string(channels);
            const auto volume = busyGrid({5, 4, 3, channels}, type);
            for (const bool compress : {false, true}) {
                const auto kind = name + (compress ? "packed" : "");
                files.emplace_back(kind + ".mha", io::codecs::encode(volume, "mha", "x", compress));
                files.emplace_back(kind + ".nrrd", io::codecs::encode(volume, "nrrd", "x", compress));
            }
        }
    }
    const auto nifti = makeNifti({.sizes = {5, 4, 3}, .code = 512, .bits = 16}, plain);
    files.emplace_back("plain.nii", nifti);
    files.emplace_back("packed.nii.gz", gzipped(nifti));
    NiftiOptions scaled{.sizes = {5, 4, 3}, .code = 512, .bits = 16, .slope = 2, .intercept = 1};
    files.emplace_back("scaled.nii", makeNifti(scaled, plain));
    checkFiles(files, 120);
}

TEST(Truncation, VolumesWhoseValuesLieBesideTheirHeader) {
    const auto plain = storedValues(busyGrid({5, 4, 3, 1}, PixelType::u16));
    struct Pair {
        std::string name, header;
        std::vector<Bytes> data;
    };
    const auto part = [&](std::size_t i) {
        return Bytes(plain.begin() + static_cast<std::ptrdiff_t>(40 * i),
                     plain.begin() + static_cast<std::ptrdiff_t>(40 * i + 40));
    };
    const std::vector<Bytes> slices{part(0), part(1), part(2)};
    for (const auto& pair : {Pair{"raw.nhdr", nrrdHeader("raw", "data file: d0\n"), {plain}},
                             Pair{"gzip.nhdr", nrrdHeader("gzip", "data file: d0\n"), {gzipped(plain)}},
                             Pair{"bzip2.nhdr", nrrdHeader("bzip2", "data file: d0\n"), {bzipped(plain)}},
                             Pair{"list.nhdr", nrrdHeader("raw", "data file: LIST\nd0\nd1\nd2\n"), slices},
                             Pair{"pattern.nhdr", nrrdHeader("raw", "data file: d%d 0 2 1\n"), slices},
                             Pair{"gziplist.nhdr",
                                  nrrdHeader("gzip", "data file: LIST\nd0\nd1\nd2\n"),
                                  {gzipped(slices[0]), gzipped(slices[1]), gzipped(slices[2])}},
                             Pair{"raw.mhd", metaHeader("", "d0"), {plain}},
                             Pair{"packed.mhd", metaHeader("CompressedData = True\n", "d0"), {gzipped(plain)}},
                             Pair{"list.mhd", metaHeader("", "LIST\nd0\nd1\nd2"), slices},
                             Pair{"pattern.mhd", metaHeader("", "d%d 0 2 1"), slices}}) {
        const Folder folder;
        folder.write(pair.name, bytesOf(pair.header));
        for (std::size_t i = 0; i < pair.data.size(); ++i) folder.write("d" + std::to_string(i), pair.data[i]);
        SCOPED_TRACE(pair.name);
        checkFile(folder, pair.name, bytesOf(pair.header), pair.name, 120);
        for (std::size_t i = 0; i < pair.data.size(); ++i) {
            checkFile(folder, "d" + std::to_string(i), pair.data[i], pair.name, 120);
        }
    }
}

TEST(Truncation, AHeaderAndItsValuesOfNifti) {
    const Folder folder;
    const auto values = storedValues(busyGrid({5, 4, 3, 1}, PixelType::u16));
    NiftiOptions options{.sizes = {5, 4, 3}, .code = 512, .bits = 16};
    options.magic = "ni1";
    auto header = makeNifti(options, {});
    std::fill_n(header.begin() + 108, 4, std::byte{0});
    folder.write("a.hdr", header);
    checkFile(folder, "a.img", values, "a.hdr", 120);
    checkFile(folder, "a.hdr", header, "a.hdr", 120);
}

TEST(Truncation, DicomsOfEveryCodingAndLayout) {
    Files files;
    std::mt19937 random(3);
    for (const auto coding : {DicomCoding::explicitLittle, DicomCoding::implicitLittle, DicomCoding::explicitBig,
                              DicomCoding::deflated, DicomCoding::rle}) {
        for (const int samples : {1, 3}) {
            for (const int bits : {8, 16}) {
                for (const int frames : {1, 2}) {
                    std::vector<std::uint32_t> values(static_cast<std::size_t>(7 * 6 * samples * frames));
                    for (auto& value : values)
                        value = static_cast<std::uint32_t>(random() % (bits == 8 ? 250 : 65000) + 1);
                    DicomPicture picture{.width = 7, .height = 6, .samples = samples, .bits = bits, .frames = frames};
                    picture.coding = coding;
                    picture.sequence = samples == 1;
                    files.emplace_back("c" + std::to_string(static_cast<int>(coding)) + "s" + std::to_string(samples) +
                                           "b" + std::to_string(bits) + "f" + std::to_string(frames) + ".dcm",
                                       dicomFile(picture, values));
                }
            }
        }
    }
    files.emplace_back("ct.dcm", makeDicom({.width = 3, .height = 2, .intercept = "-1024"}, {1, 2, 3, 4, 5, 6}));
    checkFiles(files, 80);
}

TEST(Truncation, ASliceOfAFolderOfDicoms) {
    const Folder folder;
    DicomOptions options{.width = 3, .height = 2};
    for (const int z : {0, 1, 2}) {
        options.instance = z + 1;
        options.position[2] = z;
        folder.write(std::to_string(z), makeDicom(options, {1, 2, 3, 4, 5, 6}));
    }
    // A directory and a report belong there.
    auto report = makeDicom(options, {});
    const std::string ct = "1.2.840.10008.5.1.4.1.1.2";
    for (auto at = report.begin(); true; ++at) {
        const auto kind = bytesOf(ct);
        at = std::search(at, report.end(), kind.begin(), kind.end());
        if (at == report.end()) break;
        at[24] = std::byte{'9'};
    }
    report.erase(report.end() - 12, report.end());
    folder.write("report", report);
    const auto file = makeDicom(options, {9, 8, 7, 6, 5, 4});
    const auto whole = [&] {
        folder.write("2", file);
        return decodeFile(folder.path().string());
    }();
    ASSERT_EQ(whole.shape().depth, 3);
    // What does not even begin like a DICOM makes another kind of folder.
    for (std::size_t size = 132; size < file.size(); ++size) {
        folder.write("2", std::span(file).first(size));
        checkCut([&] { return decodeFile(folder.path().string()); }, whole, cutTo("slice", size, file.size()));
    }
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
        files.emplace_back(std::string("v.") + format, io::codecs::encode(volume, format, "x", true));
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
