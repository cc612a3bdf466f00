// SPDX-License-Identifier: Apache-2.0
// libjpeg reports an error by our longjmp, so each function that calls it under guarded() holds no object with a
// destructor; Reader owns what must be released, outside the jump.
#include "io/codecs/common.hpp"
#include "io/codecs/exif.hpp"
#include "io/codecs/formats.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

// jerror.h names the warnings only once jpeglib.h is there.
// clang-format off
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

namespace warplens::io::codecs {
namespace {

// Real progressive files have about ten; each costs a pass over the whole picture.
constexpr int kMostScans = 200;
// Huffman coding spends at least a bit on each 8 x 8 block.
constexpr std::int64_t kMostPixelsAByte = 512;

struct Reader {
    jpeg_decompress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg_source_mgr source{};
    jpeg_progress_mgr progress{};
    std::jmp_buf jump{};
    std::array<char, JMSG_LENGTH_MAX> message{};
    std::array<char, JMSG_LENGTH_MAX> warning{};
    std::byte* target = nullptr;
    std::size_t rowBytes = 0;
    std::vector<JSAMPLE> inks;  ///< a row of four inks, where there are such
    JOCTET* profile = nullptr;
    unsigned profileBytes = 0;
    bool created = false;
    int code = 0;  ///< of the error, as jerror.h numbers them; 0 for one of ours

