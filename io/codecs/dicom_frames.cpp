// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/dicom_frames.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/convert.hpp"
#include "io/codecs/dicom_jpeg.hpp"
#include "io/codecs/dicom_rle.hpp"

#include <algorithm>
#include <cstring>

namespace warplens::io::codecs {
namespace {

std::vector<std::byte> readPieces(const DicomHeader& header, std::int64_t frame) {
    const auto& pieces = header.pieces[static_cast<std::size_t>(frame)];
    std::int64_t total = 0;
    for (const auto& piece : pieces) total += piece.bytes;
    std::vector<std::byte> bytes(static_cast<std::size_t>(total));
    auto rest = std::span(bytes);
    for (const auto& piece : pieces) {
        const auto size = static_cast<std::size_t>(piece.bytes);
        header.dataset.bytes->read(piece.begin, rest.first(size));
        rest = rest.subspan(size);
    }
    return bytes;
}

DicomSamples asStored(const DicomHeader& header) {
    DicomSamples samples;
    samples.bits = header.bits;
    samples.width = header.stored;
    samples.lowest = header.highest + 1 - header.stored;
    samples.isSigned = header.isSigned;
    samples.byPlane = header.byPlane;
    samples.photometric = header.photometric;
    return samples;
}

DicomSamples readNative(const DicomHeader& header, std::int64_t frame) {
    auto samples = asStored(header);
    samples.bigEndian = header.bigEndian;
    const auto& native = header.dataset.pixels.native;
    auto& bytes = *header.dataset.bytes;
    const auto frameBits = header.storedValues() * header.bits;
    // Frames of single bits need not begin with a byte; words begin with an even one.
    const bool swapped = header.bigEndian && header.inWords && header.bits <= 8;
    const auto unit = swapped ? 16 : 8;
    const auto begin = frame * frameBits / unit * unit;
    const auto end = ((frame + 1) * frameBits + unit - 1) / unit * unit;
    samples.first = frame * frameBits - begin;
    samples.bytes.resize(static_cast<std::size_t>((end - begin) / 8));
    const auto present = std::min(end / 8, bytes.size() - native.begin) - begin / 8;
    bytes.read(native.begin + begin / 8, std::span(samples.bytes).first(static_cast<std::size_t>(present)));
    if (swapped) swapBytes(samples.bytes, 2);
    return samples;
}

DicomSamples readRleFrame(const DicomHeader& header, std::int64_t frame, const Source& source) {
    auto samples = asStored(header);
    samples.bytes = decodeRleFrame(readPieces(header, frame), header, source.where);
    samples.byPlane = false;
    return samples;
}

template <class Word>
std::int64_t wordAt(const std::byte* bytes, bool big) {
    Word word;
    std::memcpy(&word, bytes, sizeof(Word));
    if (big) {
        if constexpr (sizeof(Word) == 2) word = __builtin_bswap16(word);
        if constexpr (sizeof(Word) == 4) word = __builtin_bswap32(word);
        if constexpr (sizeof(Word) == 8) word = __builtin_bswap64(word);
    }
    return static_cast<std::int64_t>(word);
}

/// Bit by bit, the lowest first, from byte to byte.
std::int64_t bitsAt(const std::vector<std::byte>& bytes, std::int64_t at, std::int64_t count) {
    std::uint64_t value = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto bit =
            std::to_integer<std::uint64_t>(bytes[static_cast<std::size_t>((at + i) / 8)]) >> ((at + i) % 8);
        value |= (bit & 1) << i;
    }
    return static_cast<std::int64_t>(value);
}

}  // namespace

DicomSamples readDicomFrame(const DicomHeader& header, std::int64_t frame, const Source& source) {
    switch (header.coding) {
        case DicomCoding::native: return readNative(header, frame);
        case DicomCoding::rle: return readRleFrame(header, frame, source);
        case DicomCoding::pieces: {
            auto samples = asStored(header);
            samples.bytes = readPieces(header, frame);
            const auto needed = (header.storedValues() * header.bits + 7) / 8;
            if (static_cast<std::int64_t>(samples.bytes.size()) < needed) {
                damaged(source.where, "DICOM", "a frame of fewer bytes than its pixels take");
            }
            return samples;
        }
        default: return decodeDicomJpeg(readPieces(header, frame), header, source.where);
    }
}

void unpackSamples(const DicomSamples& samples, const DicomHeader& header, std::int64_t begin, std::int64_t channel,
                   std::span<std::int64_t> out) {
    const auto plane = header.rows * header.columns;
    const bool paired = header.isPaired();
    const auto placeOf = [&](std::int64_t pixel) {
        if (paired) return channel == 0 ? pixel / 2 * 4 + pixel % 2 : pixel / 2 * 4 + 1 + channel;
        return samples.byPlane ? channel * plane + pixel : pixel * header.samples + channel;
    };
    const auto* data = samples.bytes.data();
    const auto size = samples.bits / 8;
    const auto read = [&](auto valueAt) {
        const auto unused = 64 - samples.width;
        auto pixel = begin;
        for (auto& value : out) {
            const auto raw = static_cast<std::uint64_t>(valueAt(placeOf(pixel++))) >> samples.lowest << unused;
            value =
                samples.isSigned ? static_cast<std::int64_t>(raw) >> unused : static_cast<std::int64_t>(raw >> unused);
        }
    };
    const bool big = samples.bigEndian;
    const bool whole = samples.first % 8 == 0 && samples.bits % 8 == 0;
    if (whole) data += samples.first / 8;
    if (whole && size == 1) {
        read([&](std::int64_t i) { return wordAt<std::uint8_t>(data + i, big); });
    } else if (whole && size == 2) {
        read([&](std::int64_t i) { return wordAt<std::uint16_t>(data + 2 * i, big); });
    } else if (whole && size == 4) {
        read([&](std::int64_t i) { return wordAt<std::uint32_t>(data + 4 * i, big); });
    } else if (whole && size == 8) {
        read([&](std::int64_t i) { return wordAt<std::uint64_t>(data + 8 * i, big); });
    } else if (whole) {
        // Of 3, 5, 6 or 7 bytes.
        read([&](std::int64_t i) {
            std::uint64_t value = 0;
            for (std::int64_t byte = 0; byte < size; ++byte) {
                const auto at = big ? byte : size - 1 - byte;
                value = value << 8 | std::to_integer<std::uint64_t>(data[i * size + at]);
            }
            return static_cast<std::int64_t>(value);
        });
    } else {
        read([&](std::int64_t i) { return bitsAt(samples.bytes, samples.first + i * samples.bits, samples.bits); });
    }
}

}  // namespace warplens::io::codecs
