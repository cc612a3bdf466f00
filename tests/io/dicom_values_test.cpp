// SPDX-License-Identifier: Apache-2.0
// What the numbers stored in a DICOM file mean: every layout with every rule, against arithmetic of these tests' own.
#include "tests/io/support/dicom_files.hpp"
#include "tests/io/support/volume_files.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;
using Syntax = DicomSyntax;

constexpr std::array kCodings{DicomCoding::explicitLittle, DicomCoding::implicitLittle, DicomCoding::explicitBig,
                              DicomCoding::deflated, DicomCoding::rle};

/// How a value lies among the bits that a sample takes.
struct Bits {
    int allocated, stored, highest;
};
constexpr std::array<Bits, 12> kBits{{{8, 8, 7},
                                      {8, 7, 6},
                                      {8, 7, 7},
                                      {8, 1, 0},
                                      {16, 16, 15},
                                      {16, 12, 11},
                                      {16, 12, 15},
                                      {16, 9, 10},
                                      {32, 32, 31},
                                      {32, 24, 23},
                                      {32, 17, 20},
                                      {32, 25, 24}}};

/// Extremes first, then numbers without order; all bits that no value takes are noise.
struct Stored {
    std::vector<std::uint32_t> words;
    std::vector<std::int64_t> values;
};
Stored storedNumbers(const Bits& bits, bool isSigned, std::size_t count) {
    std::mt19937 random(5);
    Stored stored;
    const std::uint64_t mask = (std::uint64_t{1} << bits.stored) - 1;
    const auto lowest = bits.highest + 1 - bits.stored;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t noise = random() & 0xffffffffU;
        const std::uint64_t value = (i == 0   ? 0
                                     : i == 1 ? mask
                                     : i == 2 ? mask >> 1
                                     : i == 3 ? (mask >> 1) + 1
                                              : random()) &
                                    mask;
        const auto all = (noise & ~(mask << lowest)) | value << lowest;
        stored.words.push_back(static_cast<std::uint32_t>(all & ((std::uint64_t{1} << bits.allocated) - 1)));
        const bool negative = isSigned && (value >> (bits.stored - 1) & 1) != 0;
        stored.values.push_back(static_cast<std::int64_t>(value) -
                                (negative ? std::int64_t{1} << bits.stored : std::int64_t{0}));
    }
    return stored;
}

/// In the order in which a grid holds them.
template <class T>
testing::AssertionResult holds(const io::Grid& grid, const std::vector<T>& wanted) {
    const auto shape = grid.shape();
    if (shape.values() != static_cast<std::int64_t>(wanted.size()))
        return testing::AssertionFailure() << "sizes differ";
    std::size_t at = 0;
    for (std::int64_t z = 0; z < shape.depth; ++z) {
        for (std::int64_t y = 0; y < shape.height; ++y) {
            for (std::int64_t x = 0; x < shape.width; ++x) {
                for (int c = 0; c < shape.channels; ++c, ++at) {
                    const auto value = static_cast<double>(wanted[at]);
                    // A grid holds the nearest float of what it does not hold exactly.
                    const auto nearest = static_cast<double>(static_cast<float>(value));
                    const auto got = grid.value(x, y, z, c);
                    if (got == value || (grid.type() == PixelType::f32 && got == nearest)) continue;
                    if (std::isnan(got) && std::isnan(value)) continue;
                    return testing::AssertionFailure() << got << " for " << value << " at " << at;
                }
            }
        }
    }
    return testing::AssertionSuccess();
}

