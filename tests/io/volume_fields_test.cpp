// SPDX-License-Identifier: Apache-2.0
// Whatever changes values or geometry in NRRD, MetaImage and NIfTI: files built by hand over element types x byte
// orders x codings x fields, against what their standards make of them by arithmetic.
#include "tests/io/support/volume_files.hpp"
#include "tests/io/support/volume_types.hpp"

#include <cmath>
#include <functional>
#include <map>

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;
using Triple = std::array<double, 3>;
using Matrix = std::array<double, 9>;

constexpr Matrix kIdentity{1, 0, 0, 0, 1, 0, 0, 0, 1};

void expectPlace(const io::Grid& grid, const Triple& spacing, const Triple& origin, const Matrix& direction,
                 double tolerance = 1e-12) {
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(grid.geometry.spacing[i], spacing[i], tolerance * std::abs(spacing[i])) << "spacing " << i;
        EXPECT_NEAR(grid.geometry.origin[i], origin[i], tolerance * std::max(1.0, std::abs(origin[i])))
            << "origin " << i;
    }
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(grid.geometry.direction[i], direction[i], tolerance) << i;
}

/// The first values of a type, in the order of the file, as slope and intercept make them.
void expectValues(const io::Grid& grid, const VolumeType& type, const io::Shape& shape, double slope = 1,
                  double intercept = 0) {
    ASSERT_EQ(grid.shape(), shape);
    EXPECT_EQ(grid.sourceType(), type.ours);
    int i = 0;
    for (std::int64_t z = 0; z < shape.depth; ++z) {
        for (std::int64_t y = 0; y < shape.height; ++y) {
            for (std::int64_t x = 0; x < shape.width; ++x, ++i)
                ASSERT_EQ(grid.value(x, y, z), volumeValue(type, i) * slope + intercept) << i;
        }
    }
}

int notesWith(const io::Grid& grid, const std::string& text) {
    int found = 0;
    for (const auto& note : grid.metadata.notes) found += note.find(text) != std::string::npos;
    return found;
}

std::string quotedThrice(const std::string& text) { return "\"" + text + "\" \"" + text + "\" \"" + text + "\""; }

// ---- NRRD

constexpr io::Shape kSmall{4, 3, 2, 1};
constexpr int kValues = 24;

std::string nrrd(const VolumeType& type, const std::string& encoding, const std::string& more) {
    return std::string("NRRD0005\ntype: ") + type.nrrd + "\nencoding: " + encoding + "\n" + more;
}

TEST(VolumeFields, NrrdEveryTypeOrderEncodingAndUnit) {
    const Folder folder;
    int files = 0;
    const std::pair<const char*, double> units[] = {{"mm", 1}, {"um", 1e-3}, {"m", 1000}};
    for (const auto& type : kVolumeTypes) {
        for (const bool big : {false, true}) {
            const auto plain = volumeBytes(type, kValues, big);
            const std::pair<const char*, Bytes> encodings[] = {
                {"raw", plain},
                {"gzip", gzipped(plain)},
                {"gz", join({gzipped({plain.begin(), plain.begin() + 9}), gzipped({plain.begin() + 9, plain.end()})})},
                {"bzip2", bzipped(plain)},
                {"ascii", bytesOf(volumeText(type, kValues))},
                {"hex", bytesOf(hexOf(plain))}};
            for (const auto& [encoding, data] : encodings) {
                for (const auto& [unit, mm] : units) {
                    SCOPED_TRACE(std::string(type.ours) + (big ? " big " : " little ") + encoding + " " + unit);
                    const auto head = nrrd(type, encoding,
                                           "dimension: 3\nsizes: 4 3 2\nspace: left-posterior-superior\n"
                                           "space directions: (0.5,0,0) (0,2,0) (0,0,3)\nspace origin: (10,20,-30)\n"
                                           "space units: " +
                                               quotedThrice(unit) + "\nendian: " + (big ? "big" : "little") + "\n");
                    folder.write("d.bin", data);
                    for (const auto& path : {folder.write("a.nrrd", join({bytesOf(head + "\n"), data})),
                                             folder.write("a.nhdr", bytesOf(head + "data file: d.bin\n"))}) {
                        const auto grid = decodeFile(path);
                        expectValues(grid, type, kSmall);
                        expectPlace(grid, {0.5 * mm, 2 * mm, 3 * mm}, {10 * mm, 20 * mm, -30 * mm}, kIdentity);
                        EXPECT_TRUE(grid.metadata.notes.empty());
                        ++files;
                    }
                }
            }
        }
    }
    EXPECT_EQ(files, 10 * 2 * 6 * 3 * 2);
}

io::Grid nrrdOf(const Folder& folder, const std::string& fields, int values = kValues) {
    const auto& type = kVolumeTypes[0];
    return decodeFile(
        folder.write("p.nrrd", join({bytesOf(nrrd(type, "raw", fields + "\n")), volumeBytes(type, values, false)})));
}

