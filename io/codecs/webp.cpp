// SPDX-License-Identifier: Apache-2.0
// libwebp decodes and encodes the pixels, libwebpdemux takes the chunks apart and puts the frames of an animation
// together; chunks are written here.
#include "io/codecs/common.hpp"
#include "io/codecs/exif.hpp"
#include "io/codecs/formats.hpp"
#include "io/in_space.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kFileHeader = 12;  // "RIFF", the size of what follows the size, "WEBP"
constexpr std::size_t kChunkHeader = 8;
constexpr std::size_t kExtendedHeader = kChunkHeader + 10;
// Higher levels take longer and save little of a photograph.
constexpr int kLosslessLevel = 3;

const char* titleOf(VP8StatusCode status) {
    switch (status) {
        case VP8_STATUS_OUT_OF_MEMORY: return "out of memory";
        case VP8_STATUS_NOT_ENOUGH_DATA: return "the pixels end too early";
        case VP8_STATUS_UNSUPPORTED_FEATURE: return "a feature that libwebp does not know";
        default: return "the pixels make no sense";
    }
}

WebPData dataOf(Bytes bytes) { return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}; }

class Decoder {
public:
    explicit Decoder(const Source& source)
        : m_source(source), m_data(dataOf(source.file)), m_chunks(WebPDemux(&m_data), &WebPDemuxDelete) {
        if (m_chunks == nullptr) fail(shorterThanItSays() ? "the file ends too early" : "its chunks make no sense");
        m_frames = static_cast<int>(WebPDemuxGetI(m_chunks.get(), WEBP_FF_FRAME_COUNT));
        const bool alpha = (flags() & ALPHA_FLAG) != 0 || anyFrameHasAlpha();
        m_shape = {WebPDemuxGetI(m_chunks.get(), WEBP_FF_CANVAS_WIDTH),
                   WebPDemuxGetI(m_chunks.get(), WEBP_FF_CANVAS_HEIGHT), 1, alpha ? 4 : 3};
    }

    Grid decode() {
        checkFrame();
        const bool all = m_source.frame == 0 && m_frames > 1;
        Shape whole = m_shape;
        whole.depth = all ? m_frames : 1;
        m_source.limits.check(whole, PixelType::u8, m_source.where);
        if (std::max(m_shape.width, m_shape.height) > WEBP_MAX_DIMENSION)
            fail("its canvas is too large for its frames");
        readExif();
        auto grid = (flags() & ANIMATION_FLAG) != 0 ? readFrames(all) : finished(readStill());
        tellFrames(grid);
        return grid;
    }

private:
    [[noreturn]] void fail(const std::string& detail) const { damaged(m_source.where, "WebP", detail); }

    std::uint32_t flags() const { return WebPDemuxGetI(m_chunks.get(), WEBP_FF_FORMAT_FLAGS); }

    bool shorterThanItSays() const {
        const auto& file = m_source.file;
        return file.size() < kFileHeader || littleEndian(file, 4, 4) > file.size() - kChunkHeader;
    }

    bool anyFrameHasAlpha() const {
        bool alpha = false;
        WebPIterator frame{};
        if (WebPDemuxGetFrame(m_chunks.get(), 1, &frame) != 0) {
            do alpha = alpha || frame.has_alpha != 0;
            while (WebPDemuxNextFrame(&frame) != 0);
        }
        WebPDemuxReleaseIterator(&frame);
        return alpha;
    }

    void checkFrame() const {
        if (m_frames < 1) fail("it holds no picture");
        if (m_source.frame >= 0 && m_source.frame <= m_frames) return;
        throw Error(Error::Kind::argument, m_source.where + ": there is no frame " + std::to_string(m_source.frame) +
                                               (m_frames > 1 ? ": choose 1 to " + std::to_string(m_frames)
                                                             : ", the file holds one picture: leave --frame out"));
    }

