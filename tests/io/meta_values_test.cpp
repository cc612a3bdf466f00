// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support/volume_files.hpp"
#include "tests/io/support/volume_types.hpp"

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

Bytes metaFile(const VolumeType& type, const std::string& fields, const Bytes& values) {
    return join({bytesOf(std::string("NDims = 2\nDimSize = 3 2\nElementType = ") + type.meta + "\n" + fields +
                         "ElementDataFile = LOCAL\n"),
                 values});
}

TEST(MetaValues, TextThatIsNoNumberOfItsTypeIsRefused) {
    const Folder folder;
    const auto reading = [&](std::size_t type, const std::string& text) {
        return [&folder, type, text] {
            decodeFile(folder.write("a.mha", metaFile(kVolumeTypes[type], "BinaryData = False\n", bytesOf(text))));
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

TEST(MetaValues, CompressedValuesOfAnotherSizeAreRefused) {
    const Folder folder;
    const auto reading = [&](const Bytes& values) {
        return [&folder, values] {
            decodeFile(folder.write("a.mha", metaFile(kVolumeTypes[0], "CompressedData = True\n", values)));
        };
    };
    EXPECT_NO_THROW(reading(gzipped(Bytes(6)))());
    EXPECT_TRUE(refuses(reading(gzipped(Bytes(5))), Kind::unreadable, "holds 5 of the 6"));
    EXPECT_TRUE(refuses(reading(gzipped(Bytes(7))), Kind::unreadable, "holds more than the 6"));
    EXPECT_TRUE(refuses(reading(Bytes(40, std::byte{1})), Kind::unreadable, "corrupt"));
}

}  // namespace
}  // namespace warplens::test