TEST(VolumeFields, NrrdUnitsByEveryNameAndInEitherField) {
    const Folder folder;
    const std::string head = "dimension: 3\nsizes: 4 3 2\n";
    const std::map<std::string, double> names{
        {"mm", 1},           {"millimeter", 1},    {"millimetres", 1}, {"um", 1e-3},          {"\xc2\xb5m", 1e-3},
        {"\xce\xbcm", 1e-3}, {"micron", 1e-3},     {"microns", 1e-3},  {"micrometers", 1e-3}, {"micrometre", 1e-3},
        {"nm", 1e-6},        {"nanometers", 1e-6}, {"cm", 10},         {"centimeter", 10},    {"m", 1000},
        {"meters", 1000},    {"metre", 1000},      {"in", 25.4},       {"inches", 25.4},      {"Angstrom", 1e-7}};
    for (const auto& [name, mm] : names) {
        SCOPED_TRACE(name);
        const auto bySpace = nrrdOf(folder, head + "space dimension: 3\nspace units: " + quotedThrice(name) +
                                                "\nspace directions: (500,0,0) (0,700,0) (0,0,2500)\n");
        expectPlace(bySpace, {500 * mm, 700 * mm, 2500 * mm}, {0, 0, 0}, kIdentity);
        const auto byAxis = nrrdOf(folder, head + "spacings: 500 700 2500\nunits: " + quotedThrice(name) +
                                               "\naxis mins: 0 700 2500\ncenters: node node node\n");
        expectPlace(byAxis, {500 * mm, 700 * mm, 2500 * mm}, {0, 700 * mm, 2500 * mm}, kIdentity);
        EXPECT_TRUE(bySpace.metadata.notes.empty() && byAxis.metadata.notes.empty());
    }
    // Each axis has its own.
    expectPlace(nrrdOf(folder, head + "spacings: 500 0.7 2\nunits: \"um\" \"mm\" \"cm\"\n"), {0.5, 0.7, 20}, {0, 0, 0},
                kIdentity);
    // Units of axes where those of space were meant, and the other way about.
    for (const char* space : {"", "space dimension: 3\n"})
        expectPlace(nrrdOf(folder, head + space + "spacings: 5 7 2\nspace units: " + quotedThrice("um") + "\n"),
                    {5e-3, 7e-3, 2e-3}, {0, 0, 0}, kIdentity);
    expectPlace(nrrdOf(folder, head + "space dimension: 3\nspace directions: (5,0,0) (0,7,0) (0,0,2)\nunits: " +
                                   quotedThrice("um") + "\n"),
                {5e-3, 7e-3, 2e-3}, {0, 0, 0}, kIdentity);
    for (const char* none : {"furlong", "s", "voxel"}) {
        const auto grid = nrrdOf(folder, head + "spacings: 5 7 2\nunits: " + quotedThrice(none) + "\n");
        expectPlace(grid, {5, 7, 2}, {0, 0, 0}, kIdentity);
        EXPECT_EQ(notesWith(grid, std::string("its unit '") + none + "' is no length"), 1);
    }
    EXPECT_TRUE(nrrdOf(folder, head + "spacings: 5 7 2\nunits: \"\" \"\" \"\"\n").metadata.notes.empty());
    EXPECT_TRUE(refuses([&] { nrrdOf(folder, head + "spacings: 5 7 2\nunits: \"mm\" \"mm\"\n"); }, Kind::unreadable,
                        "units has 2 parts, not 3"));
}

TEST(VolumeFields, NrrdSpacesSpacingsMinsAndCenters) {
    const Folder folder;
    const std::string head = "dimension: 3\nsizes: 4 3 2\n";
    const std::tuple<const char*, double, double> spaces[] = {{"left-posterior-superior", 1, 1},
                                                              {"LPS", 1, 1},
                                                              {"right-anterior-superior", -1, -1},
                                                              {"RAS", -1, -1},
                                                              {"left-anterior-superior", 1, -1},
                                                              {"LAS", 1, -1},
                                                              {"scanner-xyz", 1, 1},
                                                              {"3D-right-handed", 1, 1},
                                                              {"3D-left-handed", 1, 1}};
    for (const auto& [name, x, y] : spaces) {
        SCOPED_TRACE(name);
        expectPlace(nrrdOf(folder, head + "space: " + name +
                                       "\nspace directions: (0,2,0) (0.5,0,0) (0,0,-3)\nspace origin: (10,20,30)\n"),
                    {2, 0.5, 3}, {x * 10, y * 20, 30}, {0, x, 0, y, 0, 0, 0, 0, -1});
    }
    const std::string mins = "axis mins: 10 20 30\n";
    // In the middle of cells, unless they are at nodes.
    for (const char* centers : {"", "centers: cell cell cell\n", "centerings: ??? none cell\n"})
        expectPlace(nrrdOf(folder, head + "spacings: 1 2 3\n" + mins + centers), {1, 2, 3}, {10.5, 21, 31.5},
                    kIdentity);
    expectPlace(nrrdOf(folder, head + "spacings: 1 2 3\n" + mins + "centers: node cell node\n"), {1, 2, 3},
                {10, 21, 30}, kIdentity);
    const std::string maxs = "axis maxs: 16 26 34\n";
    expectPlace(nrrdOf(folder, head + mins + maxs + "centers: node cell node\n"), {2, 2, 4}, {10, 21, 30}, kIdentity);
    expectPlace(nrrdOf(folder, head + "axis mins: 10 nan 30\naxis maxs: 16 nan 34\n"), {1.5, 1, 2}, {10.75, 0, 31},
                kIdentity);
    expectPlace(nrrdOf(folder, head + "spacings: -1 2 nan\n"), {1, 2, 1}, {0, 0, 0}, {-1, 0, 0, 0, 1, 0, 0, 0, 1});
    // A slice that stands in space, and a plane of two dimensions.
    expectPlace(nrrdOf(folder, "dimension: 2\nsizes: 4 3\nspace: LPS\nspace directions: (0,0,2) (0,3,0)\n"), {2, 3, 1},
                {0, 0, 0}, {0, 0, -1, 0, 1, 0, 1, 0, 0});
    expectPlace(nrrdOf(folder,
                       "dimension: 2\nsizes: 4 3\nspace dimension: 2\nspace directions: (0,2) (-3,0)\n"
                       "space origin: (5,6)\nspace units: \"cm\" \"cm\"\n"),
                {20, 30, 1}, {50, 60, 0}, {0, -1, 0, 1, 0, 0, 0, 0, 1});
    const auto thick = nrrdOf(folder, head + "spacings: 1 2 3\nthicknesses: nan nan 5\nold min: -1\nold max: 3\n");
    expectPlace(thick, {1, 2, 3}, {0, 0, 0}, kIdentity);
    EXPECT_EQ(notesWith(thick, "thicknesses 'nan nan 5' are not used"), 1);
    EXPECT_EQ(notesWith(thick, "quantised from '-1' to '3' (old min, old max)"), 1);
    for (const char* bad :
         {"space: nowhere\n", "space: LPS\nspace directions: (1,0) (0,1) (1,1)\n",
          "space directions: (1,0,0) (0,1,0)\n", "space directions: 1 2 3\n", "spacings: 1 2\n", "spacings: a b c\n"}) {
        EXPECT_TRUE(refuses([&] { nrrdOf(folder, head + bad); }, Kind::unreadable)) << bad;
    }
}

