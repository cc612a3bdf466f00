// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "io/codecs/length_unit.hpp"
#include "tests/io/support/fixtures.hpp"

#include <tiffio.h>

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;

constexpr int kWidth = 5;
constexpr int kHeight = 3;

double valueAt(int plane, int x, int y) { return plane * 1000 + y * 10 + x; }

struct Options {
    const char* mode = "wl";
    float resolutionX = 0, resolutionY = 0;
    int unit = RESUNIT_NONE;
    bool oneDirectory = false;
};

/// Planes of 16-bit values, the number of its page in each, with a text in the first.
Bytes makePlanes(int planes, const std::string& text, const Options& o = {}) {
    auto file = makeTiff(o.mode, [&](void* handle) {
        auto* tiff = static_cast<TIFF*>(handle);
        for (int plane = 0; plane < (o.oneDirectory ? 1 : planes); ++plane) {
            TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kWidth);
            TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kHeight);
            TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
            TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, kHeight);
            if (plane == 0) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, text.c_str());
            if (o.resolutionX > 0) {
                TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, o.unit);
                TIFFSetField(tiff, TIFFTAG_XRESOLUTION, o.resolutionX);
                TIFFSetField(tiff, TIFFTAG_YRESOLUTION, o.resolutionY);
            }
            std::array<std::uint16_t, kWidth * kHeight> values{};
            for (int i = 0; i < kWidth * kHeight; ++i)
                values[static_cast<std::size_t>(i)] =
                    static_cast<std::uint16_t>(valueAt(plane, i % kWidth, i / kWidth));
            TIFFWriteEncodedStrip(tiff, 0, values.data(), sizeof(values));
            TIFFWriteDirectory(tiff);
        }
    });
    if (!o.oneDirectory) return file;
    // The directory's strip is moved to the end, and the other planes follow it.
    const bool big = o.mode[1] == 'b';
    const auto number = [&](std::uint64_t value, std::size_t size) {
        auto bytes = little(value, size);
        if (big) std::reverse(bytes.begin(), bytes.end());
        return bytes;
    };
    const auto offsets = join({number(273, 2), number(4, 2), number(1, 4)});
    const auto found = std::search(file.begin(), file.end(), offsets.begin(), offsets.end());
    if (found == file.end()) return {};
    const auto place = number(file.size(), 4);
    std::copy(place.begin(), place.end(), found + 8);
    for (int plane = 0; plane < planes; ++plane) {
        for (int i = 0; i < kWidth * kHeight; ++i) {
            const auto value = number(static_cast<std::uint64_t>(valueAt(plane, i % kWidth, i / kWidth)), 2);
            file.insert(file.end(), value.begin(), value.end());
        }
    }
    return file;
}

io::Grid decode(const Bytes& file, int frame = 0) {
    io::codecs::Source source;
    source.file = file;
    source.fileBytes = static_cast<std::int64_t>(file.size());
    source.where = "planes.tif";
    source.frame = frame;
    return io::codecs::identify(file)->decode(source);
}

/// Every value is that of the plane that `planeOf(slice, channel)` names.
template <class PlaneOf>
void expectPlanes(const io::Grid& grid, const io::Shape& shape, PlaneOf planeOf) {
    ASSERT_EQ(grid.shape(), shape);
    int wrong = 0;
    for (int z = 0; z < shape.depth; ++z) {
        for (int y = 0; y < kHeight; ++y) {
            for (int x = 0; x < kWidth; ++x) {
                for (int c = 0; c < shape.channels; ++c)
                    wrong += grid.value(x, y, z, c) != valueAt(static_cast<int>(planeOf(z, c)), x, y);
            }
        }
    }
    EXPECT_EQ(wrong, 0);
}

std::string imageJ(int channels, int slices, int frames, const std::string& more = "") {
    return "ImageJ=1.53t\nimages=" + std::to_string(channels * slices * frames) +
           "\nchannels=" + std::to_string(channels) + "\nslices=" + std::to_string(slices) +
           "\nframes=" + std::to_string(frames) + "\nhyperstack=true\n" + more;
}