bool saysInANote(const io::Grid& grid, const std::string& text) {
    return std::any_of(grid.metadata.notes.begin(), grid.metadata.notes.end(),
                       [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

TEST(DicomValues, EveryLayoutCodingAndScaleOfGreys) {
    const Folder folder;
    struct Scale {
        std::string slope, intercept;
        double a, b;
    };
    const std::vector<Scale> scales{
        {"", "", 1, 0}, {"1", "-1024", 1, -1024}, {"0.5 ", "+3.25", 0.5, 3.25}, {"-1e-5", "", -1e-5, 0}};
    int pictures = 0;
    for (const auto coding : kCodings) {
        for (const auto& bits : kBits) {
            for (const bool isSigned : {false, true}) {
                for (const auto& scale : scales) {
                    for (const char* photometric : {"MONOCHROME2", "MONOCHROME1"}) {
                        const auto stored = storedNumbers(bits, isSigned, 15);
                        DicomPicture p{.width = 5, .height = 3, .bits = bits.allocated, .stored = bits.stored};
                        p.highest = bits.highest;
                        p.isSigned = isSigned;
                        p.coding = coding;
                        p.photometric = photometric;
                        p.slope = scale.slope;
                        p.intercept = scale.intercept;
                        std::vector<double> wanted;
                        for (const auto value : stored.values)
                            wanted.push_back(static_cast<double>(value) * scale.a + scale.b);
                        const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, stored.words)));
                        ASSERT_TRUE(holds(grid, wanted))
                            << "coding " << static_cast<int>(coding) << ", bits " << bits.allocated << "/"
                            << bits.stored << "/" << bits.highest << (isSigned ? ", signed, " : ", ") << photometric
                            << " x " << scale.slope << " + " << scale.intercept;
                        EXPECT_EQ(saysInANote(grid, "MONOCHROME1"), std::string(photometric) == "MONOCHROME1");
                        EXPECT_EQ(saysInANote(grid, "multiplied"), &scale != &scales.front());
                        ++pictures;
                    }
                }
            }
        }
    }
    EXPECT_EQ(pictures, 5 * 12 * 2 * 4 * 2);
}

TEST(DicomValues, IntegersThatNoFloatHoldsStayIntegers) {
    const Folder folder;
    DicomPicture p{.width = 2, .height = 1, .bits = 32};
    const auto exact = decodeFile(folder.write("a.dcm", dicomFile(p, {0xff000000U, 7})));
    EXPECT_EQ(exact.type(), PixelType::f32);
    const auto large = decodeFile(folder.write("a.dcm", dicomFile(p, {0xffffffffU, 7})));
    EXPECT_EQ(large.type(), PixelType::u32);
    EXPECT_EQ(large.value(0, 0), 4294967295.0);
    p.isSigned = true;
    EXPECT_EQ(decodeFile(folder.write("a.dcm", dicomFile(p, {0x80000001U, 7}))).value(0, 0), -2147483647.0);
    // Colours, and what no 32 bits hold, are the nearest floats, and that is said.
    p = {.width = 1, .height = 1, .samples = 3, .bits = 32};
    const auto colours = decodeFile(folder.write("a.dcm", dicomFile(p, {0x1000001, 7, 0x1000000})));
    EXPECT_TRUE(holds(colours, std::vector<double>{0x1000001, 7, 0x1000000}));
    EXPECT_TRUE(saysInANote(colours, "1 of 3 u32 values were rounded to f32"));
    p = {.width = 2, .height = 1, .bits = 64};
    p.pixels = [](const Syntax& s) {
        return s.element(0x7fe0, 0x10, "OW", join({s.number(0x8000010000000000U, 8), s.number(3, 8)}));
    };
    EXPECT_TRUE(holds(decodeFile(folder.write("a.dcm", dicomFile(p, {}))), std::vector<double>{0x1.000002p63, 3}));
}

TEST(DicomValues, ASlopeOfZeroCountsAsOne) {
    const Folder folder;
    DicomPicture p{.width = 2, .height = 1, .bits = 16, .slope = "0", .intercept = "5"};
    const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, {10, 20})));
    EXPECT_TRUE(holds(grid, std::vector<int>{15, 25}));
    EXPECT_TRUE(saysInANote(grid, "the slope in the file is 0; 1 was taken"));
}

