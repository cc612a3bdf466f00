// SPDX-License-Identifier: Apache-2.0
// A file of a volume that ends early, as in truncation_test.cpp: attached and beside their header, plain and packed,
// and of DICOM in every coding.
#include "io/codecs/codec.hpp"
#include "tests/io/support/dicom_files.hpp"
#include "tests/io/support/truncation.hpp"
#include "tests/io/support/volume_files.hpp"

#include <algorithm>
#include <random>

namespace warplens::test {
namespace {

using io::PixelType;

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
                files.emplace_back(kind + ".mha", io::codecs::encode(volume, "mha", "x", {.compress = compress}));
                files.emplace_back(kind + ".nrrd", io::codecs::encode(volume, "nrrd", "x", {.compress = compress}));
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

}  // namespace
}  // namespace warplens::test
