// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support/volume_files.hpp"

#include "io/codecs/codec.hpp"

#include <algorithm>
#include <bzlib.h>
#include <cmath>
#include <zlib.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace warplens::test {
namespace {

std::string decimal(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.9g", value);
    return text.data();
}

/// One element of a data set, in explicit little endian.
Bytes element(unsigned group, unsigned number, const std::string& kind, Bytes value,
              std::byte padding = std::byte{' '}) {
    if (value.size() % 2 == 1) value.push_back(padding);
    const bool wide = kind == "OB" || kind == "OW";
    return join({little(group, 2), little(number, 2), bytesOf(kind), wide ? little(0, 2) : Bytes(),
                 little(value.size(), wide ? 4 : 2), value});
}

Bytes uid(unsigned group, unsigned number, const std::string& value) {
    return element(group, number, "UI", bytesOf(value), std::byte{0});
}

Bytes word(unsigned group, unsigned number, int value) {
    return element(group, number, "US", little(static_cast<std::uint64_t>(value), 2));
}

}  // namespace

Bytes makeNifti(const NiftiOptions& o, const Bytes& values) {
    Bytes header(352);
    const auto put = [&](std::size_t at, std::uint64_t bits, std::size_t size) {
        auto bytes = little(bits, size);
        if (o.bigEndian) std::reverse(bytes.begin(), bytes.end());
        std::copy(bytes.begin(), bytes.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
    };
    const auto putFloat = [&](std::size_t at, float value) { put(at, std::bit_cast<std::uint32_t>(value), 4); };
    put(0, 348, 4);
    put(40, o.sizes.size(), 2);
    for (std::size_t i = 0; i < 7; ++i) put(42 + 2 * i, i < o.sizes.size() ? static_cast<unsigned>(o.sizes[i]) : 1U, 2);
    put(70, static_cast<unsigned>(o.code), 2);
    put(72, static_cast<unsigned>(o.bits), 2);
    for (std::size_t i = 0; i < 8; ++i) {
        // The lengths of the matrix's columns, with which they have to agree.
        const auto length = [&](std::size_t axis) {
            return std::hypot(o.affine[axis], o.affine[4 + axis], o.affine[8 + axis]);
        };
        putFloat(76 + 4 * i, i >= 1 && i <= 3 ? length(i - 1) : 1);
    }
    putFloat(108, 352);
    putFloat(112, o.slope);
    putFloat(116, o.intercept);
    put(123, 2, 1);  // mm
    put(254, 1, 2);  // sform_code: scanner
    for (std::size_t i = 0; i < 12; ++i) putFloat(280 + 4 * i, o.affine[i]);
    const auto magic = bytesOf(o.magic);
    std::copy(magic.begin(), magic.end(), header.begin() + 344);
    return join({header, values});
}

Bytes makeDicom(const DicomOptions& o, const std::vector<std::int16_t>& values) {
    const std::string ct = "1.2.840.10008.5.1.4.1.1.2";
    const std::string instance = o.series + "." + std::to_string(o.instance);
    const auto meta = join({element(2, 1, "OB", {std::byte{0}, std::byte{1}}), uid(2, 2, ct), uid(2, 3, instance),
                            uid(2, 0x10, "1.2.840.10008.1.2.1"), uid(2, 0x12, "1.2.3.4")});
    Bytes pixels;
    for (const auto value : values) {
        const auto bytes = little(static_cast<std::uint16_t>(value), 2);
        pixels.insert(pixels.end(), bytes.begin(), bytes.end());
    }
    const auto text = [](unsigned group, unsigned number, const char* kind, const std::string& value) {
        return element(group, number, kind, bytesOf(value));
    };
    const auto position = decimal(o.position[0]) + "\\" + decimal(o.position[1]) + "\\" + decimal(o.position[2]);
    return join({Bytes(128),
                 bytesOf("DICM"),
                 element(2, 0, "UL", little(meta.size(), 4)),
                 meta,
                 uid(8, 0x16, ct),
                 uid(8, 0x18, instance),
                 text(8, 0x60, "CS", "CT"),
                 text(8, 0x103e, "LO", o.description),
                 text(0x18, 0x50, "DS", "2.5"),
                 uid(0x20, 0xd, "1.2"),
                 uid(0x20, 0xe, o.series),
                 text(0x20, 0x13, "IS", std::to_string(o.instance)),
                 o.positioned ? text(0x20, 0x32, "DS", position) : Bytes(),
                 text(0x20, 0x37, "DS", o.orientation),
                 word(0x28, 2, 1),
                 text(0x28, 4, "CS", "MONOCHROME2"),
                 word(0x28, 0x10, o.height),
                 word(0x28, 0x11, o.width),
                 text(0x28, 0x30, "DS", "0.5\\0.25"),
                 word(0x28, 0x100, 16),
                 word(0x28, 0x101, 16),
                 word(0x28, 0x102, 15),
                 word(0x28, 0x103, o.isSigned ? 1 : 0),
                 text(0x28, 0x1052, "DS", o.intercept),
                 text(0x28, 0x1053, "DS", o.slope),
                 element(0x7fe0, 0x10, "OW", pixels)});
}

io::Grid decodeFile(const std::string& path, int frame, const std::string& series) {
    io::codecs::Source source;
    source.path = path;
    source.where = path;
    source.frame = frame;
    source.series = series;
#if defined(__SANITIZE_ADDRESS__)
    // Formats' libraries forget buffers when a file ends early; the codec's own process ends then.
    const __lsan::ScopedDisabler whatTheLibraryForgets;
#endif
    return io::codecs::decodeFile(source);
}

Bytes gzipped(const Bytes& bytes) {
    Bytes out(bytes.size() + 1000);
    z_stream stream{};
    ::deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    ::deflate(&stream, Z_FINISH);
    const auto size = static_cast<std::ptrdiff_t>(stream.total_out);
    ::deflateEnd(&stream);
    return {out.begin(), out.begin() + size};
}

Bytes bzipped(const Bytes& bytes) {
    // The library wants an address of no bytes, too, and none of them constant.
    Bytes from = bytes;
    from.reserve(from.size() + 1);
    Bytes out(bytes.size() + bytes.size() / 100 + 600);
    auto size = static_cast<unsigned>(out.size());
    const int state =
        ::BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()), &size, reinterpret_cast<char*>(from.data()),
                                   static_cast<unsigned>(from.size()), 9, 0, 0);
    EXPECT_EQ(state, BZ_OK);
    out.resize(size);
    return out;
}

}  // namespace warplens::test
