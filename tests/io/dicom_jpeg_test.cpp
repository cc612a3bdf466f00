// SPDX-License-Identifier: Apache-2.0
// DICOM whose frames are JPEG, JPEG-LS or JPEG 2000.
#include "tests/io/support/dicom_files.hpp"
#include "tests/io/support/volume_files.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

constexpr const char* kLossless = "1.2.840.10008.1.2.4.70";
constexpr const char* kExtended = "1.2.840.10008.1.2.4.51";
constexpr const char* kJpegLs = "1.2.840.10008.1.2.4.80";
constexpr const char* kJpeg2000 = "1.2.840.10008.1.2.4.90";

/// Bits from the highest on, as JPEG stores them.
class BitWriter {
public:
    void put(std::uint32_t value, int count) {
        for (int bit = count - 1; bit >= 0; --bit) {
            m_byte = m_byte << 1 | (value >> bit & 1);
            if (++m_filled == 8) flush();
        }
    }
    /// A difference: the number of its bits in a code of five bits, then these.
    void putDifference(int difference) {
        const auto size =
            difference == 32768 ? 16 : static_cast<int>(std::bit_width(static_cast<unsigned>(std::abs(difference))));
        put(static_cast<std::uint32_t>(size), 5);
        if (size < 16)
            put(static_cast<std::uint32_t>(difference < 0 ? difference + (1 << size) - 1 : difference), size);
    }
    Bytes finish() {
        while (m_filled != 0) put(1, 1);
        return m_bytes;
    }

private:
    void flush() {
        m_bytes.push_back(static_cast<std::byte>(m_byte));
        // This byte would begin a marker.
        if (m_byte == 0xff) m_bytes.push_back(std::byte{0});
        m_byte = 0;
        m_filled = 0;
    }
    Bytes m_bytes;
    std::uint32_t m_byte = 0;
    int m_filled = 0;
};

Bytes big(std::uint64_t value, std::size_t size) {
    auto bytes = little(value, size);
    std::reverse(bytes.begin(), bytes.end());
    return bytes;
}
Bytes segment(int marker, const Bytes& body) {
    return join({big(0xff00U | static_cast<unsigned>(marker), 2), big(body.size() + 2, 2), body});
}

/// A table of codes of one length: of `count` numbers from 0 on.
Bytes codeTable(int which, int length, int count) {
    Bytes body = big(static_cast<unsigned>(which), 1);
    for (int i = 1; i <= 16; ++i) body.push_back(static_cast<std::byte>(i == length ? count : 0));
    for (int i = 0; i < count; ++i) body.push_back(static_cast<std::byte>(i));
    return segment(0xc4, body);
}
Bytes frameHeader(int marker, int precision, int width, int height) {
    return segment(marker, join({big(static_cast<unsigned>(precision), 1), big(static_cast<unsigned>(height), 2),
                                 big(static_cast<unsigned>(width), 2), big(0x01011100, 4)}));
}

/// Each number as its difference from the one before it.
Bytes losslessJpeg(int precision, int width, const std::vector<int>& values) {
    BitWriter bits;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto stride = static_cast<std::size_t>(width);
        const auto before = i == 0 ? 1 << (precision - 1) : i % stride == 0 ? values[i - stride] : values[i - 1];
        // Differences are counted modulo 65,536.
        auto difference = (values[i] - before) & 0xffff;
        if (difference > 32768) difference -= 65536;
        bits.putDifference(difference);
    }
    const auto height = static_cast<int>(values.size()) / width;
    return join({big(0xffd8, 2), codeTable(0, 5, 17), frameHeader(0xc3, precision, width, height),
                 segment(0xda, big(0x010100010000, 6)), bits.finish(), big(0xffd9, 2)});
}