    /// The content of the first chunk of this name, a part of the file; empty where there is none.
    Bytes chunk(const char* name) const {
        Bytes content;
        WebPChunkIterator found{};
        if (WebPDemuxGetChunk(m_chunks.get(), name, 1, &found) != 0)
            content = std::as_bytes(std::span(found.chunk.bytes, found.chunk.size));
        WebPDemuxReleaseChunkIterator(&found);
        return content;
    }

    void readExif() {
        const auto exif = chunk("EXIF");
        // As in a JPEG, though the format has the small TIFF alone.
        constexpr std::string_view kName("Exif\0\0", 6);
        const bool named = exif.size() >= kName.size() && std::memcmp(exif.data(), kName.data(), kName.size()) == 0;
        m_exif = named ? exif.subspan(kName.size()) : exif;
    }

    Grid readStill() const {
        WebPIterator frame{};
        if (WebPDemuxGetFrame(m_chunks.get(), 1, &frame) == 0) fail("it holds no picture");
        const WebPData pixels = frame.fragment;  // a part of the file
        WebPDemuxReleaseIterator(&frame);
        WebPDecoderConfig config{};
        if (WebPInitDecoderConfig(&config) == 0) throw std::logic_error("another version of libwebp");
        const auto known = WebPGetFeatures(pixels.bytes, pixels.size, &config.input);
        if (known != VP8_STATUS_OK) fail(titleOf(known));
        if (config.input.width != m_shape.width || config.input.height != m_shape.height)
            fail("its picture and its canvas differ in size");
        Grid grid(m_shape, PixelType::u8);
        config.output.colorspace = m_shape.channels == 4 ? MODE_RGBA : MODE_RGB;
        config.output.is_external_memory = 1;
        config.output.u.RGBA = {grid.as<std::uint8_t>(), static_cast<int>(m_shape.width * m_shape.channels),
                                grid.bytes()};
        const auto status = WebPDecode(pixels.bytes, pixels.size, &config);
        if (status != VP8_STATUS_OK) fail(titleOf(status));
        return grid;
    }

    /// One frame, or all as slices: each as it is seen, on what earlier ones left.
    Grid readFrames(bool all) const {
        WebPAnimDecoderOptions options{};
        if (WebPAnimDecoderOptionsInit(&options) == 0) throw std::logic_error("another version of libwebpdemux");
        options.color_mode = MODE_RGBA;
        const std::unique_ptr<WebPAnimDecoder, decltype(&WebPAnimDecoderDelete)> frames(
            WebPAnimDecoderNew(&m_data, &options), &WebPAnimDecoderDelete);
        if (frames == nullptr) throw std::bad_alloc();
        const int last = all ? m_frames : std::max(m_source.frame, 1);
        Grid grid;
        for (int number = 1; number <= last; ++number) {
            std::uint8_t* seen = nullptr;
            int until = 0;
            if (WebPAnimDecoderGetNext(frames.get(), &seen, &until) == 0)
                fail("frame " + std::to_string(number) + " makes no sense");
            m_source.tell(static_cast<double>(number) / last);
            if (!all && number < last) continue;
            auto slice = finished(copied(seen));
            if (!all) return slice;
            if (number == 1) grid = stackLike(slice);
            std::memcpy(grid.data() + slice.bytes() * static_cast<std::size_t>(number - 1), slice.data(),
                        slice.bytes());
        }
        return grid;
    }

    Grid copied(const std::uint8_t* rgba) const {
        Grid grid(m_shape, PixelType::u8);
        auto* to = grid.as<std::uint8_t>();
        if (m_shape.channels == 4) {
            std::memcpy(to, rgba, grid.bytes());
        } else {
            for (std::int64_t i = 0; i < m_shape.pixels(); ++i, rgba += 4) to = std::copy_n(rgba, 3, to);
        }
        return grid;
    }

    Grid stackLike(Grid& slice) const {
        Shape shape = slice.shape();
        shape.depth = m_frames;
        Grid stack(shape, PixelType::u8);
        stack.geometry = slice.geometry;
        stack.metadata = std::move(slice.metadata);
        return stack;
    }