    Reader() = default;
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() {
        if (created) jpeg_destroy_decompress(&jpeg);
        std::free(profile);
    }
};

Reader& readerOf(j_common_ptr jpeg) { return *static_cast<Reader*>(jpeg->client_data); }

[[noreturn]] void giveUp(Reader& r, const char* text) {
    std::snprintf(r.message.data(), r.message.size(), "%s", text);
    std::longjmp(r.jump, 1);
}

void onError(j_common_ptr jpeg) {
    auto& r = readerOf(jpeg);
    jpeg->err->format_message(jpeg, r.message.data());
    r.code = jpeg->err->msg_code;
    std::longjmp(r.jump, 1);
}

/// Warnings about the picture's own data are errors to us: a measuring instrument does not invent pixels.
void onMessage(j_common_ptr jpeg, int level) {
    if (level >= 0) return;
    switch (jpeg->err->msg_code) {
        case JWRN_JPEG_EOF:
        case JWRN_HIT_MARKER:
        case JWRN_HUFF_BAD_CODE:
        case JWRN_ARITH_BAD_CODE:
        case JWRN_MUST_RESYNC: onError(jpeg); break;
        default: jpeg->err->format_message(jpeg, readerOf(jpeg).warning.data());
    }
}

void onOutput(j_common_ptr) {}
void onStart(j_decompress_ptr) {}

boolean onFill(j_decompress_ptr jpeg) { giveUp(*static_cast<Reader*>(jpeg->client_data), "the file ends too early"); }

void onSkip(j_decompress_ptr jpeg, long count) {
    auto& source = *jpeg->src;
    if (count <= 0) return;
    if (static_cast<unsigned long>(count) > source.bytes_in_buffer) onFill(jpeg);
    source.next_input_byte += count;
    source.bytes_in_buffer -= static_cast<std::size_t>(count);
}

void onProgress(j_common_ptr jpeg) {
    if (reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number > kMostScans) {
        giveUp(readerOf(jpeg), "too many scans");
    }
}

bool guarded(Reader& r, void (*step)(Reader&)) {
    if (setjmp(r.jump) != 0) return false;
    step(r);
    return true;
}

void readHeader(Reader& r) {
    jpeg_create_decompress(&r.jpeg);
    r.created = true;
    r.jpeg.src = &r.source;
    r.jpeg.progress = &r.progress;
    jpeg_save_markers(&r.jpeg, JPEG_APP0 + 1, 0xffff);
    jpeg_save_markers(&r.jpeg, JPEG_APP0 + 2, 0xffff);
    jpeg_read_header(&r.jpeg, TRUE);
}

/// A row of cyan, magenta, yellow and black as RGB, without a profile: what no ink takes away. Adobe's programs, which
/// say so by a marker, store how much of an ink is not there.
void colourRow(const Reader& r, JSAMPLE* to) {
    const int stored = r.jpeg.saw_Adobe_marker != 0 ? 0 : 255;
    const auto left = [&](std::size_t at) { return std::abs(stored - int{r.inks[at]}); };
    for (std::size_t at = 0; at < r.inks.size(); at += 4) {
        for (std::size_t ink = 0; ink < 3; ++ink)
            *to++ = static_cast<JSAMPLE>((left(at + ink) * left(at + 3) + 127) / 255);
    }
}

void readRows(Reader& r) {
    const bool inks = !r.inks.empty();
    r.jpeg.out_color_space = inks ? JCS_CMYK : r.jpeg.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_read_icc_profile(&r.jpeg, &r.profile, &r.profileBytes);
    jpeg_start_decompress(&r.jpeg);
    while (r.jpeg.output_scanline < r.jpeg.output_height) {
        auto* target = reinterpret_cast<JSAMPROW>(r.target + r.jpeg.output_scanline * r.rowBytes);
        auto* row = inks ? r.inks.data() : target;
        jpeg_read_scanlines(&r.jpeg, &row, 1);
        if (inks) colourRow(r, target);
    }
    jpeg_finish_decompress(&r.jpeg);
}

constexpr std::size_t kExifName = 6;  // "Exif" and two zeros, which begin the segment

/// What the camera said, and the orientation among it.
struct Said {
    std::vector<std::byte> exif;
    int orientation = 1;
};

Said saidBy(const Reader& r) {
    Said said;
    for (auto* marker = r.jpeg.marker_list; marker != nullptr; marker = marker->next) {
        if (marker->marker != JPEG_APP0 + 1) continue;
        const auto segment = std::as_bytes(std::span(marker->data, marker->data_length));
        if (segment.size() < kExifName || std::memcmp(segment.data(), "Exif\0\0", kExifName) != 0) continue;
        const int found = exifOrientation(segment);
        if (said.exif.empty() || (said.orientation == 1 && found != 1))
            said = {uprightTiff(segment.subspan(kExifName)), found};
    }
    return said;
}

void readMetadata(const Reader& r, const Limits& limits, Grid& grid) {
    auto& metadata = grid.metadata;
    // A profile of inks says nothing of RGB.
    if (r.profile != nullptr && r.inks.empty() && static_cast<std::int64_t>(r.profileBytes) <= limits.metadataBytes) {
        const auto* bytes = reinterpret_cast<const std::byte*>(r.profile);
        metadata.iccProfile.assign(bytes, bytes + r.profileBytes);
    }
    const double inches = r.jpeg.density_unit == 1 ? 1 : r.jpeg.density_unit == 2 ? 2.54 : 0;
    if (r.jpeg.saw_JFIF_marker && inches > 0 && r.jpeg.X_density > 0 && r.jpeg.Y_density > 0) {
        setResolution(grid, r.jpeg.X_density * inches, r.jpeg.Y_density * inches);
    }
    if (!r.inks.empty()) metadata.notes.emplace_back("CMYK was converted to RGB without a colour profile");
    if (r.warning[0] != '\0') metadata.notes.push_back(std::string("libjpeg warns: ") + r.warning.data());
}

/// Throws for a sound file of a kind that libjpeg does not read; then for one that is damaged.
[[noreturn]] void refuse(const Reader& r, const std::string& where) {
    switch (r.code) {
        case JERR_BAD_PRECISION:
            unsupported(where, "a JPEG of " + std::to_string(r.jpeg.data_precision) + "-bit values",
                        "save it as 16-bit PNG or TIFF");
        case JERR_SOF_UNSUPPORTED:
            unsupported(where, "a lossless or hierarchical JPEG (" + std::string(r.message.data()) + ")",
                        "save it as PNG or TIFF");
        case JERR_CONVERSION_NOTIMPL:
        case JERR_FRACT_SAMPLE_NOTIMPL:
        case JERR_CCIR601_NOTIMPL:
        case JERR_NOTIMPL:
        case JERR_NOT_COMPILED:
        case JERR_ARITH_NOTIMPL:
            unsupported(where, "a JPEG of a rare kind (" + std::string(r.message.data()) + ")", "save it as PNG");
        default: damaged(where, "JPEG", r.message.data());
    }
}

struct Writer {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    std::jmp_buf jump{};
    std::array<char, JMSG_LENGTH_MAX> message{};
    const Grid* grid = nullptr;
    std::vector<JOCTET> exif;  ///< a whole segment, or nothing
    unsigned char* out = nullptr;
    unsigned long outBytes = 0;
    int quality = 0;
    bool created = false;