/// Each volume of the stack is read as the numbers say, whatever axis varies fastest.
void expectVolumes(const Bytes& file, const std::string& order, int channels, int slices, int times) {
    const auto plane = [&](int c, int z, int t) {
        int stride = 1;
        int place = 0;
        for (const char axis : order) {
            place += stride * (axis == 'C' ? c : axis == 'Z' ? z : t);
            stride *= axis == 'C' ? channels : axis == 'Z' ? slices : times;
        }
        return place;
    };
    const bool colours = channels == 3;
    const bool movie = slices == 1 && times > 1;
    const int volumes = (colours ? 1 : channels) * (movie ? 1 : times);
    for (int volume = 0; volume < volumes; ++volume) {
        if (volumes == 1 && !colours && volume > 0) continue;
        const int channel = colours ? 0 : volume % channels;
        const int time = colours ? volume : volume / channels;
        const auto grid = decode(file, volumes > 1 ? volume + 1 : 0);
        const io::Shape shape{kWidth, kHeight, movie ? times : slices, colours ? 3 : 1};
        expectPlanes(grid, shape,
                     [&](int z, int c) { return plane(colours ? c : channel, movie ? 0 : z, movie ? z : time); });
        EXPECT_EQ(grid.metadata.pages, volumes > 1 ? volumes : shape.depth);
    }
    if (volumes > 1) {
        expectPlanes(decode(file), {kWidth, kHeight, movie ? times : slices, colours ? 3 : 1},
                     [&](int z, int c) { return plane(colours ? c : 0, movie ? 0 : z, movie ? z : 0); });
        EXPECT_TRUE(refuses([&] { decode(file, volumes + 1); }, Kind::argument, "choose 1 to"));
    }
}

constexpr std::array<std::array<int, 3>, 9> kExtents{
    {{1, 4, 1}, {2, 3, 1}, {3, 2, 1}, {4, 2, 2}, {3, 2, 2}, {1, 3, 2}, {2, 1, 3}, {1, 1, 5}, {3, 1, 1}}};

TEST(TiffPlanes, ImageJStacksInPagesAndInOneDirectory) {
    for (const auto& [channels, slices, times] : kExtents) {
        for (const char* mode : {"wl", "wb"}) {
            for (const bool one : {false, true}) {
                SCOPED_TRACE(std::to_string(channels) + ' ' + std::to_string(slices) + ' ' + std::to_string(times) +
                             mode + (one ? " one directory" : " pages"));
                const auto file = makePlanes(channels * slices * times, imageJ(channels, slices, times),
                                             {.mode = mode, .oneDirectory = one});
                expectVolumes(file, "CZT", channels, slices, times);
            }
        }
    }
}

std::string ome(const std::string& order, const std::array<int, 3>& extents, const std::string& more = "",
                const std::string& inside = "<TiffData/>") {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- <Pixels SizeC=\"9\"> --><OME "
           "xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\" "
           "DimensionOrder=\"XY" +
           order + "\" Type=\"uint16\" SizeX=\"5\" SizeY=\"3\" SizeC=\"" + std::to_string(extents[0]) + "\" SizeZ='" +
           std::to_string(extents[1]) + "' SizeT=\"" + std::to_string(extents[2]) + "\" " + more + ">" + inside +
           "</Pixels></Image></OME>";
}

TEST(TiffPlanes, OmeStacksInEveryDimensionOrder) {
    for (const auto& extents : kExtents) {
        const auto& [channels, slices, times] = extents;
        for (const char* order : {"CZT", "CTZ", "ZCT", "ZTC", "TCZ", "TZC"}) {
            SCOPED_TRACE(std::to_string(channels) + ' ' + std::to_string(slices) + ' ' + std::to_string(times) + order);
            expectVolumes(makePlanes(channels * slices * times, ome(order, extents)), order, channels, slices, times);
        }
    }
}