/// Blocks of 8 x 8 of one value each, in one row: their mean alone is not 0.
Bytes blocksJpeg(int precision, const std::vector<int>& values) {
    BitWriter bits;
    int before = 0;
    for (const auto value : values) {
        const auto mean = 8 * (value - (1 << (precision - 1)));
        bits.putDifference(mean - before);
        bits.put(0, 1);  // no other coefficient
        before = mean;
    }
    Bytes ones(65, std::byte{1});
    ones[0] = std::byte{0};
    return join({big(0xffd8, 2), segment(0xdb, ones), codeTable(0, 5, 16), codeTable(0x10, 1, 1),
                 frameHeader(0xc1, precision, static_cast<int>(8 * values.size()), 8),
                 segment(0xda, big(0x010100003f00, 6)), bits.finish(), big(0xffd9, 2)});
}

/// The element of pixels of these fragments, with a table of the offsets of the numbered ones.
std::function<Bytes(const DicomSyntax&)> fragments(const std::vector<Bytes>& pieces,
                                                   const std::vector<std::size_t>& firsts = {}) {
    return [=](const DicomSyntax& s) {
        Bytes table, items;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (std::find(firsts.begin(), firsts.end(), i) != firsts.end())
                table = join({table, little(items.size(), 4)});
            auto piece = pieces[i];
            if (piece.size() % 2 == 1) piece.push_back(std::byte{0});
            items = join({items, s.item(piece)});
        }
        return join({s.lead(0x7fe0, 0x10, "OB", kNoLength), s.item(table), items, s.end(0xe0dd)});
    };
}

Bytes fromHex(const std::string& text) {
    Bytes bytes;
    for (std::size_t i = 0; i < text.size(); i += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
    return bytes;
}

std::vector<int> busyValues(int precision, int count) {
    std::mt19937 random(9);
    const auto all = 1U << precision;
    std::vector<int> values{0, static_cast<int>(all - 1), static_cast<int>(all / 2), 0};
    while (static_cast<int>(values.size()) < count) values.push_back(static_cast<int>(random() % all));
    return values;
}

TEST(DicomJpeg, WithoutLossOfEveryPrecisionAndOfFewerBitsThanStated) {
    const Folder folder;
    for (int precision = 2; precision <= 16; ++precision) {
        for (const bool fewer : {false, true}) {
            for (const bool isSigned : {false, true}) {
                if (fewer && isSigned) continue;
                DicomPicture p{.width = 7, .height = 5, .bits = precision <= 8 ? 8 : 16};
                p.stored = fewer ? p.bits : precision;
                p.isSigned = isSigned;
                p.syntax = kLossless;
                const auto values = busyValues(precision, 35);
                p.pixels = fragments({losslessJpeg(precision, 7, values)});
                const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, {})));
                for (int i = 0; i < 35; ++i) {
                    const auto stored = values[static_cast<std::size_t>(i)];
                    const auto wanted = isSigned && stored >= 1 << (precision - 1) ? stored - (1 << precision) : stored;
                    ASSERT_EQ(grid.value(i % 7, i / 7), wanted) << precision << (fewer ? ", fewer" : "") << " at " << i;
                }
            }
        }
    }
}

TEST(DicomJpeg, WithLossOfEightAndTwelveBits) {
    const Folder folder;
    for (const int precision : {8, 12}) {
        DicomPicture p{.width = 24, .height = 8, .bits = precision == 8 ? 8 : 16};
        p.stored = precision;
        p.syntax = kExtended;
        p.slope = "2";
        const auto top = (1 << precision) - 1;
        p.pixels = fragments({blocksJpeg(precision, {17, top, 100})});
        const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, {})));
        EXPECT_EQ(grid.value(0, 0), 2 * 17);
        EXPECT_EQ(grid.value(15, 7), 2 * top);
        EXPECT_EQ(grid.value(16, 3), 2 * 100);
    }
}