TEST(DicomValues, PalettesOfEveryFirstEntryLengthAndDepth) {
    const Folder folder;
    struct Table {
        int entries, first;
    };
    for (const auto coding : kCodings) {
        for (const auto& [entries, first] : {Table{256, 0}, {64, 10}, {65536, 0}, {200, -20}, {1, 3}}) {
            for (const int bits : {8, 16}) {
                for (const bool packed : {false, true}) {
                    if (packed && bits == 16) continue;
                    std::mt19937 random(3);
                    std::array<std::vector<int>, 3> tables;
                    for (auto& table : tables) {
                        for (int i = 0; i < entries; ++i) table.push_back(static_cast<int>(random() % (1U << bits)));
                    }
                    DicomPicture p{.width = 30, .height = 1, .bits = 16};
                    p.coding = coding;
                    p.isSigned = first < 0;
                    p.photometric = "PALETTE COLOR";
                    p.more = [&](const Syntax& s) {
                        Bytes all;
                        for (unsigned c = 0; c < 3; ++c) {
                            all = join({all, s.words(0x28, 0x1101 + c, first < 0 ? "SS" : "US",
                                                     {entries % 65536, first, bits})});
                        }
                        for (unsigned c = 0; c < 3; ++c) {
                            auto words = tables[c];
                            if (packed) {
                                // Two entries to a word, the first in its lower half.
                                words.push_back(0);
                                for (std::size_t i = 0; i + 1 < words.size(); i += 2)
                                    words[i / 2] = words[i] | words[i + 1] << 8;
                                words.resize((tables[c].size() + 1) / 2);
                            }
                            all = join({all, s.words(0x28, 0x1201 + c, "OW", words)});
                        }
                        return all;
                    };
                    std::vector<std::uint32_t> stored;
                    std::vector<int> wanted;
                    for (int i = 0; i < 30; ++i) {
                        const auto value = i == 0 ? 0 : first < 0 ? i * 12 - 100 : i * 2111;
                        stored.push_back(static_cast<std::uint16_t>(value));
                        const auto at = std::clamp(value - first, 0, entries - 1);
                        for (const auto& table : tables) wanted.push_back(table[static_cast<std::size_t>(at)]);
                    }
                    const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, stored)));
                    ASSERT_TRUE(holds(grid, wanted)) << entries << " from " << first << " of " << bits
                                                     << (packed ? " packed" : "") << static_cast<int>(coding);
                    EXPECT_EQ(grid.type(), bits == 8 ? PixelType::u8 : PixelType::u16);
                }
            }
        }
    }
}

TEST(DicomValues, APaletteInSegmentsIsExpanded) {
    const Folder folder;
    DicomPicture p{.width = 9, .height = 1, .bits = 8};
    p.photometric = "PALETTE COLOR";
    for (const bool wide : {false, true}) {
        p.more = [&](const Syntax& s) {
            Bytes all;
            for (unsigned c = 0; c < 3; ++c) {
                all = join({all, s.words(0x28, 0x1101 + c, "US", {9, 0, wide ? 16 : 8})});
            }
            // Two entries as they are, a ramp of four, one entry, and the first segment again.
            for (unsigned c = 0; c < 3; ++c) {
                if (wide) {
                    all = join({all, s.words(0x28, 0x1221 + c, "OW", {0, 2, 5, 10, 1, 4, 50, 0, 1, 7, 2, 1, 0, 0})});
                } else {
                    all = join({all, s.element(0x28, 0x1221 + c, "OW",
                                               bytesOf(std::string("\0\2\5\12\1\4\62\0\1\7\2\1\0\0\0\0", 16)))});
                }
            }
            return all;
        };
        const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, {0, 1, 2, 3, 4, 5, 6, 7, 8})));
        const std::array<int, 9> wanted{5, 10, 20, 30, 40, 50, 7, 5, 10};
        for (int i = 0; i < 9; ++i) EXPECT_EQ(grid.value(i, 0, 0, 1), wanted[static_cast<std::size_t>(i)]) << i;
        EXPECT_EQ(grid.type(), wide ? PixelType::u16 : PixelType::u8);
    }
}

TEST(DicomValues, AModalityTableStandsInThePlaceOfAScale) {
    const Folder folder;
    for (const auto coding : kCodings) {
        for (const int first : {0, 100, -8}) {
            DicomPicture p{.width = 20, .height = 1, .bits = 16};
            p.coding = coding;
            p.isSigned = first < 0;
            p.slope = "2";
            std::vector<int> table;
            for (int i = 0; i < 37; ++i) table.push_back(i * 1771 % 65536);
            p.more = [&](const Syntax& s) {
                return s.sequence(0x28, 0x3000,
                                  {join({s.words(0x28, 0x3002, first < 0 ? "SS" : "US", {37, first, 16}),
                                         s.text(0x28, 0x3004, "LO", "US"), s.words(0x28, 0x3006, "OW", table)})});
            };
            std::vector<std::uint32_t> stored;
            std::vector<int> wanted;
            for (int i = 0; i < 20; ++i) {
                const auto value = first < 0 ? i * 5 - 30 : i * 11;
                stored.push_back(static_cast<std::uint16_t>(value));
                wanted.push_back(table[static_cast<std::size_t>(std::clamp(value - first, 0, 36))]);
            }
            const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, stored)));
            EXPECT_TRUE(holds(grid, wanted)) << static_cast<int>(coding) << " from " << first;
            EXPECT_TRUE(saysInANote(grid, "modality table (US)"));
        }
    }
}