TEST(TiffPlanes, OmePlanesWhereTiffDataPutsThem) {
    // Slices backwards, and the first page is of another image.
    std::string inside;
    for (int z = 0; z < 3; ++z) {
        for (int c = 0; c < 2; ++c)
            inside += "<TiffData IFD=\"" + std::to_string(6 - 2 * z - c) + "\" FirstZ=\"" + std::to_string(z) +
                      "\" FirstC=\"" + std::to_string(c) + "\"/>";
    }
    const auto file = makePlanes(7, ome("CZT", {2, 3, 1}, "", inside));
    expectPlanes(decode(file, 2), {kWidth, kHeight, 3, 1}, [](int z, int) { return 5 - 2 * z; });
    // A page that is named is one plane, whatever stands after it.
    inside.clear();
    for (int z = 2; z >= 0; --z)
        inside += "<TiffData IFD=\"" + std::to_string(2 * z % 3) + "\" FirstZ=\"" + std::to_string(z) + "\"/>";
    expectPlanes(decode(makePlanes(3, ome("CZT", {1, 3, 1}, "", inside))), {kWidth, kHeight, 3, 1},
                 [](int z, int) { return 2 * z % 3; });
    // Two channels in each page are one plane.
    const std::string both = "<Channel SamplesPerPixel=\"2\"/><TiffData/>";
    const auto pairs = decode(makePlanes(3, ome("CZT", {2, 3, 1}, "", both)));
    expectPlanes(pairs, {kWidth, kHeight, 3, 1}, [](int z, int) { return z; });
    EXPECT_TRUE(pairs.metadata.notes.empty());
    // Planes that are not here: the pages are as they are, and a note says why.
    const auto part = decode(makePlanes(4, ome("CZT", {2, 3, 1})));
    expectPlanes(part, {kWidth, kHeight, 4, 1}, [](int z, int) { return z; });
    ASSERT_EQ(part.metadata.notes.size(), 1U);
    EXPECT_NE(part.metadata.notes[0].find("not all of which are here"), std::string::npos);
}

void expectSpacing(const io::Grid& grid, double x, double y, double z) {
    EXPECT_NEAR(grid.geometry.spacing[0], x, 1e-12 * x);
    EXPECT_NEAR(grid.geometry.spacing[1], y, 1e-12 * y);
    EXPECT_NEAR(grid.geometry.spacing[2], z, 1e-12 * z);
}

TEST(TiffPlanes, SizesComeInMillimetresWhateverTheUnit) {
    const std::pair<const char*, double> units[] = {
        {"um", 1e-3}, {"micron", 1e-3},   {"\xc2\xb5m", 1e-3}, {"\\u00B5m", 1e-3}, {"\xb5m", 1e-3},
        {"nm", 1e-6}, {"mm", 1},          {"cm", 10},          {"inch", 25.4},     {"inches", 25.4},
        {"m", 1000},  {"Millimetres", 1}, {"feet", 304.8},     {"\xc3\x85", 1e-7}, {"micrometers", 1e-3}};
    for (const auto& [unit, mm] : units) {
        // ImageJ's unit counts, whatever the tag's is.
        for (const int tag : {RESUNIT_NONE, RESUNIT_INCH, RESUNIT_CENTIMETER}) {
            const auto text = imageJ(1, 4, 1, std::string("spacing=1.5\nunit=") + unit + "\nxorigin=2\n");
            const auto grid = decode(makePlanes(4, text, {.resolutionX = 4, .resolutionY = 8, .unit = tag}));
            expectSpacing(grid, mm / 4, mm / 8, 1.5 * mm);
            EXPECT_NEAR(grid.geometry.origin[0], -2 * mm / 4, 1e-12 * mm);
            EXPECT_TRUE(grid.metadata.notes.empty()) << unit;
        }
        const auto named = [&](const char* axis) {
            const std::string physical = std::string("PhysicalSize") + axis;
            return physical + "=\"0.25\" " + physical + "Unit=\"" + (unit[0] == '\\' ? "&#181;m" : unit) + "\" ";
        };
        expectSpacing(decode(makePlanes(4, ome("CZT", {1, 4, 1}, named("X") + named("Y") + named("Z")))), mm / 4,
                      mm / 4, mm / 4);
    }
    expectSpacing(decode(makePlanes(
                      4, ome("CZT", {1, 4, 1}, "PhysicalSizeX=\"0.5\" PhysicalSizeY=\"0.25\" PhysicalSizeZ=\"2\""))),
                  5e-4, 2.5e-4, 2e-3);
    // What ImageJ takes where only the unit is said.
    const auto unsaid =
        decode(makePlanes(5, "ImageJ=1.53t\nimages=5\nslices=5\nunit=micron\n", {.oneDirectory = true}));
    expectSpacing(unsaid, 1e-3, 1e-3, 1e-3);
    EXPECT_EQ(unsaid.metadata.notes.size(), 2U);
    // No length: no size, and a word about it where it is meant as one.
    expectSpacing(
        decode(makePlanes(4, imageJ(1, 4, 1, "spacing=2\nunit=pixel\n"), {.resolutionX = 1, .resolutionY = 1})), 1, 1,
        1);
    const auto odd = decode(makePlanes(4, imageJ(1, 4, 1, "spacing=2\nunit=furlong\n")));
    expectSpacing(odd, 1, 1, 1);
    ASSERT_EQ(odd.metadata.notes.size(), 1U);
    EXPECT_NE(odd.metadata.notes[0].find("'furlong'"), std::string::npos);
}

