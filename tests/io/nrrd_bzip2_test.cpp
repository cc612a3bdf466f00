// SPDX-License-Identifier: Apache-2.0
// NRRD with the encoding bzip2, against the same volume stored raw.
#include "io/codecs/codec.hpp"
#include "io/read.hpp"
#include "tests/io/support/volume_files.hpp"

#include <algorithm>

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

io::Grid decoded(const std::string& path, int frame = 0) {
    io::codecs::Source source;
    source.path = path;
    source.where = path;
    source.frame = frame;
    return io::codecs::decodeFile(source);
}

/// Values of a type as they are stored: every byte differs from its neighbours, and each is finite as f32.
Bytes storedOf(std::size_t count, std::size_t size, bool big) {
    Bytes values;
    for (std::size_t i = 0; i < count; ++i) {
        auto bytes = little(0x3f00000000000000ULL >> (64 - 8 * size) | (37 * i + 5), size);
        if (big) std::reverse(bytes.begin(), bytes.end());
        values.insert(values.end(), bytes.begin(), bytes.end());
    }
    return values;
}

void expectSame(const io::Grid& bzip2, const io::Grid& raw) {
    EXPECT_TRUE(sameValues(bzip2, raw));
    EXPECT_EQ(bzip2.geometry, raw.geometry);
    EXPECT_EQ(bzip2.sourceType(), raw.sourceType());
    EXPECT_EQ(bzip2.metadata.notes, raw.metadata.notes);
    EXPECT_EQ(bzip2.metadata.pages, raw.metadata.pages);
}

const char* const kPlace =
    "space: right-anterior-superior\nspace directions: (0.5,0,0) (0,2,0) (0,0,3)\nspace origin: (10,20,30)\n";

TEST(NrrdBzip2, EveryTypeAndByteOrderAttachedAndDetachedIsWhatRawIs) {
    const Folder folder;
    const std::pair<const char*, std::size_t> types[] = {{"uchar", 1},    {"int8", 1},  {"short", 2},
                                                         {"ushort", 2},   {"int", 4},   {"uint", 4},
                                                         {"longlong", 8}, {"float", 4}, {"double", 8}};
    for (const auto& [type, size] : types) {
        for (const bool big : {false, true}) {
            for (const char* encoding : {"bzip2", "BZ2"}) {
                SCOPED_TRACE(std::string(type) + (big ? " big " : " little ") + encoding);
                const auto head = std::string("NRRD0004\ntype: ") + type + "\ndimension: 3\nsizes: 5 4 3\n" + kPlace +
                                  "endian: " + (big ? "big" : "little") + "\nencoding: ";
                const auto values = storedOf(60, size, big);
                const auto raw = decoded(folder.write("r.nrrd", join({bytesOf(head + "raw\n\n"), values})));
                const auto packed = bzipped(values);
                expectSame(decoded(folder.write("b.nrrd", join({bytesOf(head + encoding + "\n\n"), packed}))), raw);
                folder.write("a b.bz2", packed);
                const auto detached = head + encoding + "\ndata file: a b.bz2\n";
                expectSame(decoded(folder.write("b.nhdr", bytesOf(detached))), raw);
                // Lines are skipped as they are stored, bytes of what was decompressed.
                const auto skips = head + encoding + "\nline skip: 2\nbyte skip: 7\n";
                const auto skipped = join({bytesOf("BZh9\n\n"), bzipped(join({Bytes(7), values}))});
                expectSame(decoded(folder.write("s.nrrd", join({bytesOf(skips + "\n"), skipped}))), raw);
                folder.write("s.bz2", skipped);
                expectSame(decoded(folder.write("s.nhdr", bytesOf(skips + "data file: s.bz2\n\n"))), raw);
            }
        }
    }
}

TEST(NrrdBzip2, ThePixelsValuesMayLieAlongAnyAxis) {
    const Folder folder;
    const auto values = storedOf(72, 2, true);
    const std::tuple<const char*, const char*, int> layouts[] = {{"3 4 2 3", "RGB-color domain domain domain", 0},
                                                                 {"4 3 2 3", "space vector space space", 0},
                                                                 {"2 4 3 3", "domain domain RGB-color domain", 0},
                                                                 {"3 2 4 3", "domain domain domain vector", 0},
                                                                 {"4 3 3 2", "domain domain domain list", 2},
                                                                 {"4 3 3 2", "space space space time", 2},
                                                                 {"4 3 3 2", "??? none domain list", 1}};
    for (const auto& [sizes, kinds, frame] : layouts) {
        SCOPED_TRACE(kinds);
        const auto head = std::string("NRRD0004\ntype: ushort\ndimension: 4\nsizes: ") + sizes + "\nkinds: " + kinds +
                          "\nendian: big\nencoding: ";
        const auto raw = decoded(folder.write("r.nrrd", join({bytesOf(head + "raw\n\n"), values})), frame);
        const auto path = folder.write("b.nrrd", join({bytesOf(head + "bzip2\n\n"), bzipped(values)}));
        expectSame(decoded(path, frame), raw);
    }
}