TEST(DicomValues, RealNumbersOfEitherLength) {
    const Folder folder;
    const std::vector<double> values{1.5, -2e-3, 1e30, std::nan(""), 0.1, -7};
    for (const auto coding : kCodings) {
        if (coding == DicomCoding::rle) continue;
        for (const int bits : {32, 64}) {
            DicomPicture p{.width = 3, .height = 1, .bits = bits, .frames = 2};
            p.coding = coding;
            p.pixels = [&](const Syntax& s) {
                Bytes all;
                for (const auto value : values) {
                    all = join({all, bits == 32 ? s.number(std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4)
                                                : s.number(std::bit_cast<std::uint64_t>(value), 8)});
                }
                return s.element(0x7fe0, bits == 32 ? 8 : 9, bits == 32 ? "OF" : "OD", all);
            };
            const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, {})));
            EXPECT_EQ(grid.shape().depth, 2);
            EXPECT_TRUE(holds(grid, values)) << static_cast<int>(coding) << " of " << bits;
            EXPECT_EQ(saysInANote(grid, "rounded to f32"), bits == 64);
        }
    }
    DicomPicture large{.width = 1, .height = 1, .bits = 64};
    large.pixels = [](const Syntax& s) {
        return s.element(0x7fe0, 9, "OD", s.number(std::bit_cast<std::uint64_t>(-1e39), 8));
    };
    EXPECT_TRUE(refuses([&] { decodeFile(folder.write("a.dcm", dicomFile(large, {}))); }, Kind::unsupported,
                        "a value beyond the range of f32"));
}

TEST(DicomValues, SingleBitsOfFramesThatDoNotBeginWithAByte) {
    const Folder folder;
    for (const int width : {8, 5, 3}) {
        std::mt19937 random(1);
        std::vector<int> wanted;
        Bytes bytes(static_cast<std::size_t>(width * 3 * 3 + 15) / 16 * 2);
        for (int i = 0; i < width * 3 * 3; ++i) {
            wanted.push_back(static_cast<int>(random() % 2));
            bytes[static_cast<std::size_t>(i) / 8] |= static_cast<std::byte>(wanted.back() << i % 8);
        }
        DicomPicture p{.width = width, .height = 3, .bits = 1, .frames = 3};
        p.pixels = [&](const Syntax& s) { return s.element(0x7fe0, 0x10, "OB", bytes); };
        const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, {})));
        EXPECT_TRUE(holds(grid, wanted)) << width;
        EXPECT_EQ(grid.sourceType(), "u1");
    }
}

