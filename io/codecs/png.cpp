// SPDX-License-Identifier: Apache-2.0
// libpng reports an error by longjmp, so each function below that calls it holds no object with a destructor; what must
// be released is owned by Reader or Writer, outside the jump.
#include "io/codecs/common.hpp"
#include "io/codecs/exif.hpp"
#include "io/codecs/formats.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <png.h>
#include <utility>

namespace warplens::io::codecs {
namespace {

constexpr double kInchesAMetre = 1 / 0.0254;
// Photographs take a half to a third of the time that libpng's own level takes, and the same space within 4 %; a
// folder of them waits for little else.
constexpr int kLevel = 4;
// Deflate stores at best 258 values in two bits or so; a file shorter than that cannot hold its picture.
constexpr std::int64_t kBestRatio = 1032;

struct Reader {
    png_structp png = nullptr;
    png_infop info = nullptr;
    Bytes file;
    std::size_t position = 0;
    std::array<char, 200> message{};
    // Filled in by readHeader().
    png_uint_32 width = 0;
    png_uint_32 height = 0;
    int bits = 0;
    int colour = 0;
    int passes = 1;
    bool transparent = false;
    int orientation = 1;
    std::vector<std::byte>* said = nullptr;  ///< takes what the camera said
    // Where readRows() puts the values.
    std::byte* target = nullptr;
    std::size_t rowBytes = 0;