    /// With what the file says of the picture, and upright.
    Grid finished(Grid grid) const {
        auto& metadata = grid.metadata;
        const auto most = static_cast<std::size_t>(m_source.limits.metadataBytes);
        if (const auto profile = chunk("ICCP"); profile.size() <= most)
            metadata.iccProfile.assign(profile.begin(), profile.end());
        if (m_exif.size() <= most) metadata.exif = uprightTiff(m_exif);
        if (const auto dpi = tiffResolution(m_exif)) setResolution(grid, (*dpi)[0], (*dpi)[1]);
        return upright(std::move(grid), tiffOrientation(m_exif));
    }

    void tellFrames(Grid& grid) const {
        if (m_frames == 1) return;
        auto& metadata = grid.metadata;
        const auto count = std::to_string(m_frames);
        metadata.pages = m_frames;
        metadata.page = m_source.frame;
        if (m_source.frame > 0) {
            metadata.notes.push_back("frame " + std::to_string(m_source.frame) + " of " + count + " was read");
            return;
        }
        metadata.notes.push_back("its " + count + " frames were read as slices");
        if (hasGeometry(grid.geometry))
            metadata.notes.emplace_back("the third axis is time: its spacing, 1 mm, is no length");
    }

    const Source& m_source;
    WebPData m_data;
    std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)> m_chunks;
    Shape m_shape;  ///< of one frame, as stored
    int m_frames = 0;
    Bytes m_exif;
};

/// The input and the output of libwebp's encoder.
struct Encoder {
    WebPPicture picture{};
    WebPConfig config{};
    std::vector<std::byte> out;
    bool full = false;

    Encoder() {
        if (WebPPictureInit(&picture) == 0 || WebPConfigInit(&config) == 0)
            throw std::logic_error("another version of libwebp");
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() { WebPPictureFree(&picture); }
};

int onWrite(const std::uint8_t* bytes, std::size_t count, const WebPPicture* picture) {
    auto* encoder = static_cast<Encoder*>(picture->custom_ptr);
    const auto* first = reinterpret_cast<const std::byte*>(bytes);
    try {
        encoder->out.insert(encoder->out.end(), first, first + count);
    } catch (...) {
        encoder->full = true;  // an exception must not pass through C
    }
    return encoder->full ? 0 : 1;
}

bool imported(WebPPicture& picture, const Grid& grid) {
    const auto& shape = grid.shape();
    const auto* values = grid.as<std::uint8_t>();
    const auto width = static_cast<int>(shape.width);
    if (shape.channels == 4) return WebPPictureImportRGBA(&picture, values, width * 4) != 0;
    if (shape.channels == 3) return WebPPictureImportRGB(&picture, values, width * 3) != 0;
    std::vector<std::uint8_t> colours;
    colours.reserve(grid.bytes() * 3);
    for (std::size_t i = 0; i < grid.bytes(); ++i) colours.insert(colours.end(), 3, values[i]);
    return WebPPictureImportRGB(&picture, colours.data(), width * 3) != 0;
}

/// A file of the pixels alone.
std::vector<std::byte> encodePixels(const Grid& grid, const std::string& where, int quality) {
    Encoder encoder;
    const bool lossless = quality == EncodeOptions::kMostQuality;
    if (lossless) WebPConfigLosslessPreset(&encoder.config, kLosslessLevel);
    if (!lossless) encoder.config.quality = static_cast<float>(quality);
    encoder.config.exact = lossless ? 1 : 0;  // colours under full transparency are values too
    auto& picture = encoder.picture;
    picture.use_argb = lossless ? 1 : 0;
    picture.width = static_cast<int>(grid.shape().width);
    picture.height = static_cast<int>(grid.shape().height);
    picture.writer = onWrite;
    picture.custom_ptr = &encoder;
    if (!imported(picture, grid)) throw std::bad_alloc();
    if (WebPEncode(&encoder.config, &picture) != 0) return std::move(encoder.out);
    switch (picture.error_code) {
        case VP8_ENC_ERROR_OUT_OF_MEMORY:
        case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
        case VP8_ENC_ERROR_BAD_WRITE: throw std::bad_alloc();
        case VP8_ENC_ERROR_PARTITION0_OVERFLOW:
        case VP8_ENC_ERROR_PARTITION_OVERFLOW:
            unsupported(where, "more detail than a lossy WebP of this size holds",
                        "take a lower quality, or 100, which is lossless");
        default:
            throw Error(Error::Kind::unwritable, where + ": libwebp gave up (error " +
                                                     std::to_string(picture.error_code) + "): write .png instead");
    }
}

void append(std::vector<std::byte>& to, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) to.push_back(static_cast<std::byte>(value >> 8 * i & 0xff));
}