TEST(VolumeFields, NrrdAxesInAnyOrder) {
    const Folder folder;
    // Sizes and kinds; for each axis of the file what it is: x, y, z, c or f.
    const std::tuple<const char*, std::string> layouts[] = {
        {"kinds: RGB-color domain domain domain\n", "cxyz"},
        {"kinds: space 3-vector space space\n", "xcyz"},
        {"kinds: domain domain vector domain\n", "xycz"},
        {"kinds: domain domain domain 3-color\n", "xyzc"},
        {"kinds: list domain domain domain\n", "cxyz"},
        {"kinds: time space space space\n", "fxyz"},
        {"kinds: space space space time\n", "xyzf"},
        {"kinds: space space space space\n", "xyzf"},
        {"", "xyzf"},
        {"space: LPS\nspace directions: none (2,0,0) (0,2,0) (0,0,2)\n", "cxyz"},
        {"space: LPS\nspace directions: (2,0,0) (0,2,0) (0,0,2) none\n", "xyzc"},
        {"space: LPST\nspace directions: (0,0,0,1) (2,0,0,0) (0,2,0,0) (0,0,2,0)\nkinds: time space space space\n",
         "fxyz"},
    };
    const std::array<int, 4> extents{4, 3, 2, 3};  // of x, y, z, and c or f
    for (const auto& [fields, order] : layouts) {
        SCOPED_TRACE(fields);
        std::string sizes;
        std::array<int, 4> strides{};
        int stride = 1;
        for (const char axis : order) {
            const auto which = axis == 'x' ? 0U : axis == 'y' ? 1U : axis == 'z' ? 2U : 3U;
            sizes += " " + std::to_string(extents[which]);
            strides[which] = stride;
            stride *= extents[which];
        }
        Bytes data;
        for (int i = 0; i < 72; ++i) data.push_back(static_cast<std::byte>(3 * i + 1));
        const auto head = nrrd(kVolumeTypes[0], "raw", "dimension: 4\nsizes:" + sizes + "\n" + fields + "\n");
        const auto path = folder.write("a.nrrd", join({bytesOf(head), data}));
        const bool colour = order.find('c') != std::string::npos;
        for (int frame = 1; frame <= (colour ? 1 : 3); ++frame) {
            const auto grid = decodeFile(path, frame);
            ASSERT_EQ(grid.shape(), (io::Shape{4, 3, 2, colour ? 3 : 1}));
            EXPECT_EQ(grid.metadata.pages, colour ? 1 : 3);
            for (int i = 0; i < 72 / (colour ? 1 : 3); ++i) {
                const int c = colour ? i % 3 : frame - 1;
                const int at = colour ? i / 3 : i;
                const int x = at % 4, y = at / 4 % 3, z = at / 12;
                const int from = x * strides[0] + y * strides[1] + z * strides[2] + c * strides[3];
                ASSERT_EQ(grid.value(x, y, z, colour ? c : 0), 3 * from + 1) << i;
            }
            if (fields[0] == 's') {
                EXPECT_EQ(grid.geometry.spacing, (Triple{2, 2, 2}));
            }
        }
    }
}

TEST(VolumeFields, NrrdWithoutEndianSaysWhatIsMissing) {
    const Folder folder;
    for (const auto& type : kVolumeTypes) {
        for (const char* encoding : {"raw", "gzip", "bzip2", "hex", "ascii"}) {
            SCOPED_TRACE(std::string(type.ours) + encoding);
            const auto plain = volumeBytes(type, kValues, false);
            const auto data = std::string(encoding) == "raw"     ? plain
                              : std::string(encoding) == "gzip"  ? gzipped(plain)
                              : std::string(encoding) == "bzip2" ? bzipped(plain)
                              : std::string(encoding) == "hex"   ? bytesOf(hexOf(plain))
                                                                 : bytesOf(volumeText(type, kValues));
            const auto path =
                folder.write("a.nrrd", join({bytesOf(nrrd(type, encoding, "dimension: 3\nsizes: 4 3 2\n\n")), data}));
            if (type.size == 1 || std::string(encoding) == "ascii") {
                expectValues(decodeFile(path), type, kSmall);
                continue;
            }
            const auto error = errorOf([&] { decodeFile(path); });
            ASSERT_TRUE(error);
            EXPECT_EQ(error->what(), path + ": the NRRD header lacks the field endian, which values of " +
                                         std::to_string(8 * type.size) +
                                         " bits need: add a line \"endian: little\", or \"endian: big\", before its "
                                         "empty line");
        }
    }
}