    Reader() = default;
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};

template <class State>
void onError(png_structp png, png_const_charp text) {
    auto* state = static_cast<State*>(png_get_error_ptr(png));
    std::snprintf(state->message.data(), state->message.size(), "%s", text);
    png_longjmp(png, 1);
}

void onWarning(png_structp, png_const_charp) {}

void onRead(png_structp png, png_bytep out, std::size_t count) {
    auto* r = static_cast<Reader*>(png_get_io_ptr(png));
    if (count > r->file.size() - r->position) png_error(png, "the file ends too early");
    std::memcpy(out, r->file.data() + r->position, count);
    r->position += count;
}

/// False when libpng gave up; the state's message says why.
template <class State>
bool guarded(State& state, void (*step)(State&)) {
    if (setjmp(png_jmpbuf(state.png)) != 0) return false;
    step(state);
    return true;
}

void readHeader(Reader& r) {
    png_read_info(r.png, r.info);
    png_get_IHDR(r.png, r.info, &r.width, &r.height, &r.bits, &r.colour, nullptr, nullptr, nullptr);
    r.transparent = png_get_valid(r.png, r.info, PNG_INFO_tRNS) != 0;
}

/// Asks for 8 or 16 bits, RGB for palettes, alpha for transparency, RGBA for grey with alpha. Gamma stays as it is.
void setTransformations(Reader& r) {
    if (r.colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(r.png);
    if (r.colour == PNG_COLOR_TYPE_GRAY && r.bits < 8) png_set_expand_gray_1_2_4_to_8(r.png);
    if (r.transparent) png_set_tRNS_to_alpha(r.png);
    if (r.bits == 16) png_set_swap(r.png);
    if (r.colour == PNG_COLOR_TYPE_GRAY_ALPHA || (r.colour == PNG_COLOR_TYPE_GRAY && r.transparent)) {
        png_set_gray_to_rgb(r.png);
    }
    r.passes = png_set_interlace_handling(r.png);
    png_read_update_info(r.png, r.info);
    r.rowBytes = png_get_rowbytes(r.png, r.info);
}

void readRows(Reader& r) {
    for (int pass = 0; pass < r.passes; ++pass) {
        for (png_uint_32 y = 0; y < r.height; ++y) {
            png_read_row(r.png, reinterpret_cast<png_bytep>(r.target + y * r.rowBytes), nullptr);
        }
    }
    png_read_end(r.png, r.info);
}

Shape shapeOf(const Reader& r) {
    const bool colour = (r.colour & PNG_COLOR_MASK_COLOR) != 0;
    const bool alpha = (r.colour & PNG_COLOR_MASK_ALPHA) != 0 || r.transparent;
    return {r.width, r.height, 1, alpha ? 4 : colour ? 3 : 1};
}

/// The orientation that an eXIf chunk asks for; it may follow the pixels.
void readOrientation(Reader& r) {
    png_bytep exif = nullptr;
    png_uint_32 length = 0;
    if (png_get_eXIf_1(r.png, r.info, &length, &exif) == 0 || exif == nullptr) return;
    const std::span tiff(reinterpret_cast<const std::byte*>(exif), length);
    r.orientation = tiffOrientation(tiff);
    if (r.said != nullptr) *r.said = uprightTiff(tiff);
}

void readMetadata(Reader& r, const Limits& limits, Grid& grid) {
    auto& metadata = grid.metadata;
    png_charp name = nullptr;
    png_bytep profile = nullptr;
    png_uint_32 length = 0;
    int compression = 0;
    if (png_get_iCCP(r.png, r.info, &name, &compression, &profile, &length) != 0 && length <= limits.metadataBytes) {
        const auto* bytes = reinterpret_cast<const std::byte*>(profile);
        metadata.iccProfile.assign(bytes, bytes + length);
    }
    png_uint_32 x = 0;
    png_uint_32 y = 0;
    int unit = 0;
    if (png_get_pHYs(r.png, r.info, &x, &y, &unit) != 0 && unit == PNG_RESOLUTION_METER && x > 0 && y > 0) {
        setResolution(grid, x / kInchesAMetre, y / kInchesAMetre);
    }
    if (r.colour == PNG_COLOR_TYPE_PALETTE) {
        metadata.notes.emplace_back(r.transparent ? "palette was read as RGBA" : "palette was read as RGB");
    } else if (r.bits < 8) {
        metadata.sourceType = "u" + std::to_string(r.bits);
        metadata.notes.push_back(std::to_string(r.bits) + "-bit grey was spread over 0..255");
    }
    if ((r.colour & ~PNG_COLOR_MASK_ALPHA) == PNG_COLOR_TYPE_GRAY && shapeOf(r).channels == 4) {
        metadata.notes.emplace_back(kGreyAlphaNote);
    }
}

struct Writer {
    png_structp png = nullptr;
    png_infop info = nullptr;
    const Grid* grid = nullptr;
    std::vector<std::byte> out;
    std::array<char, 200> message{};

    Writer() = default;
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { png_destroy_write_struct(&png, &info); }
};

void onWrite(png_structp png, png_bytep bytes, std::size_t count) {
    auto* w = static_cast<Writer*>(png_get_io_ptr(png));
    const auto* first = reinterpret_cast<const std::byte*>(bytes);
    bool full = false;
    try {
        w->out.insert(w->out.end(), first, first + count);
    } catch (...) {
        full = true;  // an exception must not pass through C
    }
    if (full) png_error(png, "not enough memory");
}

void writeAll(Writer& w) {
    const auto& s = w.grid->shape();
    const auto& metadata = w.grid->metadata;
    const int bits = w.grid->type() == PixelType::u8 ? 8 : 16;
    const int colour = s.channels == 1   ? PNG_COLOR_TYPE_GRAY
                       : s.channels == 3 ? PNG_COLOR_TYPE_RGB
                                         : PNG_COLOR_TYPE_RGB_ALPHA;
    png_set_user_limits(w.png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(w.png, w.info, static_cast<png_uint_32>(s.width), static_cast<png_uint_32>(s.height), bits, colour,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(w.png, kLevel);
    // A profile that libpng finds wrong for the picture is left out rather than failing the save.
    png_set_benign_errors(w.png, 1);
    if (!metadata.iccProfile.empty()) {
        png_set_iCCP(w.png, w.info, "icc", PNG_COMPRESSION_TYPE_BASE,
                     reinterpret_cast<png_const_bytep>(metadata.iccProfile.data()),
                     static_cast<png_uint_32>(metadata.iccProfile.size()));
    }
    if (!metadata.exif.empty()) {
        png_set_eXIf_1(w.png, w.info, static_cast<png_uint_32>(metadata.exif.size()),
                       const_cast<png_bytep>(reinterpret_cast<png_const_bytep>(metadata.exif.data())));
    }
    if (const auto dpi = resolutionOf(*w.grid)) {
        const double x = std::round((*dpi)[0] * kInchesAMetre), y = std::round((*dpi)[1] * kInchesAMetre);
        if (x >= 1 && y >= 1 && x < 2e9 && y < 2e9) {
            png_set_pHYs(w.png, w.info, static_cast<png_uint_32>(x), static_cast<png_uint_32>(y), PNG_RESOLUTION_METER);
        }
    }
    png_write_info(w.png, w.info);
    if (bits == 16) png_set_swap(w.png);
    const auto rowBytes = w.grid->bytes() / static_cast<std::size_t>(s.height);
    for (std::int64_t y = 0; y < s.height; ++y) {
        png_write_row(w.png,
                      reinterpret_cast<png_const_bytep>(w.grid->data() + static_cast<std::size_t>(y) * rowBytes));
    }
    png_write_end(w.png, nullptr);
}

}  // namespace

bool isPng(Bytes head) {
    constexpr std::array<unsigned char, 8> kSignature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return startsWith(head, kSignature);
}

Grid decodePng(Bytes file, const Limits& limits, const std::string& where) {
    Reader r;
    r.file = file;
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, onError<Reader>, onWarning);
    if (r.png == nullptr) throw std::bad_alloc();
    r.info = png_create_info_struct(r.png);
    if (r.info == nullptr) throw std::bad_alloc();
    png_set_read_fn(r.png, &r, onRead);
    // libpng's own limits sit just above ours, whose message is clearer.
    png_set_user_limits(r.png, 0x7fffffff, 0x7fffffff);
    png_set_chunk_malloc_max(r.png, static_cast<png_alloc_size_t>(limits.metadataBytes));
    png_set_chunk_cache_max(r.png, 64);
    constexpr png_byte kSkipped[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0pCAL\0sCAL\0oFFs\0tIME";
    png_set_keep_unknown_chunks(r.png, PNG_HANDLE_CHUNK_NEVER, kSkipped, sizeof(kSkipped) / 5);

    if (!guarded(r, readHeader)) damaged(where, "PNG", r.message.data());
    const auto type = r.bits == 16 ? PixelType::u16 : PixelType::u8;
    const auto shape = shapeOf(r);
    limits.check(shape, type, where);
    const std::int64_t stored =
        checkedMultiply(shape.pixels(), r.bits * png_get_channels(r.png, r.info), "its size") / 8;
    if (stored / kBestRatio > static_cast<std::int64_t>(file.size())) {
        damaged(where, "PNG", "the file is too short for its picture");
    }
    if (!guarded(r, setTransformations)) damaged(where, "PNG", r.message.data());

    Grid grid(shape, type);
    if (r.rowBytes * r.height != grid.bytes()) damaged(where, "PNG", "rows of an unexpected size");
    r.target = grid.data();
    if (!guarded(r, readRows)) damaged(where, "PNG", r.message.data());
    readMetadata(r, limits, grid);
    r.said = &grid.metadata.exif;
    if (!guarded(r, readOrientation)) damaged(where, "PNG", r.message.data());
    return upright(std::move(grid), r.orientation);
}

std::vector<std::byte> encodePng(const Grid& grid, const std::string& where, const EncodeOptions& /*options*/) {
    Writer w;
    w.grid = &grid;
    w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &w, onError<Writer>, onWarning);
    if (w.png == nullptr) throw std::bad_alloc();
    w.info = png_create_info_struct(w.png);
    if (w.info == nullptr) throw std::bad_alloc();
    png_set_write_fn(w.png, &w, onWrite, nullptr);
    if (!guarded(w, writeAll)) {
        throw Error(Error::Kind::unwritable, where + ": libpng gave up (" + w.message.data() + "): write .tif instead");
    }
    return std::move(w.out);
}

}  // namespace warplens::io::codecs