void append(std::vector<std::byte>& to, Bytes bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

void append(std::vector<std::byte>& to, std::string_view name, Bytes content) {
    append(to, std::as_bytes(std::span(name)));
    append(to, content.size(), 4);
    append(to, content);
    if (content.size() % 2 != 0) append(to, 0, 1);
}

/// The file of the pixels with what else is known in chunks of their own.
std::vector<std::byte> extended(Bytes pixels, const Shape& shape, Bytes profile, Bytes exif) {
    const auto names = [&](std::string_view name) { return std::memcmp(pixels.data(), name.data(), name.size()) == 0; };
    pixels = pixels.subspan(kFileHeader);
    if (names("VP8X")) pixels = pixels.subspan(kExtendedHeader);
    const unsigned holds = (profile.empty() ? 0U : unsigned{ICCP_FLAG}) | (exif.empty() ? 0U : unsigned{EXIF_FLAG}) |
                           (shape.channels == 4 ? unsigned{ALPHA_FLAG} : 0U);
    std::vector<std::byte> header;
    append(header, holds, 4);
    append(header, static_cast<std::uint64_t>(shape.width - 1), 3);
    append(header, static_cast<std::uint64_t>(shape.height - 1), 3);
    std::vector<std::byte> chunks;
    append(chunks, std::as_bytes(std::span(std::string_view("WEBP"))));
    append(chunks, "VP8X", header);
    if (!profile.empty()) append(chunks, "ICCP", profile);
    append(chunks, pixels);
    if (!exif.empty()) append(chunks, "EXIF", exif);
    std::vector<std::byte> file;
    append(file, "RIFF", chunks);
    return file;
}

/// A profile of grey says nothing of the three channels that grey is written as.
bool ofGrey(Bytes profile) {
    constexpr std::size_t kColours = 16;
    return profile.size() >= kColours + 4 && std::memcmp(profile.data() + kColours, "GRAY", 4) == 0;
}

}  // namespace

bool isWebp(Bytes head) {
    constexpr std::array<unsigned char, 4> kRiff{'R', 'I', 'F', 'F'}, kWebp{'W', 'E', 'B', 'P'};
    return head.size() >= kFileHeader && startsWith(head, kRiff) && startsWith(head.subspan(8), kWebp);
}

Grid decodeWebp(const Source& source) { return Decoder(source).decode(); }

std::vector<std::byte> encodeWebp(const Grid& grid, const std::string& where, const EncodeOptions& options) {
    const auto& shape = grid.shape();
    if (std::max(shape.width, shape.height) > WEBP_MAX_DIMENSION)
        unsupported(where,
                    "larger than WebP's " + std::to_string(WEBP_MAX_DIMENSION) + " x " +
                        std::to_string(WEBP_MAX_DIMENSION) + " pixels",
                    "write .png or .tif");
    const auto& metadata = grid.metadata;
    auto pixels = encodePixels(grid, where, options.quality);
    const auto dpi = resolutionOf(grid);
    const auto exif = dpi ? withResolution(metadata.exif, *dpi) : metadata.exif;
    const Bytes profile = ofGrey(metadata.iccProfile) ? Bytes() : Bytes(metadata.iccProfile);
    if (shape.channels != 4 && profile.empty() && exif.empty()) return pixels;
    return extended(pixels, shape, profile, exif);
}

}  // namespace warplens::io::codecs