TEST(DicomValues, ColoursInBrightnessAndDifferencesBecomeRgb) {
    const Folder folder;
    const auto rounded = [](double v) { return static_cast<int>(std::clamp(std::floor(v + 0.5), 0.0, 255.0)); };
    const std::vector<std::uint32_t> ybr{0,   128, 128, 255, 128, 128, 76, 85, 255,
                                         150, 44,  21,  29,  255, 107, 90, 3,  250};
    std::vector<int> wanted;
    for (std::size_t i = 0; i < ybr.size(); i += 3) {
        const double y = ybr[i], blue = ybr[i + 1] - 128.0, red = ybr[i + 2] - 128.0;
        wanted.push_back(rounded(y + 1.402 * red));
        wanted.push_back(rounded(y - 0.344136286 * blue - 0.714136286 * red));
        wanted.push_back(rounded(y + 1.772 * blue));
    }
    for (const auto coding : kCodings) {
        for (const bool byPlane : {false, true}) {
            DicomPicture p{.width = 3, .height = 2, .samples = 3, .bits = 8, .byPlane = byPlane};
            p.coding = coding;
            p.photometric = "YBR_FULL";
            const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, ybr)));
            EXPECT_TRUE(holds(grid, wanted)) << static_cast<int>(coding);
            EXPECT_TRUE(saysInANote(grid, "YBR_FULL"));
        }
    }
    // Two pixels share their differences.
    DicomPicture p{.width = 2, .height = 1, .samples = 3, .bits = 8};
    p.photometric = "YBR_FULL_422";
    p.pixels = [&](const Syntax& s) {
        return s.element(0x7fe0, 0x10, "OB", bytesOf(std::string("\x4c\x1d\x55\xff", 4)));
    };
    const auto pair = decodeFile(folder.write("a.dcm", dicomFile(p, {})));
    EXPECT_TRUE(holds(pair, std::vector<int>{254, 0, 0, 207, 0, 0})) << pair.value(0, 0, 0, 1);
    // Black is 16 and white 235.
    p.photometric = "YBR_PARTIAL_422";
    p.pixels = [&](const Syntax& s) {
        return s.element(0x7fe0, 0x10, "OB", bytesOf(std::string("\x10\xeb\x80\x80", 4)));
    };
    EXPECT_TRUE(holds(decodeFile(folder.write("a.dcm", dicomFile(p, {}))), std::vector<int>{0, 0, 0, 255, 255, 255}));
}

TEST(DicomValues, AlphaThatStandsFirstComesLast) {
    const Folder folder;
    for (const bool byPlane : {false, true}) {
        DicomPicture p{.width = 2, .height = 1, .samples = 4, .bits = 8, .byPlane = byPlane};
        p.photometric = "ARGB";
        const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, {255, 1, 2, 3, 128, 4, 5, 6})));
        EXPECT_TRUE(holds(grid, std::vector<int>{1, 2, 3, 255, 4, 5, 6, 128}));
    }
}

/// Elements of a frame: slope, intercept, position.
Bytes frameOf(const Syntax& s, const std::string& slope, const std::string& intercept, const std::string& position) {
    const auto rule =
        slope.empty() ? Bytes()
                      : s.sequence(0x28, 0x9145,
                                   {join({s.text(0x28, 0x1052, "DS", intercept), s.text(0x28, 0x1053, "DS", slope)})});
    return join({s.sequence(0x20, 0x9113, {s.text(0x20, 0x32, "DS", position)}), rule});
}

TEST(DicomValues, EachFrameHasItsOwnSlopeAndPlace) {
    const Folder folder;
    for (const auto coding : kCodings) {
        for (const double step : {2.5, -1.25}) {
            for (const bool shared : {false, true}) {
                DicomPicture p{.width = 2, .height = 1, .bits = 16, .frames = 3};
                p.coding = coding;
                // The first frame's would do for all if nobody looked further.
                p.slope = shared ? "" : "77";
                p.more = [&](const Syntax& s) {
                    std::vector<Bytes> frames;
                    for (int i = 0; i < 3; ++i) {
                        frames.push_back(frameOf(s, shared ? "" : std::to_string(i + 1) + ".5", std::to_string(10 * i),
                                                 "1\\2\\" + std::to_string(3 + step * i)));
                    }
                    const auto measures = s.sequence(
                        0x28, 0x9110, {join({s.text(0x18, 0x50, "DS", "9"), s.text(0x28, 0x30, "DS", "0.5\\0.25")})});
                    const auto common =
                        join({s.sequence(0x20, 0x9116, {s.text(0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0")}), measures,
                              shared ? s.sequence(0x28, 0x9145, {s.text(0x28, 0x1053, "DS", "4")}) : Bytes()});
                    return join({s.sequence(0x5200, 0x9229, {common}), s.sequence(0x5200, 0x9230, frames)});
                };
                const std::vector<std::uint32_t> stored{1, 2, 3, 4, 5, 60000};
                std::vector<double> wanted;
                for (std::size_t i = 0; i < stored.size(); ++i) {
                    const auto frame = static_cast<double>(i / 2);
                    wanted.push_back(shared ? 4.0 * stored[i] : stored[i] * (frame + 1.5) + 10 * frame);
                }
                const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, stored)));
                EXPECT_TRUE(holds(grid, wanted)) << static_cast<int>(coding) << step << shared;
                EXPECT_EQ(grid.geometry.spacing, (std::array<double, 3>{0.25, 0.5, std::abs(step)}));
                EXPECT_EQ(grid.geometry.origin, (std::array<double, 3>{1, 2, 3}));
                EXPECT_EQ(grid.geometry.direction[8], step < 0 ? -1 : 1);
                EXPECT_EQ(saysInANote(grid, "slice by slice"), !shared);
            }
        }
    }
}