TEST(VolumeFields, NrrdSkipsAndSeveralFilesInEveryEncoding) {
    const Folder folder;
    const auto& type = kVolumeTypes[2];
    const auto plain = volumeBytes(type, kValues, true);
    const auto half = plain.begin() + kValues;  // two bytes a value
    const auto text = [](const Bytes& bytes) {
        std::string values;
        for (std::size_t i = 0; i < bytes.size(); i += 2) {
            values += std::to_string(std::to_integer<int>(bytes[i]) * 256 + std::to_integer<int>(bytes[i + 1])) + "\n";
        }
        return bytesOf(values);
    };
    const std::tuple<const char*, std::function<Bytes(Bytes)>, bool> encodings[] = {
        {"raw", [](const Bytes& b) { return b; }, false},
        {"gzip", gzipped, true},
        {"bzip2", bzipped, true},
        {"hex", [](const Bytes& b) { return bytesOf(hexOf(b)); }, false},
        {"ascii", text, false}};
    for (const auto& [encoding, packed, isPacked] : encodings) {
        SCOPED_TRACE(encoding);
        const auto head = nrrd(type, encoding, "dimension: 3\nsizes: 4 3 2\nendian: big\n");
        // Lines are skipped as they are stored, bytes of what was decompressed.
        const auto skipped = [&](const Bytes& values) {
            return isPacked ? join({bytesOf("one\n\n"), packed(join({Bytes(4), values}))})
                            : join({bytesOf("one\n\nskip"), packed(values)});
        };
        const std::string skips = "line skip: 2\nbyte skip: 4\n";
        expectValues(decodeFile(folder.write("s.nrrd", join({bytesOf(head + skips + "\n"), skipped(plain)}))), type,
                     kSmall);
        folder.write("f1", skipped({plain.begin(), half}));
        folder.write("f2", skipped({half, plain.end()}));
        for (const char* names : {"data file: LIST\nf1\nf2\n", "data file: LIST 2\nf1\nf2\n", "data file: f%d 1 2 1\n"})
            expectValues(decodeFile(folder.write("s.nhdr", bytesOf(head + skips + names))), type, kSmall);
        // More or fewer files than slices share nothing evenly.
        for (const char* names : {"data file: LIST\nf1\nf2\nf1\nf2\n", "data file: LIST\nf1\n"})
            EXPECT_TRUE(
                refuses([&] { decodeFile(folder.write("s.nhdr", bytesOf(head + skips + names))); }, Kind::unreadable));
    }
    const auto head = nrrd(type, "raw", "dimension: 3\nsizes: 4 3 2\nendian: big\nbyte skip: -1\n");
    const auto file = join({bytesOf(head + "\n"), bytesOf("whatever stands here"), plain});
    expectValues(decodeFile(folder.write("e.nrrd", file)), type, kSmall);
    folder.write("e.raw", join({Bytes(33), plain}));
    expectValues(decodeFile(folder.write("e.nhdr", bytesOf(head + "data file: e.raw\n"))), type, kSmall);
    EXPECT_TRUE(refuses(
        [&] {
            decodeFile(folder.write("e.nrrd", join({bytesOf(nrrd(type, "raw",
                                                                 "dimension: 3\nsizes: 4 3 2\nendian: "
                                                                 "big\nline skip: 3\n\n")),
                                                    plain, bytesOf("\n")})));
        },
        Kind::unreadable));
}

// ---- MetaImage

TEST(VolumeFields, MetaEveryTypeOrderCodingScaleAndUnit) {
    const Folder folder;
    int files = 0;
    for (const auto& type : kVolumeTypes) {
        for (const bool big : {false, true}) {
            const auto plain = volumeBytes(type, kValues, big);
            const std::pair<const char*, Bytes> codings[] = {
                {"", plain},
                {"CompressedData = true\n", gzipped(plain)},
                {"BinaryData = False\n", bytesOf(volumeText(type, kValues))}};
            for (const auto& [coding, data] : codings) {
                for (const auto& [slope, offset] : {std::pair{1.0, 0.0}, {0.5, -3.0}, {1.0, 8.0}, {-2.0, 0.0}}) {
                    for (const auto& [unit, mm] : {std::pair{"", 1.0}, {"DistanceUnits = um\n", 1e-3}}) {
                        SCOPED_TRACE(std::string(type.ours) + (big ? " big " : " little ") + coding + unit);
                        std::string head =
                            "ObjectType = Image\nNDims = 3\nDimSize = 4 3 2\nElementSpacing = 0.5 2 3\n"
                            "Offset = 10 20 -30\nTransformMatrix = 0 1 0 -1 0 0 0 0 1\nElementType = " +
                            std::string(type.meta) + "\n" + coding + unit +
                            (big ? "ElementByteOrderMSB = True\n" : "BinaryDataByteOrderMSB = False\n");
                        if (slope != 1) head += "ElementToIntensityFunctionSlope = " + std::to_string(slope) + "\n";
                        if (offset != 0) head += "ElementToIntensityFunctionOffset = " + std::to_string(offset) + "\n";
                        folder.write("d.bin", data);
                        const auto here = join({bytesOf(head + "ElementDataFile = LOCAL\n"), data});
                        for (const auto& path : {folder.write("a.mha", here),
                                                 folder.write("a.mhd", bytesOf(head + "ElementDataFile = d.bin\n"))}) {
                            const auto grid = decodeFile(path);
                            expectValues(grid, type, kSmall, slope, offset);
                            expectPlace(grid, {0.5 * mm, 2 * mm, 3 * mm}, {10 * mm, 20 * mm, -30 * mm},
                                        {0, -1, 0, 1, 0, 0, 0, 0, 1});
                            EXPECT_EQ(grid.metadata.notes.size(), slope != 1 || offset != 0 ? 1U : 0U);
                            ++files;
                        }
                    }
                }
            }
        }
    }
    EXPECT_EQ(files, 10 * 2 * 3 * 4 * 2 * 2);
}