TEST(DicomJpeg, FragmentsBelongToTheirFrames) {
    const Folder folder;
    std::vector<Bytes> halves;
    std::vector<Bytes> whole;
    Bytes all;
    for (int frame = 0; frame < 3; ++frame) {
        auto values = busyValues(12, 35);
        for (auto& value : values) value = (value + 1000 * frame) % 4096;
        auto coded = losslessJpeg(12, 7, values);
        if (coded.size() % 2 == 1) coded.push_back(std::byte{0});
        whole.push_back(coded);
        const auto middle = coded.begin() + 30;
        halves.emplace_back(coded.begin(), middle);
        halves.emplace_back(middle, coded.end());
    }
    for (const auto& pixels :
         {fragments(whole), fragments(whole, {0, 1, 2}), fragments(halves), fragments(halves, {0, 2, 4})}) {
        DicomPicture p{.width = 7, .height = 5, .bits = 16, .stored = 12};
        p.frames = 3;
        p.syntax = kLossless;
        p.pixels = pixels;
        const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, {})));
        ASSERT_EQ(grid.shape().depth, 3);
        for (int frame = 0; frame < 3; ++frame) {
            EXPECT_EQ(grid.value(0, 0, frame), 1000 * frame);
            EXPECT_EQ(grid.value(1, 0, frame), (4095 + 1000 * frame) % 4096);
        }
    }
    DicomPicture p{.width = 7, .height = 5, .bits = 16, .stored = 12};
    p.frames = 4;
    p.syntax = kLossless;
    p.pixels = fragments(whole);
    EXPECT_TRUE(refuses([&] { decodeFile(folder.write("a.dcm", dicomFile(p, {}))); }, Kind::unreadable, "4 frames"));
}

TEST(DicomJpeg, AFrameThatIsNotWhatTheHeaderSaysIsRefused) {
    const Folder folder;
    DicomPicture p{.width = 7, .height = 5, .bits = 16};
    p.syntax = kLossless;
    const auto coded = losslessJpeg(12, 7, busyValues(12, 35));
    const auto refusesFrame = [&](const Bytes& frame, const char* why) {
        p.pixels = fragments({frame});
        return refuses([&] { decodeFile(folder.write("a.dcm", dicomFile(p, {}))); }, Kind::unreadable, why);
    };
    EXPECT_TRUE(refusesFrame(losslessJpeg(12, 5, busyValues(12, 35)), "5 x 7 pixels"));
    EXPECT_TRUE(refusesFrame(Bytes(coded.begin() + 2, coded.end()), "no JPEG"));
    EXPECT_TRUE(refusesFrame(Bytes(coded.begin(), coded.begin() + 70), "JPEG"));
}

TEST(DicomJpeg, JpegLsOfGreysAndOfColoursInEveryOrder) {
    const Folder folder;
    DicomPicture p{.width = 5, .height = 3, .bits = 16, .stored = 12};
    p.syntax = kJpegLs;
    p.pixels =
        fragments({fromHex("ffd8fff7000b0c0003000501011100ffda0008010100000000a00927a813a7800000000fc8059000"
                           "00001ff1c458300000000007c9c0ffd9")});
    const auto grey = decodeFile(folder.write("a.dcm", dicomFile(p, {})));
    const std::array<int, 15> wanted{0, 4095, 100, 7, 7, 7, 7, 2000, 2048, 1, 3, 4000, 3999, 3999, 12};
    for (int i = 0; i < 15; ++i) EXPECT_EQ(grey.value(i % 5, i / 5), wanted[static_cast<std::size_t>(i)]);
    for (const char* coded :
         {"ffd8fff70011080008002003011100021100031100ffda000c03010002000300000100003cafff7fff401b95ff7fff7805ff7fff7ff9"
          "ff7cff7eff7fff65c80000024bca4600000187e51a00000079ff7fcff23e4a3e2e00ffd9",
          "ffd8fff70011080008002003011100021100031100ffda000c03010002000300000200001003803092adff7fff7fff7fff7fff7fff72"
          "5fff797291c690000012500000187000001e7fe7f992c5d0ffd9",
          "ffd8fff70011080008002003011100021100031100ffda0008010100000000003cafff7fff67ff7e5280000024bfcf8900ffda000801"
          "02000000000000018a95ff7fff7cff7fca4600000187fe7c94ffda0008010300000000000001ee95ff7fff7cff7fca34000000f4ff1f"
          "6e00ffd9"}) {
        DicomPicture colour{.width = 32, .height = 8, .samples = 3, .bits = 8};
        colour.syntax = kJpegLs;
        colour.pixels = fragments({fromHex(coded)});
        const auto grid = decodeFile(folder.write("a.dcm", dicomFile(colour, {})));
        for (int c = 0; c < 3; ++c) {
            EXPECT_EQ(grid.value(0, 0, 0, c), 20 + 50 * c);
            EXPECT_EQ(grid.value(5, 3, 0, c), 1 + c);
        }
        EXPECT_EQ(grid.value(31, 7, 0, 0), 250);
        EXPECT_EQ(grid.value(31, 7, 0, 2), 9);
    }
}