TEST(DicomValues, ADoseIsScaledAndItsPlanesMayGoEitherWay) {
    const Folder folder;
    for (const int frames : {1, 3}) {
        for (const double step : {2.5, -3.0}) {
            DicomPicture p{.width = 2, .height = 1, .bits = 32, .frames = frames};
            p.more = [&](const Syntax& s) {
                // More planes than frames, when there is one frame.
                std::string offsets = "0";
                for (int i = 1; i < 3; ++i) offsets += "\\" + std::to_string(step * i);
                return join({s.text(0x20, 0x32, "DS", "0\\0\\-30"), s.text(0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0"),
                             s.text(0x28, 0x30, "DS", "2\\1.5"), s.text(0x3004, 2, "CS", "GY"),
                             s.text(0x3004, 0xc, "DS", offsets), s.text(0x3004, 0xe, "DS", "1.25e-05")});
            };
            std::vector<std::uint32_t> stored{100000, 4000000000U, 3, 4, 5, 6};
            stored.resize(static_cast<std::size_t>(2 * frames));
            std::vector<double> wanted;
            for (const auto value : stored) wanted.push_back(value * 1.25e-5);
            const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, stored)));
            EXPECT_TRUE(holds(grid, wanted)) << frames << step;
            EXPECT_TRUE(saysInANote(grid, "Gy"));
            EXPECT_EQ(grid.geometry.spacing[0], 1.5);
            EXPECT_EQ(grid.geometry.spacing[2], frames == 1 ? 1 : std::abs(step));
            EXPECT_EQ(grid.geometry.direction[8], frames > 1 && step < 0 ? -1 : 1);
        }
    }
}

TEST(DicomValues, EveryWayToStateASpacing) {
    const Folder folder;
    const auto spacingOf = [&](const std::function<Bytes(const Syntax&)>& more, const char* note) {
        DicomPicture p{.width = 2, .height = 1, .bits = 8};
        p.more = more;
        const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, {1, 2})));
        EXPECT_EQ(grid.metadata.notes.empty(), std::string(note).empty());
        EXPECT_TRUE(saysInANote(grid, note) || std::string(note).empty()) << note;
        return std::array{grid.geometry.spacing[0], grid.geometry.spacing[1]};
    };
    using Pair = std::array<double, 2>;
    EXPECT_EQ(spacingOf([](const Syntax&) { return Bytes(); }, ""), (Pair{1, 1}));
    EXPECT_EQ(spacingOf([](const Syntax& s) { return s.text(0x28, 0x30, "DS", "0.5\\0.25"); }, ""), (Pair{0.25, 0.5}));
    EXPECT_EQ(spacingOf([](const Syntax& s) { return s.text(0x18, 0x1164, "DS", "0.5\\0.25"); }, "detector"),
              (Pair{0.25, 0.5}));
    EXPECT_EQ(spacingOf([](const Syntax& s) { return s.text(0x18, 0x2010, "DS", "0.5\\0.25"); }, "film"),
              (Pair{0.25, 0.5}));
    EXPECT_EQ(spacingOf([](const Syntax& s) { return s.text(0x28, 0x34, "IS", "3\\2"); }, "shape of its pixels"),
              (Pair{1, 1.5}));
    EXPECT_EQ(spacingOf([](const Syntax& s) { return s.text(0x28, 0x34, "IS", "1\\1"); }, ""), (Pair{1, 1}));
    EXPECT_EQ(spacingOf([](const Syntax& s) { return s.text(0x28, 0x30, "DS", "0\\x"); }, "1 mm is assumed"),
              (Pair{1, 1}));
    const auto ultrasound = [](const Syntax& s) {
        const auto real = [&](double v) { return s.number(std::bit_cast<std::uint64_t>(v), 8); };
        return s.sequence(
            0x18, 0x6011,
            {join({s.word(0x18, 0x6024, 3), s.word(0x18, 0x6026, 3), s.element(0x18, 0x602c, "FD", real(0.025)),
                   s.element(0x18, 0x602e, "FD", real(0.05))})});
    };
    EXPECT_EQ(spacingOf(ultrasound, ""), (Pair{0.25, 0.5}));
}