TEST(VolumeFields, MetaPlacesOfTheValues) {
    const Folder folder;
    const auto& type = kVolumeTypes[2];
    const auto plain = volumeBytes(type, kValues, false);
    const std::string head = "NDims = 3\nDimSize = 4 3 2\nElementType = MET_USHORT\n";
    const std::string local = "ElementDataFile = LOCAL\n";
    const auto reads = [&](const std::string& fields, const Bytes& rest) {
        expectValues(decodeFile(folder.write("a.mha", join({bytesOf(head + fields), rest}))), type, kSmall);
    };
    // The values are the end of the file, whatever stands before them.
    reads("HeaderSize = -1\n" + local, plain);
    reads("HeaderSize = -1\n" + local, join({Bytes(31), plain}));
    const auto packed = gzipped(plain);
    reads(
        "HeaderSize = -1\nCompressedData = True\nCompressedDataSize = " + std::to_string(packed.size()) + "\n" + local,
        join({Bytes(31), packed}));
    EXPECT_TRUE(refuses([&] { reads("HeaderSize = -1\nCompressedData = True\n" + local, packed); }, Kind::unsupported,
                        "HeaderSize = -1"));
    // From the beginning of the file on.
    const std::string from = "HeaderSize = 200\n";
    reads(from + local, join({Bytes(200 - head.size() - from.size() - local.size()), plain}));
    EXPECT_TRUE(refuses([&] { reads("HeaderSize = 9\n" + local, plain); }, Kind::unreadable, "HeaderSize"));
    for (const bool compressed : {false, true}) {
        const auto stored = [&](const Bytes& bytes) {
            return compressed ? join({Bytes(5), gzipped(bytes)}) : join({Bytes(5), bytes});
        };
        folder.write("s1", stored({plain.begin(), plain.begin() + kValues}));
        folder.write("s2", stored({plain.begin() + kValues, plain.end()}));
        const std::string fields =
            std::string("HeaderSize = 5\nCompressedData = ") + (compressed ? "True\n" : "False\n");
        for (const char* names : {"LIST\ns1\ns2\n", "LIST\n./s1\ns2", "LIST 2\ns1\ns2\n", "s%d 1 2 1\n"})
            reads(fields + "ElementDataFile = " + names, {});
        EXPECT_TRUE(refuses([&] { reads(fields + "ElementDataFile = LIST\ns1\ns2\ns1\ns2\n", {}); }, Kind::unreadable));
    }
    EXPECT_TRUE(refuses([&] { reads("HeaderSizesPerDataFile = 1 2\n" + local, plain); }, Kind::unsupported));
}

TEST(VolumeFields, MetaSpacingByItsOtherNamesAndAMatrixThatStretches) {
    const Folder folder;
    const auto read = [&](const std::string& fields) {
        return decodeFile(folder.write("a.mha", join({bytesOf("NDims = 2\nDimSize = 2 2\n" + fields +
                                                              "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n"),
                                                      Bytes(4)})));
    };
    expectPlace(read("ElementSize = 2 3\nPosition = 4 5\n"), {2, 3, 1}, {4, 5, 0}, kIdentity);
    expectPlace(read("ElementSize = 2 3\nElementSpacing = 6 7\nOrigin = 4 5\n"), {6, 7, 1}, {4, 5, 0}, kIdentity);
    expectPlace(read("ElementSpacing = 6 7\nOrientation = 0 2 -1 0\n"), {12, 7, 1}, {0, 0, 0},
                {0, -1, 0, 1, 0, 0, 0, 0, 1});
    expectPlace(read("ElementSpacing = 6 7\nDistanceUnits = cm\n"), {60, 70, 1}, {0, 0, 0}, kIdentity);
    EXPECT_EQ(notesWith(read("CenterOfRotation = 0 0\n"), "Center"), 0);
    EXPECT_EQ(notesWith(read("CenterOfRotation = 0 1\n"), "CenterOfRotation is not used"), 1);
    const auto still = read("ElementToIntensityFunctionSlope = 0\nElementToIntensityFunctionOffset = 3\n");
    EXPECT_EQ(still.value(0, 0), 0);
    EXPECT_EQ(notesWith(still, "Slope is 0"), 1);
}

// ---- NIfTI

struct NiftiFile {
    int version = 1;
    bool big = false;
    VolumeType type = kVolumeTypes[0];
    std::vector<int> sizes{4, 3, 2};
    int code = 0, values = 1;  ///< another datatype, of so many values a pixel
    double slope = 0, intercept = 0;
    int units = 2, qform = 0, sform = 0, intent = 0;
    Triple quatern{}, offset{};
    std::array<double, 4> pixdim{1, 1, 1, 1};
    std::array<double, 12> srow{};
    double voxOffset = -1;  ///< -1: where the values are

    Bytes with(const Bytes& data) const {
        const bool two = version == 2;
        Bytes head(two ? 544 : 352);
        const auto put = [&](std::size_t at, std::uint64_t bits, std::size_t size) {
            auto bytes = little(bits, size);
            if (big) std::reverse(bytes.begin(), bytes.end());
            std::copy(bytes.begin(), bytes.end(), head.begin() + static_cast<std::ptrdiff_t>(at));
        };
        const auto whole = [&](std::size_t one, std::size_t sizeOne, std::size_t other, std::size_t sizeOther,
                               int value) {
            put(two ? other : one, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)),
                two ? sizeOther : sizeOne);
        };
        const auto real = [&](std::size_t one, std::size_t other, std::size_t i, double value) {
            if (two) put(other + 8 * i, std::bit_cast<std::uint64_t>(value), 8);
            if (!two) put(one + 4 * i, std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4);
        };
        whole(0, 4, 0, 4, two ? 540 : 348);
        const auto magic = bytesOf(two ? "n+2" : "n+1");
        std::copy(magic.begin(), magic.end(), head.begin() + (two ? 4 : 344));
        whole(40, 2, 16, 8, static_cast<int>(sizes.size()));
        for (std::size_t i = 0; i < 7; ++i) whole(42 + 2 * i, 2, 24 + 8 * i, 8, i < sizes.size() ? sizes[i] : 1);
        whole(70, 2, 12, 2, code == 0 ? type.nifti : code);
        whole(72, 2, 14, 2, static_cast<int>(8 * type.size) * values);
        for (std::size_t i = 0; i < 4; ++i) real(76, 104, i, pixdim[i]);
        const auto begin = voxOffset >= 0 ? voxOffset : static_cast<double>(head.size());
        if (two) put(168, static_cast<std::uint64_t>(begin), 8);
        if (!two) real(108, 0, 0, begin);
        real(112, 176, 0, slope);
        real(116, 184, 0, intercept);
        whole(123, 1, 500, 4, units);
        whole(252, 2, 344, 4, qform);
        whole(254, 2, 348, 4, sform);
        whole(68, 2, 504, 4, intent);
        for (std::size_t i = 0; i < 3; ++i) real(256, 352, i, quatern[i]);
        for (std::size_t i = 0; i < 3; ++i) real(268, 376, i, offset[i]);
        for (std::size_t i = 0; i < 12; ++i) real(280, 400, i, srow[i]);
        return join({head, data});
    }
};