    Writer() = default;
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() {
        if (created) jpeg_destroy_compress(&jpeg);
        std::free(out);
    }
};

void onWriteError(j_common_ptr jpeg) {
    auto& w = *static_cast<Writer*>(jpeg->client_data);
    jpeg->err->format_message(jpeg, w.message.data());
    std::longjmp(w.jump, 1);
}

constexpr std::size_t kLongestSegment = 65533;
// From here on each pixel keeps a colour of its own, as photographers expect of the best qualities.
constexpr int kFullColour = 90;

void writeAll(Writer& w) {
    const auto& shape = w.grid->shape();
    const auto& metadata = w.grid->metadata;
    jpeg_create_compress(&w.jpeg);
    w.created = true;
    jpeg_mem_dest(&w.jpeg, &w.out, &w.outBytes);
    w.jpeg.image_width = static_cast<JDIMENSION>(shape.width);
    w.jpeg.image_height = static_cast<JDIMENSION>(shape.height);
    w.jpeg.input_components = shape.channels;
    w.jpeg.in_color_space = shape.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&w.jpeg);
    jpeg_set_quality(&w.jpeg, w.quality, TRUE);
    w.jpeg.optimize_coding = TRUE;
    if (shape.channels == 3 && w.quality >= kFullColour)
        w.jpeg.comp_info[0].h_samp_factor = w.jpeg.comp_info[0].v_samp_factor = 1;
    if (const auto dpi = resolutionOf(*w.grid)) {
        const double x = std::round((*dpi)[0]), y = std::round((*dpi)[1]);
        if (x >= 1 && y >= 1 && x <= UINT16_MAX && y <= UINT16_MAX) {
            w.jpeg.density_unit = 1;
            w.jpeg.X_density = static_cast<UINT16>(x);
            w.jpeg.Y_density = static_cast<UINT16>(y);
        }
    }
    jpeg_start_compress(&w.jpeg, TRUE);
    if (!w.exif.empty()) jpeg_write_marker(&w.jpeg, JPEG_APP0 + 1, w.exif.data(), static_cast<unsigned>(w.exif.size()));
    if (!metadata.iccProfile.empty())
        jpeg_write_icc_profile(&w.jpeg, reinterpret_cast<const JOCTET*>(metadata.iccProfile.data()),
                               static_cast<unsigned>(metadata.iccProfile.size()));
    const auto rowBytes = w.grid->bytes() / static_cast<std::size_t>(shape.height);
    while (w.jpeg.next_scanline < w.jpeg.image_height) {
        auto* row =
            const_cast<JSAMPROW>(reinterpret_cast<const JSAMPLE*>(w.grid->data() + w.jpeg.next_scanline * rowBytes));
        jpeg_write_scanlines(&w.jpeg, &row, 1);
    }
    jpeg_finish_compress(&w.jpeg);
}

/// Whether its colours are four inks; throws for others than these, grey and RGB.
bool isCmyk(const Reader& r, const std::string& where) {
    const auto space = r.jpeg.jpeg_color_space;
    const int channels = r.jpeg.num_components;
    if (space == JCS_CMYK || space == JCS_YCCK) return true;
    if (channels != 1 && channels != 3) {
        unsupported(where, "a JPEG with " + std::to_string(channels) + " channels", "keep grey or RGB");
    }
    return false;
}

}  // namespace

