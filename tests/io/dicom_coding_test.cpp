// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support/dicom_files.hpp"
#include "tests/io/support/volume_files.hpp"

#include <algorithm>
#include <random>

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

/// Runs and single values, all exact as f32, whose bytes differ.
std::vector<std::uint32_t> valuesFor(const DicomPicture& p) {
    std::mt19937 random(11);
    std::vector<std::uint32_t> values(static_cast<std::size_t>(p.width * p.height * p.samples * p.frames));
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto value = static_cast<std::uint32_t>(random() % 0xffffff);
        if (p.bits == 32 && i % 3 == 0) value <<= 8;
        if (p.bits < 32) value >>= 24 - p.bits;
        if (p.isSigned) value >>= 1;
        const auto before = static_cast<std::size_t>(p.samples);
        values[i] = i >= before && i % 11 < 5 ? values[i - before] : value;
    }
    return values;
}

std::string describe(const DicomPicture& p) {
    return "coding " + std::to_string(static_cast<int>(p.coding)) + ", " + std::to_string(p.bits) + " bits, " +
           std::to_string(p.samples) + " samples, " + std::to_string(p.frames) + " frames" +
           (p.byPlane ? ", by plane" : "") + (p.isSigned ? ", signed" : "");
}

/// Read as what was written.
void checkPicture(const Folder& folder, const DicomPicture& p) {
    const auto values = valuesFor(p);
    const auto path = folder.write("a.dcm", dicomFile(p, values));
    const auto grid = decodeFile(path);
    ASSERT_EQ(grid.shape(), (io::Shape{p.width, p.height, p.frames, p.samples})) << describe(p);
    std::size_t wrong = 0;
    std::size_t at = 0;
    for (int z = 0; z < p.frames; ++z) {
        for (int y = 0; y < p.height; ++y) {
            for (int x = 0; x < p.width; ++x) {
                for (int c = 0; c < p.samples; ++c) wrong += grid.value(x, y, z, c) != values[at++];
            }
        }
    }
    EXPECT_EQ(wrong, 0U) << describe(p) << ": of " << at;
}

TEST(DicomCoding, EveryLayoutInEveryCodingIsReadAsItWasWritten) {
    const Folder folder;
    int pictures = 0;
    for (const auto coding : {DicomCoding::explicitLittle, DicomCoding::implicitLittle, DicomCoding::explicitBig,
                              DicomCoding::deflated, DicomCoding::rle}) {
        for (const int bits : {8, 16, 32}) {
            for (const int samples : {1, 3}) {
                for (const int frames : {1, 3}) {
                    for (const bool other : {false, true}) {
                        DicomPicture p{.width = 13, .height = 5, .samples = samples, .bits = bits, .frames = frames};
                        p.coding = coding;
                        (samples == 3 ? p.byPlane : p.isSigned) = other;
                        checkPicture(folder, p);
                        ++pictures;
                    }
                }
            }
        }
    }
    EXPECT_EQ(pictures, 5 * 3 * 2 * 2 * 2);
}

TEST(DicomCoding, RunLengthsThatDoNotFillTheirPlaneAreRefused) {
    const Folder folder;
    for (const int samples : {1, 3}) {
        for (const int bits : {8, 16}) {
            DicomPicture p{.width = 4, .height = 2, .samples = samples, .bits = bits};
            p.coding = DicomCoding::rle;
            // One run a row: two bytes each, right behind the frame's header.
            const auto file = dicomFile(p, std::vector<std::uint32_t>(static_cast<std::size_t>(8 * samples), 7));
            const auto path = folder.write("a.dcm", file);
            ASSERT_NO_THROW(decodeFile(path));
            const Bytes run{static_cast<std::byte>(257 - 4), static_cast<std::byte>(bits == 8 ? 7 : 0)};
            const auto at = std::search(file.begin() + 132, file.end(), run.begin(), run.end());
            ASSERT_NE(at, file.end());
            // One value less; far more; and a code that means nothing.
            for (const int code : {257 - 3, 257 - 128, 128}) {
                auto bad = file;
                bad[static_cast<std::size_t>(at - file.begin())] = static_cast<std::byte>(code);
                folder.write("a.dcm", bad);
                EXPECT_TRUE(refuses([&] { decodeFile(path); }, Kind::unreadable, "RLE")) << code;
            }
        }
    }
}

}  // namespace
}  // namespace warplens::test