TEST(VolumeFields, NiftiEveryVersionTypeOrderCodingAndScale) {
    const Folder folder;
    int files = 0;
    const double nan = std::nan("");
    // Slope, intercept, and what they make of a value: a slope of 0 or of no number means that nothing is scaled.
    const std::array<std::array<double, 4>, 7> scales{
        {{0, 0, 1, 0}, {1, 0, 1, 0}, {0.5, -3, 0.5, -3}, {-2, 0, -2, 0}, {1, 8, 1, 8}, {0, 7, 1, 0}, {nan, nan, 1, 0}}};
    for (const int version : {1, 2}) {
        for (const auto& type : kVolumeTypes) {
            for (const bool big : {false, true}) {
                for (const auto& [slope, intercept, factor, added] : scales) {
                    for (const bool packed : {false, true}) {
                        SCOPED_TRACE(std::string(type.ours) + (big ? " big " : " little ") + std::to_string(version) +
                                     " " + std::to_string(slope));
                        NiftiFile nifti{.version = version, .big = big, .type = type};
                        nifti.slope = slope;
                        nifti.intercept = intercept;
                        nifti.sform = 1;
                        nifti.srow = {-0.5, 0, 0, 10, 0, 2, 0, 20, 0, 0, 3, 30};
                        const auto file = nifti.with(volumeBytes(type, kValues, big));
                        const auto grid =
                            decodeFile(packed ? folder.write("a.nii.gz", gzipped(file)) : folder.write("a.nii", file));
                        expectValues(grid, type, kSmall, factor, added);
                        expectPlace(grid, {0.5, 2, 3}, {-10, -20, 30}, {1, 0, 0, 0, -1, 0, 0, 0, 1}, 1e-7);
                        EXPECT_EQ(notesWith(grid, "scl_slope"), std::isnan(slope));
                        EXPECT_EQ(grid.metadata.notes.size(), std::isnan(slope) || factor != 1 || added != 0 ? 1U : 0U);
                        ++files;
                    }
                }
            }
        }
    }
    EXPECT_EQ(files, 2 * 10 * 2 * 7 * 2);
}

TEST(VolumeFields, NiftiFormsAndUnits) {
    const Folder folder;
    const Bytes data(24);
    for (const int version : {1, 2}) {
        for (const bool big : {false, true}) {
            for (const auto& [units, mm] : {std::pair{0, 1.0}, {1, 1000.0}, {2, 1.0}, {3, 1e-3}, {8 + 3, 1e-3}}) {
                SCOPED_TRACE(std::to_string(version) + (big ? " big " : " little ") + std::to_string(units));
                NiftiFile nifti{.version = version, .big = big};
                nifti.units = units;
                nifti.pixdim = {-1, 2, 3, 4};
                // A quarter turn about z: x goes to y, y to -x; qfac turns z around.
                nifti.quatern = {0, 0, std::sqrt(0.5)};
                nifti.offset = {5, 6, 7};
                nifti.srow = {0, 0, 0.5, 1, 1.5, 0, 0, 2, 0, 2.5, 0, 3};
                const auto read = [&](int qform, int sform) {
                    nifti.qform = qform;
                    nifti.sform = sform;
                    return decodeFile(folder.write("a.nii", nifti.with(data)));
                };
                const double near = version == 1 ? 1e-6 : 1e-12;
                const auto none = read(0, 0);
                expectPlace(none, {2 * mm, 3 * mm, 4 * mm}, {0, 0, 0}, kIdentity, near);
                EXPECT_EQ(notesWith(none, "how the volume lies"), 1);
                const auto q = read(1, 0);
                expectPlace(q, {2 * mm, 3 * mm, 4 * mm}, {-5 * mm, -6 * mm, 7 * mm}, {0, 1, 0, -1, 0, 0, 0, 0, -1},
                            near);
                EXPECT_TRUE(q.metadata.notes.empty());
                for (const int code : {1, 2, 4}) {
                    const auto s = read(0, code);
                    const Matrix direction{0, 0, -1, -1, 0, 0, 0, 1, 0};
                    expectPlace(s, {1.5 * mm, 2.5 * mm, 0.5 * mm}, {-1 * mm, -2 * mm, 3 * mm}, direction, near);
                    EXPECT_TRUE(s.metadata.notes.empty());
                    const auto both = read(1, code);
                    EXPECT_EQ(both.geometry, s.geometry);
                    EXPECT_EQ(notesWith(both, "qform places the volume elsewhere"), 1);
                }
                // Where both say the same, there is nothing to tell.
                nifti.srow = {0, -3, 0, 5, 2, 0, 0, 6, 0, 0, -4, 7};
                const auto same = read(1, 1);
                expectPlace(same, q.geometry.spacing, q.geometry.origin, q.geometry.direction, 1e-6);
                EXPECT_TRUE(same.metadata.notes.empty());
                // A matrix with an axis of no length places nothing.
                nifti.srow[0] = nifti.srow[4] = 0;
                const auto flat = read(1, 1);
                EXPECT_EQ(flat.geometry, q.geometry);
                EXPECT_EQ(notesWith(flat, "no length"), 1);
            }
        }
    }
}

