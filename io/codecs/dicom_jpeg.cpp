// SPDX-License-Identifier: Apache-2.0
// GDCM's decoders, one frame at a time. They end the process by an assertion when a frame is not what they were told,
// so they are told what the frame's own header says, never what the DICOM file does.
#include "io/codecs/dicom_jpeg.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <gdcmDataElement.h>
#include <gdcmJPEG12Codec.h>
#include <gdcmJPEG16Codec.h>
#include <gdcmJPEG2000Codec.h>
#include <gdcmJPEG8Codec.h>
#include <gdcmJPEGLSCodec.h>
#include <gdcmSequenceOfFragments.h>
#include <gdcmTrace.h>
#include <optional>
#include <span>
#include <sstream>

namespace warplens::io::codecs {
namespace {

/// What a coded frame says of itself.
struct CodedFrame {
    std::int64_t width = 0, height = 0, samples = 0;
    std::int64_t precision = 0;  ///< bits a sample
    bool isSigned = false;       ///< JPEG 2000 alone can say so
    bool isRgb = false, isYbr = false;
    bool subsampled = false;
};

using FrameBytes = std::span<const std::byte>;

std::int64_t big16(FrameBytes bytes, std::size_t at) { return static_cast<std::int64_t>(bigEndian(bytes, at, 2)); }
int byteAt(FrameBytes bytes, std::size_t at) { return std::to_integer<int>(bytes[at]); }

bool beginsWith(FrameBytes bytes, const char* text) {
    const auto size = std::strlen(text);
    return bytes.size() >= size && std::memcmp(bytes.data(), text, size) == 0;
}

/// Of a JPEG or JPEG-LS up to its first scan; none when it has no picture.
std::optional<CodedFrame> lookAtJpeg(FrameBytes frame) {
    CodedFrame coded;
    if (frame.size() < 4 || byteAt(frame, 0) != 0xff || byteAt(frame, 1) != 0xd8) return std::nullopt;
    bool jfif = false;
    for (std::size_t at = 2; at + 4 <= frame.size();) {
        if (byteAt(frame, at) != 0xff) return std::nullopt;
        const auto marker = byteAt(frame, at + 1);
        if (marker == 0xff) {
            ++at;
            continue;
        }
        const auto length = static_cast<std::size_t>(big16(frame, at + 2));
        if (length < 2 || frame.size() - at - 2 < length) return std::nullopt;
        const auto segment = frame.subspan(at + 4, length - 2);
        const bool isFrame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
        if (marker == 0xe0 && beginsWith(segment, "JFIF")) jfif = true;
        if (isFrame || marker == 0xf7) {
            if (segment.size() < 6) return std::nullopt;
            coded.precision = byteAt(segment, 0);
            coded.height = big16(segment, 1);
            coded.width = big16(segment, 3);
            coded.samples = byteAt(segment, 5);
            if (segment.size() < 6 + 3 * static_cast<std::size_t>(coded.samples)) return std::nullopt;
            if (coded.samples == 3) {
                const std::array ids{byteAt(segment, 6), byteAt(segment, 9), byteAt(segment, 12)};
                coded.isRgb = ids == std::array<int, 3>{'R', 'G', 'B'} || ids == std::array<int, 3>{'r', 'g', 'b'};
            }
        }
        if (marker == 0xda) {
            if (coded.samples == 0) return std::nullopt;
            coded.isYbr = jfif && !coded.isRgb;
            return coded;
        }
        at += 2 + length;
    }
    return std::nullopt;
}

/// Of a JPEG 2000 code stream, which may be wrapped as a file of its own.
std::optional<CodedFrame> lookAtJpeg2000(FrameBytes frame) {
    constexpr std::array<unsigned char, 4> kStart{0xff, 0x4f, 0xff, 0x51};
    const auto signature = std::as_bytes(std::span(kStart));
    const auto found = std::search(frame.begin(), frame.end(), signature.begin(), signature.end());
    const auto size = frame.subspan(static_cast<std::size_t>(found - frame.begin()));
    if (size.size() < 42) return std::nullopt;
    CodedFrame coded;
    const auto extent = [&](std::size_t at) {
        return static_cast<std::int64_t>(bigEndian(size, at, 4)) -
               static_cast<std::int64_t>(bigEndian(size, at + 8, 4));
    };
    coded.width = extent(8);
    coded.height = extent(12);
    coded.samples = big16(size, 40);
    if (coded.samples < 1 || coded.samples > 4 || size.size() < 42 + 3 * static_cast<std::size_t>(coded.samples)) {
        return std::nullopt;
    }
    coded.precision = (byteAt(size, 42) & 0x7f) + 1;
    coded.isSigned = (byteAt(size, 42) & 0x80) != 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(coded.samples); ++i) {
        coded.subsampled |= byteAt(size, 43 + 3 * i) != 1 || byteAt(size, 44 + 3 * i) != 1;
        if (byteAt(size, 42 + 3 * i) != byteAt(size, 42)) return std::nullopt;
    }
    return coded;
}

/// GDCM's own types of what the frame holds.
gdcm::PixelFormat formatOf(const CodedFrame& coded) {
    const auto bits = coded.precision <= 8 ? 8 : coded.precision <= 16 ? 16 : 32;
    gdcm::PixelFormat format(static_cast<unsigned short>(coded.samples), static_cast<unsigned short>(bits),
                             static_cast<unsigned short>(coded.precision),
                             static_cast<unsigned short>(coded.precision - 1), coded.isSigned ? 1 : 0);
    return format;
}

template <class Codec>
void describe(Codec& codec, const CodedFrame& coded) {
    const std::array<unsigned, 3> sizes{static_cast<unsigned>(coded.width), static_cast<unsigned>(coded.height), 1};
    codec.SetDimensions(sizes.data());
    codec.SetNumberOfDimensions(2);
    codec.SetPhotometricInterpretation(coded.samples == 1   ? gdcm::PhotometricInterpretation::MONOCHROME2
                                       : coded.samples == 3 ? gdcm::PhotometricInterpretation::RGB
                                                            : gdcm::PhotometricInterpretation::CMYK);
}

template <class Codec>
std::vector<std::byte> decodeJpegWith(const std::vector<std::byte>& frame, const CodedFrame& coded) {
    Codec codec;
    describe(codec, coded);
    std::stringstream in(std::string(reinterpret_cast<const char*>(frame.data()), frame.size()));
    std::stringstream out;
    if (!codec.DecodeByStreams(in, out)) return {};
    const auto text = out.str();
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// A decoder that takes its frame as a DICOM element and gives one back.
template <class Codec>
std::vector<std::byte> decodeElementWith(const std::vector<std::byte>& frame, const CodedFrame& coded) {
    Codec codec;
    describe(codec, coded);
    codec.SetPixelFormat(formatOf(coded));
    gdcm::Fragment fragment;
    fragment.SetByteValue(reinterpret_cast<const char*>(frame.data()), static_cast<std::uint32_t>(frame.size()));
    gdcm::SmartPointer<gdcm::SequenceOfFragments> fragments = new gdcm::SequenceOfFragments;
    fragments->AddFragment(fragment);
    gdcm::DataElement in(gdcm::Tag(0x7fe0, 0x10));
    in.SetValue(*fragments);
    gdcm::DataElement out;
    if (!codec.Decode(in, out) || out.GetByteValue() == nullptr) return {};
    const auto* value = out.GetByteValue();
    const auto bytes = std::as_bytes(std::span(value->GetPointer(), value->GetLength()));
    return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> decode(const std::vector<std::byte>& frame, const CodedFrame& coded, DicomCoding coding) {
    gdcm::Trace::SetError(false);
    gdcm::Trace::SetWarning(false);
    if (coding == DicomCoding::jpeg2000) return decodeElementWith<gdcm::JPEG2000Codec>(frame, coded);
    if (coding == DicomCoding::jpegLs) return decodeElementWith<gdcm::JPEGLSCodec>(frame, coded);
    if (coded.precision <= 8) return decodeJpegWith<gdcm::JPEG8Codec>(frame, coded);
    if (coded.precision <= 12) return decodeJpegWith<gdcm::JPEG12Codec>(frame, coded);
    return decodeJpegWith<gdcm::JPEG16Codec>(frame, coded);
}

}  // namespace

DicomSamples decodeDicomJpeg(std::vector<std::byte> frame, const DicomHeader& header, const std::string& where) {
    const bool wavelets = header.coding == DicomCoding::jpeg2000;
    const auto coded = wavelets ? lookAtJpeg2000(frame) : lookAtJpeg(frame);
    const std::string name = wavelets ? "JPEG 2000" : header.coding == DicomCoding::jpegLs ? "JPEG-LS" : "JPEG";
    if (!coded) damaged(where, "DICOM", "a frame that is no " + name);
    if (coded->width != header.columns || coded->height != header.rows || coded->samples != header.samples) {
        damaged(where, "DICOM",
                "a " + name + " frame of " + std::to_string(coded->width) + " x " + std::to_string(coded->height) +
                    " pixels of " + std::to_string(coded->samples) + " samples, where its header says " +
                    std::to_string(header.columns) + " x " + std::to_string(header.rows) + " of " +
                    std::to_string(header.samples));
    }
    const auto refuse = [&](const std::string& what) {
        unsupported(where, "a " + name + " frame " + what, "save it uncompressed");
    };
    if (coded->subsampled) refuse("with fewer colours than pixels");
    if (coded->precision < (wavelets ? 1 : 2) || coded->precision > (wavelets ? 32 : 16)) {
        refuse("of " + std::to_string(coded->precision) + " bits");
    }
    if (header.coding == DicomCoding::jpeg && coded->samples == 4) refuse("of four colours");
    // The decoders take what follows the end for more of the picture, or run past it when there is no end.
    const auto isEnd = [](std::byte b) { return b == std::byte{0xd9}; };
    const auto last = std::find_if(frame.rbegin(), frame.rend(), isEnd);
    frame.resize(static_cast<std::size_t>(frame.rend() - last));
    if (frame.size() < 4) damaged(where, "DICOM", "a " + name + " frame without an end");

    DicomSamples samples;
    samples.bits = coded->precision <= 8 ? 8 : coded->precision <= 16 ? 16 : 32;
    samples.bytes = decode(frame, *coded, header.coding);
    if (static_cast<std::int64_t>(samples.bytes.size()) !=
        coded->width * coded->height * coded->samples * (samples.bits / 8)) {
        damaged(where, "DICOM", "a " + name + " frame that ends before its last pixel");
    }
    // A sign that the frame does not know of is at its own highest bit, but for JPEG, whose precision says less.
    samples.width = header.coding == DicomCoding::jpeg ? std::min(header.stored, samples.bits) : coded->precision;
    samples.isSigned = header.isSigned;
    samples.photometric = header.photometric;
    if (coded->isRgb) samples.photometric = "RGB";
    if (coded->isYbr && !header.photometric.starts_with("YBR")) samples.photometric = "YBR_FULL";
    if (wavelets && header.photometric.starts_with("YBR_") &&
        (header.photometric.ends_with("ICT") || header.photometric.ends_with("RCT"))) {
        samples.photometric = "RGB";
    }
    return samples;
}

}  // namespace warplens::io::codecs
