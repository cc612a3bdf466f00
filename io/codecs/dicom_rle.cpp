// SPDX-License-Identifier: Apache-2.0
// Read here and not by the DICOM library, which mixes up the bytes of colours of more than 8 bits (GDCM 3.0.21) and
// fills what a segment lacks with zeros.
#include "io/codecs/dicom_rle.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <bit>

namespace warplens::io::codecs {
namespace {

static_assert(std::endian::native == std::endian::little, "values are put together in the host's order");

constexpr std::size_t kHeaderBytes = 64;

/// Unpacks one plane of bytes into every `step`-th byte of `out`. False when it does not fit exactly.
bool unpack(std::span<const std::byte> segment, std::byte* out, std::size_t count, std::size_t step) {
    std::size_t at = 0;
    while (count > 0) {
        if (at >= segment.size()) return false;
        const auto code = std::to_integer<int>(segment[at++]);
        if (code == 128) continue;
        const bool run = code > 128;
        const auto length = static_cast<std::size_t>(run ? 257 - code : code + 1);
        if (length > count || segment.size() - at < (run ? 1 : length)) return false;
        for (std::size_t i = 0; i < length; ++i, out += step) *out = segment[run ? at : at + i];
        at += run ? 1 : length;
        count -= length;
    }
    return true;
}

}  // namespace

std::vector<std::byte> decodeRleFrame(std::span<const std::byte> frame, const DicomHeader& header,
                                      const std::string& where) {
    if (header.bits % 8 != 0) {
        unsupported(where, "RLE of " + std::to_string(header.bits) + " bits a sample", "save it without");
    }
    const auto fail = [&](const char* detail) { damaged(where, "DICOM", detail); };
    const auto size = static_cast<std::size_t>(header.bits / 8);
    const auto samples = static_cast<std::size_t>(header.samples);
    const auto pixels = static_cast<std::size_t>(header.rows * header.columns);
    const auto segments = samples * size;
    if (frame.size() < kHeaderBytes || littleEndian(frame, 0, 4) != segments || segments > 15) {
        fail("another number of RLE segments than its samples have bytes");
    }
    std::vector<std::byte> values(pixels * segments);
    for (std::size_t i = 0; i < segments; ++i) {
        const std::size_t begin = littleEndian(frame, 4 + 4 * i, 4);
        const std::size_t end = i + 1 < segments ? littleEndian(frame, 8 + 4 * i, 4) : frame.size();
        if (begin < kHeaderBytes || end < begin || end > frame.size()) fail("an RLE segment leads out of its frame");
        // The highest byte of a sample comes first.
        auto* out = values.data() + i / size * size + (size - 1 - i % size);
        if (!unpack(frame.subspan(begin, end - begin), out, pixels, segments)) {
            fail("an RLE segment does not hold what its plane takes");
        }
    }
    return values;
}

}  // namespace warplens::io::codecs