TEST(VolumeFields, NiftiOfTwoDimensionsKeepsWhatIsSaidOfThem) {
    const Folder folder;
    for (const int version : {1, 2}) {
        for (const float third : {0.0F, 5.0F}) {
            NiftiFile nifti{.version = version};
            nifti.sizes = {4, 3};
            nifti.pixdim = {1, 0.5, 2, third};
            nifti.srow = {0, 0.25, 0, 1, 4, 0, 0, 2, 0, 0, third, 0};
            const auto read = [&](int qform, int sform) {
                nifti.qform = qform;
                nifti.sform = sform;
                return decodeFile(folder.write("a.nii", nifti.with(Bytes(12)))).geometry;
            };
            EXPECT_EQ(read(0, 0).spacing, (Triple{0.5, 2, third == 0 ? 1.0 : 5.0}));
            EXPECT_EQ(read(1, 0).spacing, (Triple{0.5, 2, third == 0 ? 1.0 : 5.0}));
            const auto s = read(0, 1);
            EXPECT_EQ(s.spacing, (Triple{4, 0.25, third == 0 ? 1.0 : 5.0}));
            EXPECT_EQ(s.direction, (Matrix{0, -1, 0, -1, 0, 0, 0, 0, third == 0 ? -1.0 : 1.0}));
        }
    }
}

TEST(VolumeFields, WhatFollowsPlainValuesIsSaid) {
    const Folder folder;
    const auto& type = kVolumeTypes[0];
    const auto values = join({volumeBytes(type, kValues, false), Bytes(5)});
    NiftiFile nifti;
    for (const auto& path :
         {folder.write("a.nrrd", join({bytesOf(nrrd(type, "raw", "dimension: 3\nsizes: 4 3 2\n\n")), values})),
          folder.write("a.mha", join({bytesOf("NDims = 3\nDimSize = 4 3 2\nElementType = MET_UCHAR\n"
                                              "ElementDataFile = LOCAL\n"),
                                      values})),
          folder.write("a.nii", nifti.with(values))}) {
        const auto grid = decodeFile(path);
        expectValues(grid, type, kSmall);
        EXPECT_EQ(notesWith(grid, "5 bytes after its values were not read"), 1) << path;
    }
}

TEST(VolumeFields, NiftiAxesColoursAndComplexNumbers) {
    const Folder folder;
    Bytes data;
    for (int i = 0; i < 72; ++i) data.push_back(static_cast<std::byte>(3 * i + 1));
    for (const int version : {1, 2}) {
        NiftiFile nifti{.version = version};
        nifti.sizes = {4, 3, 2, 1, 3};
        // A vector, as five dimensions hold it, is frames; colours of such a file are colours.
        for (const auto& [intent, colour] : {std::pair{0, false}, {1007, false}, {2003, true}}) {
            nifti.intent = intent;
            const auto path = folder.write("v.nii", nifti.with(data));
            const auto grid = decodeFile(path, colour ? 1 : 3);
            ASSERT_EQ(grid.shape(), (io::Shape{4, 3, 2, colour ? 3 : 1}));
            for (int i = 0; i < 24; ++i)
                EXPECT_EQ(grid.value(i % 4, i / 4 % 3, i / 12, colour ? 2 : 0), 3 * (48 + i) + 1);
        }
        nifti.intent = 0;
        nifti.sizes = {4, 3, 2};
        // Of colours no standard scales any.
        nifti.slope = 5;
        nifti.code = 128;
        nifti.values = 3;
        const auto rgb = decodeFile(folder.write("c.nii", nifti.with(data)));
        ASSERT_EQ(rgb.shape(), (io::Shape{4, 3, 2, 3}));
        for (int i = 0; i < 72; ++i) EXPECT_EQ(rgb.value(i / 3 % 4, i / 12 % 3, i / 36, i % 3), 3 * i + 1);
        nifti.code = 2304;
        nifti.values = 4;
        EXPECT_EQ(decodeFile(folder.write("c.nii", nifti.with(join({data, data})))).value(1, 0, 0, 2), 3 * 6 + 1);
        // Real and imaginary parts are frames, of each of the file's own.
        nifti = {.version = version, .type = kVolumeTypes[8]};
        nifti.sizes = {2, 2, 1, 3};
        nifti.code = 32;
        nifti.values = 2;
        nifti.slope = 2;
        const auto complex = folder.write("z.nii", nifti.with(volumeBytes(kVolumeTypes[8], 24, false)));
        for (int frame = 0; frame < 6; ++frame) {
            const auto grid = decodeFile(complex, frame + 1);
            EXPECT_EQ(grid.metadata.pages, 6);
            for (int i = 0; i < 4; ++i)
                EXPECT_EQ(grid.value(i % 2, i / 2),
                          2 * volumeValue(kVolumeTypes[8], 8 * (frame / 2) + 2 * i + frame % 2));
        }
        nifti.intercept = 1;
        EXPECT_TRUE(
            refuses([&] { decodeFile(folder.write("z.nii", nifti.with(Bytes(96)))); }, Kind::unsupported, "scl_inter"));
    }
}