TEST(DicomJpeg, Jpeg2000OfSignedGreysAndOfColours) {
    const Folder folder;
    DicomPicture p{.width = 32, .height = 32, .bits = 16, .stored = 12};
    p.isSigned = true;
    p.syntax = kJpeg2000;
    p.pixels = fragments({fromHex(
        "ff4fff5100290000000000200000002000000000000000000000002000000020000000000000000000018b0101ff52000c000000010005"
        "0404"
        "0001ff5c00134060686870686870686870686870686870ff640025000143726561746564206279204f70656e4a5045472076657273696f"
        "6e20"
        "322e352e32ff90000a00000000009e0001ff93c0fb4080059fc03ea02807d40501f80100059f087b0489c03ea0380fb41200fa80c007f8"
        "0e07"
        "f153ef0506c5c007c22c07da0d000f8440154baf6e2a1238325dd07311a95395c3f609803e70900fb41014e59f9f6618a94f7f624e967f"
        "6245"
        "96e7c3f60f8fe4321fc8581273366d429ced3eff2cac8d29ff7f180b2afd75e1824b7bf843e011e515b140f1acb3dab2dfffd9")});
    const auto grey = decodeFile(folder.write("a.dcm", dicomFile(p, {})));
    EXPECT_EQ(grey.value(0, 0), -100);
    EXPECT_EQ(grey.value(2, 1), 2047);
    EXPECT_EQ(grey.value(31, 31), -2048);
    DicomPicture colour{.width = 32, .height = 32, .samples = 3, .bits = 8};
    colour.syntax = kJpeg2000;
    colour.photometric = "YBR_RCT";
    colour.pixels =
        fragments({fromHex("ff4fff51002f0000000000200000002000000000000000000000002000000020000000000000000000030701010"
                           "70101070101ff52000c0000"
                           "0001010504040001ff5c00134040484850484850484850484850484850ff6400250001437265617465642062792"
                           "04f70656e4a504547207665"
                           "7273696f6e20322e352e32ff90000a0000000000c20001ff93c3e70405bfcfb4080987cfb408088fc1f3810007c"
                           "fc0080007df98100363c0f9"
                           "02000239120fc7da0a000815af795fcfc01808136eb6b53fc0f9028017d875752fcfc024172c738255ecdd8aa7c"
                           "fc028172b9f72b1e55b3c5b"
                           "b7c0f90400221a0ec3cc55d91fcfc038216e0d18be642d66010453448936cfc038216e07ed8820ad2af8f6f4724"
                           "b9fc0f90400369e41e37eae"
                           "983fcfc03035f23fe38d3ca0800018257fcfc03835f23fab5b2a984830fe41c7ec83ffd9")});
    const auto grid = decodeFile(folder.write("a.dcm", dicomFile(colour, {})));
    const std::array<int, 3> left{10, 200, 30}, right{255, 7, 99};
    for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(grid.value(3, 4, 0, c), left[static_cast<std::size_t>(c)]);
        EXPECT_EQ(grid.value(20, 30, 0, c), right[static_cast<std::size_t>(c)]);
    }
}

}  // namespace
}  // namespace warplens::test