bool isJpeg(Bytes head) {
    constexpr std::array<unsigned char, 3> kSignature{0xff, 0xd8, 0xff};
    return startsWith(head, kSignature);
}

Grid decodeJpeg(Bytes file, const Limits& limits, const std::string& where) {
    // Large for a stack frame that longjmp returns to.
    const auto reader = std::make_unique<Reader>();
    auto& r = *reader;
    r.jpeg.err = jpeg_std_error(&r.errors);
    r.jpeg.client_data = &r;
    r.errors.error_exit = onError;
    r.errors.emit_message = onMessage;
    r.errors.output_message = onOutput;
    r.progress.progress_monitor = onProgress;
    r.source.next_input_byte = reinterpret_cast<const JOCTET*>(file.data());
    r.source.bytes_in_buffer = file.size();
    r.source.init_source = onStart;
    r.source.fill_input_buffer = onFill;
    r.source.skip_input_data = onSkip;
    r.source.resync_to_restart = jpeg_resync_to_restart;
    r.source.term_source = onStart;

    if (!guarded(r, readHeader)) refuse(r, where);
    const bool cmyk = isCmyk(r, where);
    const Shape shape{r.jpeg.image_width, r.jpeg.image_height, 1, cmyk ? 3 : r.jpeg.num_components};
    limits.check(shape, PixelType::u8, where);
    if (cmyk) r.inks.resize(std::size_t{4} * r.jpeg.image_width);
    if (!r.jpeg.arith_code && shape.pixels() / kMostPixelsAByte > static_cast<std::int64_t>(file.size())) {
        damaged(where, "JPEG", "the file is too short for its picture");
    }
    // Asked now, for libjpeg forgets the markers when it finishes.
    Said said = saidBy(r);
    Grid grid(shape, PixelType::u8);
    r.target = grid.data();
    r.rowBytes = grid.bytes() / static_cast<std::size_t>(shape.height);
    if (!guarded(r, readRows)) refuse(r, where);
    readMetadata(r, limits, grid);
    if (static_cast<std::int64_t>(said.exif.size()) <= limits.metadataBytes) grid.metadata.exif = std::move(said.exif);
    return upright(std::move(grid), said.orientation);
}

std::vector<std::byte> encodeJpeg(const Grid& grid, const std::string& where, const EncodeOptions& options) {
    const auto& shape = grid.shape();
    if (shape.width > JPEG_MAX_DIMENSION || shape.height > JPEG_MAX_DIMENSION)
        unsupported(where,
                    "larger than JPEG's " + std::to_string(JPEG_MAX_DIMENSION) + " x " +
                        std::to_string(JPEG_MAX_DIMENSION) + " pixels",
                    "write .png or .tif");
    const auto writer = std::make_unique<Writer>();
    auto& w = *writer;
    w.jpeg.err = jpeg_std_error(&w.errors);
    w.jpeg.client_data = &w;
    w.errors.error_exit = onWriteError;
    w.errors.output_message = onOutput;
    w.grid = &grid;
    w.quality = options.quality;
    if (!grid.metadata.exif.empty() && grid.metadata.exif.size() + kExifName <= kLongestSegment) {
        const std::string_view name("Exif\0\0", kExifName);
        std::ranges::transform(name, std::back_inserter(w.exif), [](char c) { return static_cast<JOCTET>(c); });
        std::ranges::transform(grid.metadata.exif, std::back_inserter(w.exif),
                               [](std::byte b) { return static_cast<JOCTET>(b); });
    }
    if (setjmp(w.jump) != 0)
        throw Error(Error::Kind::unwritable,
                    where + ": libjpeg gave up (" + w.message.data() + "): write .png instead");
    writeAll(w);
    const auto* bytes = reinterpret_cast<const std::byte*>(w.out);
    return {bytes, bytes + w.outBytes};
}

}  // namespace warplens::io::codecs