TEST(VolumeFields, NiftiOffsetsAndScalesThatAreNone) {
    const Folder folder;
    for (const int version : {1, 2}) {
        for (const bool packed : {false, true}) {
            NiftiFile nifti{.version = version, .type = kVolumeTypes[2]};
            const auto data = volumeBytes(nifti.type, kValues, false);
            const auto read = [&](const Bytes& file) {
                return decodeFile(packed ? folder.write("a.nii.gz", gzipped(file)) : folder.write("a.nii", file));
            };
            nifti.voxOffset = 0;
            const auto grid = read(nifti.with(data));
            expectValues(grid, nifti.type, kSmall);
            EXPECT_EQ(notesWith(grid, version == 1 ? "from byte 352 on" : "from byte 544 on"), 1);
            // Where more follows the header, nobody knows where that ends.
            auto extended = nifti.with(data);
            extended[version == 1 ? 348 : 540] = std::byte{1};
            EXPECT_TRUE(refuses([&] { read(extended); }, Kind::unreadable, "vox_offset"));
            nifti.voxOffset = 17;
            EXPECT_TRUE(refuses([&] { read(nifti.with(data)); }, Kind::unreadable, "vox_offset"));
            nifti.voxOffset = version == 1 ? 368 : 560;
            expectValues(read(nifti.with(join({Bytes(16), data}))), nifti.type, kSmall);
            nifti.voxOffset = -1;
            nifti.slope = 1;
            nifti.intercept = std::nan("");
            EXPECT_TRUE(refuses([&] { read(nifti.with(data)); }, Kind::unreadable, "scl_inter"));
            nifti = {.version = version, .type = kVolumeTypes[9]};
            nifti.slope = 1e30;
            EXPECT_TRUE(refuses(
                [&] {
                    read(nifti.with(volumeBytes(nifti.type, 1e20, false).size() == 8
                                        ? join({volumeBytes(nifti.type, 1e20, false), Bytes(23 * 8)})
                                        : Bytes()));
                },
                Kind::unsupported, "beyond the range of f32"));
        }
    }
}

// ---- Damage

/// Every bit of the compressed part, one at a time: an error, or the very same volume.
void flipEveryBit(const Folder& folder, const std::string& written, std::size_t from, const std::string& read) {
    const auto path = folder.path() / written;
    const auto whole = readFile(path);
    const auto sound = decodeFile((folder.path() / read).string());
    int refused = 0;
    for (std::size_t bit = 8 * from; bit < 8 * whole.size(); ++bit) {
        auto harmed = whole;
        harmed[bit / 8] ^= std::byte{1} << (bit % 8);
        folder.write(written, harmed);
        io::Grid grid;
        if (const auto error = errorOf([&] { grid = decodeFile((folder.path() / read).string()); })) {
            EXPECT_NE(error->kind(), Kind::argument) << error->what();
            ++refused;
            continue;
        }
        ASSERT_TRUE(sameValues(grid, sound)) << read << ": bit " << bit % 8 << " of byte " << bit / 8;
        ASSERT_EQ(grid.geometry, sound.geometry) << read << ": bit " << bit % 8 << " of byte " << bit / 8;
    }
    EXPECT_GT(refused, static_cast<int>(7 * (whole.size() - from))) << read;
    folder.write(written, whole);
}

TEST(VolumeFields, NoFlippedBitOfACompressedVolumeChangesIt) {
    const Folder folder;
    const auto& type = kVolumeTypes[2];
    const auto plain = volumeBytes(type, kValues, false);
    const auto head = [&](const char* encoding) {
        return bytesOf(nrrd(type, encoding, "dimension: 3\nsizes: 4 3 2\nendian: little\n\n"));
    };
    const std::string meta = "NDims = 3\nDimSize = 4 3 2\nElementType = MET_USHORT\nCompressedData = True\n";
    const auto attached = [&](const std::string& name, const Bytes& header, const Bytes& data) {
        folder.write(name, join({header, data}));
        flipEveryBit(folder, name, header.size(), name);
    };
    attached("a.nrrd", head("gzip"), gzipped(plain));
    attached("b.nrrd", head("bzip2"), bzipped(plain));
    attached("c.mha", bytesOf(meta + "ElementDataFile = LOCAL\n"), gzipped(plain));
    folder.write("d.gz", gzipped(plain));
    folder.write("d.nhdr",
                 bytesOf(nrrd(type, "gzip", "dimension: 3\nsizes: 4 3 2\nendian: little\ndata file: d.gz\n")));
    flipEveryBit(folder, "d.gz", 0, "d.nhdr");
    folder.write("d.mhd", bytesOf(meta + "ElementDataFile = d.gz\n"));
    flipEveryBit(folder, "d.gz", 0, "d.mhd");
    for (const int version : {1, 2}) {
        NiftiFile nifti{.version = version, .type = type};
        nifti.sizes = {4, 3, 1, 2};
        folder.write("e.nii.gz", gzipped(nifti.with(plain)));
        flipEveryBit(folder, "e.nii.gz", 0, "e.nii.gz");
    }
}

TEST(VolumeFields, AStreamOfAFewBytesTooManyIsReadToItsChecksum) {
    const Folder folder;
    const auto& type = kVolumeTypes[2];
    const auto plain = volumeBytes(type, kValues, false);
    NiftiFile nifti{.type = type};
    const auto files = [&](std::size_t more) {
        const auto packed = gzipped(join({plain, Bytes(more)}));
        return std::array<std::pair<std::string, Bytes>, 3>{
            {{"a.nrrd", join({bytesOf(nrrd(type, "gzip", "dimension: 3\nsizes: 4 3 2\nendian: little\n\n")), packed})},
             {"a.mha", join({bytesOf("NDims = 3\nDimSize = 4 3 2\nElementType = MET_USHORT\nCompressedData = True\n"
                                     "ElementDataFile = LOCAL\n"),
                             packed})},
             {"a.nii.gz", gzipped(nifti.with(join({plain, Bytes(more)})))}}};
    };
    for (const std::size_t more : {0U, 1U, 7U, 3'000'000U}) {
        for (auto [name, file] : files(more)) {
            SCOPED_TRACE(name + " " + std::to_string(more));
            const auto path = folder.write(name, file);
            // The header of a NIfTI is part of its stream, so that the checksum speaks for it as well.
            if (more == 0 || name == "a.nii.gz") {
                expectValues(decodeFile(path), type, kSmall);
            } else {
                EXPECT_TRUE(refuses([&] { decodeFile(path); }, Kind::unreadable, "more than the 48 bytes"));
            }
            file[file.size() - 8] ^= std::byte{1};  // the checksum
            folder.write(name, file);
            EXPECT_TRUE(
                refuses([&] { decodeFile(path); }, Kind::unreadable, more == 0 || name == "a.nii.gz" ? "corrupt" : ""));
        }
    }
}

}  // namespace
}  // namespace warplens::test