TEST(DicomValues, RealWorldValuesAreSaidAndNotApplied) {
    const Folder folder;
    DicomPicture p{.width = 2, .height = 1, .bits = 16};
    p.more = [](const Syntax& s) {
        const auto real = [&](double v) { return s.number(std::bit_cast<std::uint64_t>(v), 8); };
        return s.sequence(0x40, 0x9096,
                          {join({s.sequence(0x40, 0x8ea, {s.text(8, 0x100, "SH", "mm2/s")}), s.word(0x40, 0x9211, 4095),
                                 s.word(0x40, 0x9216, 0), s.element(0x40, 0x9224, "FD", real(-1)),
                                 s.element(0x40, 0x9225, "FD", real(0.5))})});
    };
    const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, {10, 20})));
    EXPECT_TRUE(holds(grid, std::vector<int>{10, 20}));
    EXPECT_TRUE(saysInANote(grid, "from 0 to 4095 to real world values by 0.5 times the stored value plus -1 (mm2/s)"));
}

TEST(DicomValues, ASeriesOfSeveralSlopesIsOneVolume) {
    const Folder folder;
    for (int z = 0; z < 4; ++z) {
        DicomOptions o{.width = 3, .height = 1};
        o.position[2] = 2 * z;
        o.slope = std::to_string(1 + 0.5 * z);
        o.intercept = std::to_string(z);
        o.isSigned = z != 2;
        folder.write(std::to_string(z), makeDicom(o, {1, 2, static_cast<std::int16_t>(z == 2 ? 3 : -3)}));
    }
    const auto grid = decodeFile(folder.path().string());
    for (int z = 0; z < 4; ++z) {
        EXPECT_EQ(grid.value(1, 0, z), 2 * (1 + 0.5 * z) + z);
        EXPECT_EQ(grid.value(2, 0, z), (z == 2 ? 3 : -3) * (1 + 0.5 * z) + z);
    }
    EXPECT_TRUE(saysInANote(grid, "multiplied by 1 to 2.5, then 0 to 3 was added, slice by slice"));
}

TEST(DicomValues, NumbersOfFramesAndKindsThatAreLeftOutOrMixed) {
    const Folder folder;
    DicomPicture p{.width = 2, .height = 2, .bits = 16};
    const std::vector<std::uint32_t> stored{1, 2, 3, 40000};
    for (const char* frames : {"", "0", "1 ", "+1"}) {
        p.more = [&](const Syntax& s) { return s.text(0x28, 8, "IS", frames); };
        EXPECT_TRUE(holds(decodeFile(folder.write("a.dcm", dicomFile(p, stored))), stored)) << frames;
    }
    // An element of a file with kinds that has none, and a file that should have none and has them.
    p.more = [](const Syntax& s) {
        const Syntax other{!s.isExplicit, s.big};
        return s.isExplicit ? other.text(0x28, 0x1052, "DS", "-5") : Bytes();
    };
    auto wanted = stored;
    EXPECT_EQ(decodeFile(folder.write("a.dcm", dicomFile(p, stored))).value(0, 0), -4);
    p.more = {};
    p.syntax = "1.2.840.10008.1.2";
    EXPECT_TRUE(holds(decodeFile(folder.write("a.dcm", dicomFile(p, stored))), stored));
    // More values than frames.
    p.syntax.clear();
    auto more = stored;
    more.insert(more.end(), stored.begin(), stored.end());
    const auto grid = decodeFile(folder.write("a.dcm", dicomFile(p, more)));
    EXPECT_TRUE(holds(grid, stored));
    EXPECT_TRUE(saysInANote(grid, "enough for 2 frames"));
    p.syntax = "1.2.840.10008.1.2.4.100";
    EXPECT_TRUE(refuses([&] { decodeFile(folder.write("a.dcm", dicomFile(p, stored))); }, Kind::unsupported, "4.100"));
}

}  // namespace
}  // namespace warplens::test
