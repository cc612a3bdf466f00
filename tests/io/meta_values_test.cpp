// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support/volume_files.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

struct MetaType {
    const char* name;
    std::size_t size;
    bool isSigned, isFloat;
};
constexpr std::array<MetaType, 10> kMetaTypes{{{"MET_UCHAR", 1, false, false},
                                               {"MET_CHAR", 1, true, false},
                                               {"MET_USHORT", 2, false, false},
                                               {"MET_SHORT", 2, true, false},
                                               {"MET_UINT", 4, false, false},
                                               {"MET_INT", 4, true, false},
                                               {"MET_ULONG_LONG", 8, false, false},
                                               {"MET_LONG_LONG", 8, true, false},
                                               {"MET_FLOAT", 4, true, true},
                                               {"MET_DOUBLE", 8, true, true}}};

/// The i-th of six values, each exact in its type and as f32.
double metaValue(const MetaType& type, int i) {
    if (type.isFloat) return i % 2 == 0 ? -0.375 * i : 1000.25 + i;
    const double magnitude = type.size == 1 ? 20 * i + 3 : 5000 * i + 259;
    return type.isSigned && i % 2 == 0 ? -magnitude : magnitude;
}

Bytes metaBytes(const MetaType& type, double value, bool big) {
    const auto bits = !type.isFloat    ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                      : type.size == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                       : std::bit_cast<std::uint64_t>(value);
    auto bytes = little(bits, type.size);
    if (big) std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

Bytes metaFile(const MetaType& type, const std::string& fields, const Bytes& values) {
    return join({bytesOf(std::string("NDims = 2\nDimSize = 3 2\nElementType = ") + type.name + "\n" + fields +
                         "ElementDataFile = LOCAL\n"),
                 values});
}

TEST(MetaValues, EveryTypeInEitherByteOrderPlainCompressedAndAsText) {
    const Folder folder;
    for (const auto& type : kMetaTypes) {
        const auto check = [&](const std::string& fields, const Bytes& values) {
            const auto grid = decodeFile(folder.write("a.mha", metaFile(type, fields, values)));
            ASSERT_EQ(grid.shape(), (io::Shape{3, 2, 1, 1}));
            for (int i = 0; i < 6; ++i) EXPECT_EQ(grid.value(i % 3, i / 3), metaValue(type, i)) << type.name << fields;
        };
        for (const bool big : {false, true}) {
            Bytes values;
            for (int i = 0; i < 6; ++i) values = join({values, metaBytes(type, metaValue(type, i), big)});
            for (const char* key : {"ElementByteOrderMSB", "BinaryDataByteOrderMSB"}) {
                const auto order = std::string(key) + (big ? " = True\n" : " = False\n");
                check(order, values);
                check(order + "CompressedData = True\n", gzipped(values));
                check(order + "CompressedData = True\nCompressedDataSize = " + std::to_string(gzipped(values).size()) +
                          "\n",
                      gzipped(values));
            }
        }
        std::string text;
        for (int i = 0; i < 6; ++i) {
            auto number = std::to_string(metaValue(type, i));  // with a fraction of zeros
            if (!type.isFloat && i > 2) number.resize(number.find('.'));
            text += number + (i == 2 ? "\n" : " ");
        }
        check("BinaryData = False\n", bytesOf(text));
    }
}

TEST(MetaValues, TextThatIsNoNumberOfItsTypeIsRefused) {
    const Folder folder;
    const auto reading = [&](std::size_t type, const std::string& text) {
        return [&folder, type, text] {
            decodeFile(folder.write("a.mha", metaFile(kMetaTypes[type], "BinaryData = False\n", bytesOf(text))));
        };
    };
    EXPECT_NO_THROW(reading(0, "1 2 3 4 5 1e1\n")());
    for (const char* last : {"256", "-1", "1.5", "x", "1x", "0x10", "nan", "1e99"}) {
        EXPECT_TRUE(refuses(reading(0, std::string("1 2 3 4 5 ") + last + "\n"), Kind::unreadable, "numbers")) << last;
    }
    EXPECT_TRUE(refuses(reading(7, "1 2 3 4 5 9223372036854775808\n"), Kind::unreadable, "numbers"));
    EXPECT_TRUE(refuses(reading(7, "1 2 3 4 5 9.3e18\n"), Kind::unreadable, "numbers"));
    EXPECT_TRUE(refuses(reading(0, "100 100 100 100\n"), Kind::unreadable, "ends before"));
}

TEST(MetaValues, CompressedValuesOfAnotherSizeOrInSeveralFilesAreRefused) {
    const Folder folder;
    const auto reading = [&](const Bytes& values) {
        return [&folder, values] {
            decodeFile(folder.write("a.mha", metaFile(kMetaTypes[0], "CompressedData = True\n", values)));
        };
    };
    EXPECT_NO_THROW(reading(gzipped(Bytes(6)))());
    EXPECT_TRUE(refuses(reading(gzipped(Bytes(5))), Kind::unreadable, "holds 5 of the 6"));
    EXPECT_TRUE(refuses(reading(gzipped(Bytes(7))), Kind::unreadable, "holds more than the 6"));
    EXPECT_TRUE(refuses(reading(Bytes(40, std::byte{1})), Kind::unreadable, "corrupt"));
    for (const char* name : {"d1", "d2"}) folder.write(name, gzipped(Bytes(3)));
    const auto list = folder.write("a.mhd", bytesOf("NDims = 2\nDimSize = 3 2\nElementType = MET_UCHAR\n"
                                                    "CompressedData = True\nElementDataFile = LIST\nd1\nd2\n"));
    EXPECT_TRUE(refuses([&] { decodeFile(list); }, Kind::unsupported, "several files"));
}

}  // namespace
}  // namespace warplens::test
