// SPDX-License-Identifier: Apache-2.0
// Read here rather than by stb_image, which neither knows the text variants nor swaps 16-bit values (2.27).
#include "io/codecs/common.hpp"
#include "io/codecs/formats.hpp"

#include <bit>
#include <cstring>

namespace warplens::io::codecs {
namespace {

class Parser {
public:
    Parser(Bytes file, const std::string& where) : m_file(file), m_where(where) {}

    [[noreturn]] void fail(const char* detail) const { damaged(m_where, "PNM", detail); }

    /// The next decimal number, after blanks and comments. Something has to follow it, or it may be cut off.
    std::uint32_t number() {
        skipBlanks();
        if (!digitAt(m_at)) fail(m_at < m_file.size() ? "a number is missing" : "the file ends too early");
        std::uint32_t value = 0;
        for (; digitAt(m_at); ++m_at) {
            value = value * 10 + (byteAt(m_at) - '0');
            if (value > 100'000'000) fail("a number is far too large");
        }
        if (m_at == m_file.size()) fail("its last number may be cut off, as no line break follows it");
        return value;
    }
    /// A single 0 or 1: text bitmaps need no blanks between them.
    bool bit() {
        skipBlanks();
        if (m_at >= m_file.size()) fail("the file ends too early");
        const auto c = byteAt(m_at++);
        if (c != '0' && c != '1') fail("a bit is neither 0 nor 1");
        return c == '1';
    }
    /// What follows the one blank after the header.
    Bytes raster(std::int64_t bytes) {
        if (m_at >= m_file.size() || !blank(byteAt(m_at))) fail("the header does not end in a blank");
        ++m_at;
        if (static_cast<std::int64_t>(m_file.size() - m_at) < bytes) fail("the file is too short for its picture");
        return m_file.subspan(m_at, static_cast<std::size_t>(bytes));
    }
    std::int64_t left() const { return static_cast<std::int64_t>(m_file.size() - m_at); }
    void skip(std::size_t count) { m_at += count; }

private:
    unsigned char byteAt(std::size_t i) const { return std::to_integer<unsigned char>(m_file[i]); }
    static bool blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
    bool digitAt(std::size_t i) const { return i < m_file.size() && byteAt(i) >= '0' && byteAt(i) <= '9'; }
    void skipBlanks() {
        while (m_at < m_file.size()) {
            if (byteAt(m_at) == '#') {
                while (m_at < m_file.size() && byteAt(m_at) != '\n') ++m_at;
            } else if (blank(byteAt(m_at))) {
                ++m_at;
            } else {
                return;
            }
        }
    }

    Bytes m_file;
    const std::string& m_where;
    std::size_t m_at = 0;
};

void readBitmap(Parser& parser, bool text, Grid& grid) {
    const auto& s = grid.shape();
    auto* out = grid.as<std::uint8_t>();
    const auto stride = (s.width + 7) / 8;
    const auto raster = text ? Bytes() : parser.raster(stride * s.height);
    for (std::int64_t y = 0; y < s.height; ++y) {
        for (std::int64_t x = 0; x < s.width; ++x) {
            const bool black =
                text ? parser.bit()
                     : (std::to_integer<int>(raster[static_cast<std::size_t>(y * stride + x / 8)]) >> (7 - x % 8) &
                        1) != 0;
            *out++ = black ? 0 : 255;
        }
    }
    grid.metadata.sourceType = "u1";
    grid.metadata.notes.emplace_back("1-bit grey was spread over 0..255");
}

void readValues(Parser& parser, bool text, std::uint32_t maximum, Grid& grid) {
    const auto values = grid.bytes() / sizeOf(grid.type());
    const bool wide = grid.type() == PixelType::u16;
    const auto raster = text ? Bytes() : parser.raster(static_cast<std::int64_t>(grid.bytes()));
    for (std::size_t i = 0; i < values; ++i) {
        const auto value = text ? parser.number() : bigEndian(raster, wide ? 2 * i : i, wide ? 2 : 1);
        if (value > maximum) parser.fail("a value is above the maximum");
        if (wide) {
            grid.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(value);
        } else {
            grid.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(value);
        }
    }
    if (maximum != 255 && maximum != 65535) {
        grid.metadata.notes.push_back("values span 0.." + std::to_string(maximum) + " as stored");
    }
}

}  // namespace

bool isPnm(Bytes head) {
    if (head.size() < 3 || head[0] != std::byte{'P'}) return false;
    const auto kind = std::to_integer<char>(head[1]);
    const auto next = std::to_integer<unsigned char>(head[2]);
    return kind >= '1' && kind <= '6' && (next == ' ' || next == '#' || (next >= '\t' && next <= '\r'));
}

Grid decodePnm(Bytes file, const Limits& limits, const std::string& where) {
    const auto kind = std::to_integer<char>(file[1]) - '0';
    const bool text = kind <= 3;
    const bool bitmap = kind == 1 || kind == 4;
    Parser parser(file, where);
    parser.skip(2);
    Shape shape;
    shape.width = parser.number();
    shape.height = parser.number();
    shape.channels = kind == 3 || kind == 6 ? 3 : 1;
    const auto maximum = bitmap ? 1 : parser.number();
    if (maximum < 1 || maximum > 65535) parser.fail("the maximum is not within 1..65535");
    const auto type = maximum > 255 ? PixelType::u16 : PixelType::u8;
    limits.check(shape, type, where);
    // As text, a value takes a digit at least, and all but bits a blank as well.
    const auto least = bitmap ? shape.pixels() / (text ? 1 : 8) : shape.values();
    if (parser.left() < least) parser.fail("the file is too short for its picture");
    Grid grid(shape, type);
    if (bitmap) {
        readBitmap(parser, text, grid);
    } else {
        readValues(parser, text, maximum, grid);
    }
    return grid;
}

}  // namespace warplens::io::codecs
