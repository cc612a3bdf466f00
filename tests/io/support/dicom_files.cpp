// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support/dicom_files.hpp"

#include <algorithm>
#include <utility>
#include <zlib.h>

namespace warplens::test {
namespace {

/// PackBits, row by row as the standard asks: runs of two and more, the rest as it is.
Bytes packed(const Bytes& plane, std::size_t width) {
    Bytes out;
    for (std::size_t row = 0; row < plane.size(); row += width) {
        for (std::size_t at = row; at < row + width;) {
            const auto left = std::min<std::size_t>(row + width - at, 128);
            std::size_t run = 1;
            while (run < left && plane[at + run] == plane[at]) ++run;
            if (run > 1) {
                out.push_back(static_cast<std::byte>(257 - run));
                out.push_back(plane[at]);
                at += run;
                continue;
            }
            std::size_t dump = 1;
            while (dump < left && (dump + 1 == left || plane[at + dump] != plane[at + dump + 1])) ++dump;
            out.push_back(static_cast<std::byte>(dump - 1));
            out.insert(out.end(), plane.begin() + static_cast<std::ptrdiff_t>(at),
                       plane.begin() + static_cast<std::ptrdiff_t>(at + dump));
            at += dump;
        }
    }
    if (out.size() % 2 == 1) out.push_back(std::byte{0});
    return out;
}

/// One frame: a segment for each byte of each sample, the highest byte first.
Bytes rleFrame(const DicomPicture& p, const std::uint32_t* values) {
    Bytes header = little(static_cast<std::uint64_t>(p.samples * p.bits / 8), 4);
    Bytes segments;
    const auto pixels = static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height);
    for (int sample = 0; sample < p.samples; ++sample) {
        for (int shift = p.bits - 8; shift >= 0; shift -= 8) {
            Bytes plane;
            for (std::size_t i = 0; i < pixels; ++i) {
                plane.push_back(static_cast<std::byte>(
                    values[i * static_cast<std::size_t>(p.samples) + static_cast<std::size_t>(sample)] >> shift));
            }
            const auto offset = little(64 + segments.size(), 4);
            header.insert(header.end(), offset.begin(), offset.end());
            const auto segment = packed(plane, static_cast<std::size_t>(p.width));
            segments.insert(segments.end(), segment.begin(), segment.end());
        }
    }
    header.resize(64);
    return join({header, segments});
}

Bytes plainValues(const DicomPicture& p, const DicomSyntax& syntax, const std::vector<std::uint32_t>& values) {
    const auto samples = static_cast<std::size_t>(p.samples);
    const auto pixels = static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height);
    const auto size = static_cast<std::size_t>(p.bits / 8);
    Bytes out;
    for (std::size_t frame = 0; frame < values.size(); frame += pixels * samples) {
        for (std::size_t i = 0; i < pixels * samples; ++i) {
            const auto from = p.byPlane ? i % pixels * samples + i / pixels : i;
            const auto bytes = syntax.number(values[frame + from], size);
            out.insert(out.end(), bytes.begin(), bytes.end());
        }
    }
    return out;
}

/// Without zlib's own beginning and end.
Bytes deflatedRaw(const Bytes& bytes) {
    Bytes out(bytes.size() + 1000);
    z_stream stream{};
    ::deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    ::deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    ::deflateEnd(&stream);
    return out;
}

Bytes iconSequence(const DicomSyntax& s) {
    const auto icon =
        join({s.word(0x28, 2, 1), s.text(0x28, 4, "CS", "MONOCHROME2"), s.word(0x28, 0x10, 1), s.word(0x28, 0x11, 2),
              s.word(0x28, 0x100, 8), s.word(0x28, 0x101, 8), s.word(0x28, 0x102, 7), s.word(0x28, 0x103, 0),
              s.element(0x7fe0, 0x10, "OW", {std::byte{1}, std::byte{2}})});
    return join({s.lead(0x88, 0x200, "SQ", kNoLength), s.tag(0xfffe, 0xe000), s.number(kNoLength, 4), icon,
                 s.end(0xe00d), s.end(0xe0dd)});
}

const char* uidOf(DicomCoding coding) {
    switch (coding) {
        case DicomCoding::explicitLittle: return "1.2.840.10008.1.2.1";
        case DicomCoding::implicitLittle: return "1.2.840.10008.1.2";
        case DicomCoding::explicitBig: return "1.2.840.10008.1.2.2";
        case DicomCoding::deflated: return "1.2.840.10008.1.2.1.99";
        case DicomCoding::rle: return "1.2.840.10008.1.2.5";
    }
    return "";
}

}  // namespace