TEST(TiffPlanes, ImageJsCalibrationGivesTheValues) {
    const auto line = decode(makePlanes(2, imageJ(1, 2, 1, "cf=0\nc0=-3.5\nc1=0.5\n")));
    EXPECT_EQ(line.type(), PixelType::f32);
    EXPECT_EQ(line.sourceType(), "u16");
    EXPECT_EQ(line.value(2, 1, 1), 0.5 * valueAt(1, 2, 1) - 3.5);
    EXPECT_EQ(line.metadata.notes.size(), 1U);
    const auto cancelling = decode(makePlanes(2, imageJ(1, 2, 1, "cf=0\nc0=-101.2\nc1=0.1\n")));
    EXPECT_EQ(cancelling.value(2, 1, 1), static_cast<double>(static_cast<float>(0.1 * valueAt(1, 2, 1) - 101.2)));
    const auto isSigned = decode(makePlanes(2, imageJ(1, 2, 1, "cf=0\nc0=-32768\nc1=1\n")));
    EXPECT_EQ(isSigned.sourceType(), "i16");
    EXPECT_EQ(isSigned.value(2, 1, 1), valueAt(1, 2, 1) - 32768);
    const auto curve = decode(makePlanes(2, imageJ(1, 2, 1, "cf=4\nc0=1\nc1=2\n")));
    EXPECT_EQ(curve.value(2, 1, 1), valueAt(1, 2, 1));
    EXPECT_EQ(curve.metadata.notes.size(), 1U);
}

TEST(TiffPlanes, DescriptionsThatDoNotFitTheFileAreNotBelieved) {
    for (const auto& text :
         {imageJ(2, 3, 1), imageJ(1, 9, 1), std::string("ImageJ=1\nimages=99999999999999999999"),
          std::string("ImageJ=\nimages=-4\nchannels=x\n"), ome("CZZ", {2, 2, 1}),
          ome("CZT", {1 << 30, 1 << 30, 1 << 30}), std::string("<OME"), std::string("<OME><Pixels"),
          std::string("<OME><Pixels SizeC="), std::string("{\"shape\": [9], \"truncated\": true}")}) {
        expectPlanes(decode(makePlanes(4, text)), {kWidth, kHeight, 4, 1}, [](int z, int) { return z; });
    }
    // A file that was cut off: nothing is made up.
    auto cut = makePlanes(5, imageJ(1, 5, 1), {.oneDirectory = true});
    cut.resize(cut.size() - 1);
    EXPECT_TRUE(refuses([&] { decode(cut); }, Kind::unreadable, "plane 5"));
    EXPECT_TRUE(refuses([] { decode(makePlanes(1, imageJ(1, 60000, 1), {.oneDirectory = true})); }, Kind::unreadable));
}

TEST(TiffPlanes, PlanesOfTifffileThatHaveNoDirectory) {
    const auto text =
        "{\"shape\": [2, 3, " + std::to_string(kHeight) + ", " + std::to_string(kWidth) + "], \"truncated\": true}";
    expectPlanes(decode(makePlanes(6, text, {.oneDirectory = true})), {kWidth, kHeight, 6, 1},
                 [](int z, int) { return z; });
}

TEST(LengthUnit, NoLengthsAreNone) {
    for (const char* unit : {"", "pixel", "voxel", "s", "ms", "MM2", "x", "reference frame"})
        EXPECT_FALSE(io::codecs::millimetresIn(unit)) << unit;
    EXPECT_EQ(io::codecs::millimetresIn("Mm"), 1e9);
    EXPECT_EQ(io::codecs::millimetresIn(" mm "), 1);
}

}  // namespace
}  // namespace warplens::test