TEST(NrrdBzip2, ALargeVolumeOfSeveralStreamsThroughTheProcess) {
    const Folder folder;
    const std::string head = "NRRD0004\ntype: short\ndimension: 3\nsizes: 210 200 70\nendian: big\nencoding: ";
    Bytes values(210 * 200 * 70 * 2);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::byte>(i / 1000 * 7);
    const auto raw = io::read(folder.write("r.nrrd", join({bytesOf(head + "raw\n\n"), values})));
    const auto middle = values.begin() + 2'345'677;
    // As parallel compressors write it; what follows the streams means nothing.
    const auto packed = join({bzipped({values.begin(), middle}), bzipped({}), bzipped({middle, values.end()})});
    for (const std::string rest : {"", "rest", "BZhx"}) {
        const auto file = join({bytesOf(head + "bzip2\n\n"), packed, bytesOf(rest)});
        expectSame(io::read(folder.write("b.nrrd", file)), raw);
    }
    // A skip of several pieces that takes a stream of its own.
    const auto later = join({bytesOf(head + "bzip2\nbyte skip: 5000000\n\n"), bzipped(Bytes(5'000'000)), packed});
    expectSame(io::read(folder.write("l.nrrd", later)), raw);
    folder.write("b.bz2", packed);
    expectSame(io::read(folder.write("b.nhdr", bytesOf(head + "bzip2\ndata file: b.bz2\n"))), raw);
}

TEST(NrrdBzip2, AStreamThatIsNotWhatTheHeaderSaysIsRefused) {
    const Folder folder;
    const auto reading = [&](const std::string& fields, const Bytes& data) {
        const auto head = "NRRD0004\ntype: short\ndimension: 3\n" + fields + "encoding: bzip2\n\n";
        return [&folder, file = join({bytesOf(head), data})] { decoded(folder.write("x.nrrd", file)); };
    };
    const std::string fields = "endian: little\nsizes: 5 4 3\n";
    const auto values = storedOf(60, 2, false);
    const auto packed = bzipped(values);
    EXPECT_FALSE(errorOf(reading(fields, packed)));
    for (std::size_t size = 0; size < packed.size(); ++size) {
        const auto cut = reading(fields, {packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size)});
        EXPECT_TRUE(refuses(cut, Kind::unreadable, size < 24 ? "are missing" : "its bzip2 stream is cut off")) << size;
    }
    for (const std::size_t at : {0UL, 3UL, 5UL, 12UL, packed.size() / 2, packed.size() - 3}) {
        auto harmed = packed;
        harmed[at] ^= std::byte{0x41};
        EXPECT_TRUE(refuses(reading(fields, harmed), Kind::unreadable, at < 4 ? "no bzip2 stream" : "is corrupt"))
            << at;
    }
    EXPECT_TRUE(refuses(reading(fields, bzipped(join({values, Bytes(1)}))), Kind::unreadable,
                        "holds more than the 120 bytes that the header asks for"));
    EXPECT_TRUE(
        refuses(reading(fields, join({packed, bzipped(Bytes(1))})), Kind::unreadable, "holds more than the 120"));
    EXPECT_TRUE(refuses(reading(fields, bzipped({values.begin(), values.end() - 1})), Kind::unreadable,
                        "holds 119 of the 120 bytes that the header asks for"));
    EXPECT_TRUE(refuses(reading("endian: little\nsizes: 5 4 4\n", packed), Kind::unreadable, "holds 120 of the 160"));
    EXPECT_TRUE(refuses(reading("endian: little\nsizes: 5 4 2\n", packed), Kind::unreadable, "more than the 80"));
    // Far more than there can be, far more than there is, and far more than is wanted.
    EXPECT_TRUE(refuses(reading("endian: little\nsizes: 9999 999 99\n", packed), Kind::unreadable, "at least 444 "));
    EXPECT_TRUE(refuses(reading("endian: little\nsizes: 999 999 19\n", packed), Kind::unreadable, "holds 120 of the"));
    EXPECT_TRUE(refuses(reading(fields, bzipped(Bytes(20'000'000))), Kind::unreadable, "more than the 120"));
    EXPECT_TRUE(refuses(reading("endian: little\nsizes: 99999 99999 99999\n", packed), Kind::limit));

    EXPECT_TRUE(refuses(reading(fields + "byte skip: 1\n", packed), Kind::unreadable, "holds 119 of the 120"));
    EXPECT_TRUE(refuses(reading(fields + "byte skip: 999\n", packed), Kind::unreadable, "byte skip leads beyond"));
    EXPECT_TRUE(refuses(reading(fields + "byte skip: 999999999999999\n", packed), Kind::limit, "byte skip"));
    EXPECT_TRUE(refuses(reading(fields + "byte skip: -1\n", packed), Kind::unreadable, "makes no sense"));
    EXPECT_TRUE(refuses(reading(fields + "line skip: 9\n", packed), Kind::unreadable));
    EXPECT_TRUE(refuses(reading("sizes: 5 4 3\n", packed), Kind::unreadable, "lacks the field endian"));
    EXPECT_TRUE(refuses(reading("sizes: 5 4 3\nendian: middle\n", packed), Kind::unreadable, "endian"));
}

TEST(NrrdBzip2, ValuesElsewhereAreRefused) {
    const Folder folder;
    const auto packed = bzipped(storedOf(60, 1, false));
    folder.write("s1.bz2", packed);
    std::filesystem::create_symlink(folder.path() / "s1.bz2", folder.path() / "link.bz2");
    const std::string head = "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 5 4 3\nencoding: bzip2\ndata file: ";
    const auto reading = [&](const std::string& name) {
        return [&folder, file = bytesOf(head + name + "\n")] { decoded(folder.write("x.nhdr", file)); };
    };
    EXPECT_FALSE(errorOf(reading("s1.bz2")));
    EXPECT_FALSE(errorOf(reading("LIST\ns1.bz2")));
    EXPECT_FALSE(errorOf(reading("s%d.bz2 1 1 1")));
    EXPECT_TRUE(refuses(reading("../s1.bz2"), Kind::unsupported, "same folder"));
    EXPECT_TRUE(refuses(reading("link.bz2"), Kind::unreadable, "no plain file"));
    EXPECT_TRUE(refuses(reading("s2.bz2"), Kind::unreadable, "not beside it"));
}

}  // namespace
}  // namespace warplens::test