Bytes DicomSyntax::number(std::uint64_t value, std::size_t size) const {
    auto bytes = little(value, size);
    if (big) std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

Bytes DicomSyntax::lead(unsigned group, unsigned number16, const std::string& kind, std::uint32_t size) const {
    if (!isExplicit) return join({tag(group, number16), number(size, 4)});
    const bool wide = kind == "OB" || kind == "OW" || kind == "OF" || kind == "OD" || kind == "SQ" || kind == "UN";
    return join({tag(group, number16), bytesOf(kind), wide ? Bytes(2) : Bytes(), number(size, wide ? 4 : 2)});
}

Bytes DicomSyntax::element(unsigned group, unsigned number16, const std::string& kind, Bytes value) const {
    if (value.size() % 2 == 1) value.push_back(kind == "UI" || kind == "OB" ? std::byte{0} : std::byte{' '});
    return join({lead(group, number16, kind, static_cast<std::uint32_t>(value.size())), value});
}

Bytes DicomSyntax::words(unsigned group, unsigned number16, const std::string& kind,
                         const std::vector<int>& values) const {
    Bytes all(2 * values.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool high = (i % 2 == 0) == big;
        all[i] = static_cast<std::byte>(values[i / 2] >> (high ? 8 : 0));
    }
    return element(group, number16, kind, std::move(all));
}

Bytes DicomSyntax::sequence(unsigned group, unsigned number16, const std::vector<Bytes>& items) const {
    Bytes all;
    for (const auto& one : items) all = join({all, item(one)});
    return element(group, number16, "SQ", all);
}

Bytes dicomFile(const DicomPicture& p, const std::vector<std::uint32_t>& values) {
    const std::string kind = "1.2.840.10008.5.1.4.1.1.7";
    const DicomSyntax plain;
    const auto meta = join({plain.element(2, 1, "OB", {std::byte{0}, std::byte{1}}), plain.text(2, 2, "UI", kind),
                            plain.text(2, 3, "UI", "1.2.3.1"),
                            plain.text(2, 0x10, "UI", p.syntax.empty() ? uidOf(p.coding) : p.syntax),
                            plain.text(2, 0x12, "UI", "1.2.3.4")});
    const DicomSyntax s{p.coding != DicomCoding::implicitLittle, p.coding == DicomCoding::explicitBig};
    Bytes pixels;
    if (p.pixels) {
        pixels = p.pixels(s);
    } else if (p.coding == DicomCoding::rle) {
        pixels = join({s.lead(0x7fe0, 0x10, "OB", kNoLength), s.item({})});
        const auto frame = values.size() / static_cast<std::size_t>(p.frames);
        for (std::size_t at = 0; at < values.size(); at += frame) {
            pixels = join({pixels, s.item(rleFrame(p, values.data() + at))});
        }
        pixels = join({pixels, s.end(0xe0dd)});
    } else {
        pixels = s.element(0x7fe0, 0x10, p.bits == 8 ? "OB" : "OW", plainValues(p, s, values));
    }
    const auto stored = p.stored > 0 ? p.stored : p.bits;
    const auto photometric = !p.photometric.empty() ? p.photometric : p.samples == 3 ? "RGB" : "MONOCHROME2";
    const auto data = join({s.text(8, 0x16, "UI", kind),
                            s.text(8, 0x18, "UI", "1.2.3.1"),
                            s.text(8, 0x60, "CS", "OT"),
                            s.text(0x20, 0xd, "UI", "1.2"),
                            s.text(0x20, 0xe, "UI", "1.2.3"),
                            s.word(0x28, 2, p.samples),
                            s.text(0x28, 4, "CS", photometric),
                            p.samples > 1 ? s.word(0x28, 6, p.byPlane ? 1 : 0) : Bytes(),
                            p.frames > 1 ? s.text(0x28, 8, "IS", std::to_string(p.frames)) : Bytes(),
                            s.word(0x28, 0x10, p.height),
                            s.word(0x28, 0x11, p.width),
                            s.word(0x28, 0x100, p.bits),
                            s.word(0x28, 0x101, stored),
                            s.word(0x28, 0x102, p.highest > 0 ? p.highest : stored - 1),
                            s.word(0x28, 0x103, p.isSigned ? 1 : 0),
                            p.intercept.empty() ? Bytes() : s.text(0x28, 0x1052, "DS", p.intercept),
                            p.slope.empty() ? Bytes() : s.text(0x28, 0x1053, "DS", p.slope),
                            p.sequence ? iconSequence(s) : Bytes(),
                            p.more ? p.more(s) : Bytes(),
                            pixels});
    return join({Bytes(128), bytesOf("DICM"), plain.element(2, 0, "UL", little(meta.size(), 4)), meta,
                 p.coding == DicomCoding::deflated ? deflatedRaw(data) : data});
}

}  // namespace warplens::test
