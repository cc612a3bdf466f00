// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/common.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/tiff_description.hpp"
#include "io/codecs/tiff_directory.hpp"
#include "io/codecs/tiff_page.hpp"
#include "io/codecs/tiff_stream.hpp"
#include "io/convert_values.hpp"
#include "io/in_space.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace warplens::io::codecs {
namespace {

// What LZW and deflate can do at most, rounded up. The compressions beyond that are rare in stacks, and bounded by the
// limits alone.
constexpr std::int64_t kMostRatio = 2000;
// Pages may share their values, within reason.
constexpr std::int64_t kMostShared = 8;

/// Pictures in the file that belong together: volumes of `slices` planes, of which one is read, or three as its
/// colours.
struct Stack {
    std::int64_t channels = 1, slices = 1, times = 1;
    std::vector<std::int64_t> places;  ///< as TiffDescription::places
    bool oneDirectory = false;         ///< the planes follow the first page's values
    int samples = 1;                   ///< pictures within a page
    bool grey = true;                  ///< a page has one sample a pixel, and no palette

    /// Three channels are the colours of one volume, as everywhere; other numbers a grid does not hold.
    bool colours() const { return channels == 3 && grey; }
    std::int64_t volumes() const { return (colours() ? 1 : channels) * samples * times; }
    std::int64_t place(std::int64_t channel, std::int64_t slice, std::int64_t time) const {
        const auto plane = (time * slices + slice) * channels + channel;
        return places.empty() ? plane : places[static_cast<std::size_t>(plane)];
    }
};

class Decoder {
public:
    Decoder(TIFF* tiff, TiffStream& stream, int pages, const Source& source)
        : m_tiff(tiff), m_stream(stream), m_pages(pages), m_source(source) {}

    Grid decode() {
        openPage(0);
        m_stack.samples = picturesOfTiffPage(m_tiff);
        const auto kind = kindOfTiffPage(m_tiff);
        m_stack.grey = kind.samples == 1 && kind.photometric != PHOTOMETRIC_PALETTE;
        describe();
        const bool stacked = arrange();
        // Where the file holds one volume a frame is a page of it.
        const bool frames = m_stack.volumes() > 1 || m_stack.colours();
        const auto most = frames ? m_stack.volumes() : m_described ? m_stack.slices : m_pages;
        if (m_source.frame < 0 || m_source.frame > most) {
            throw Error(Error::Kind::argument, m_source.where + ": there is no " + (frames ? "frame " : "page ") +
                                                   std::to_string(m_source.frame) + ": choose 1 to " +
                                                   std::to_string(most));
        }
        auto grid = frames                           ? readVolume(std::max(m_source.frame, 1) - 1)
                    : stacked && m_source.frame == 0 ? readVolume(0)
                                                     : readPage(std::max(m_source.frame, 1) - 1, most);
        finish(grid, stacked);
        return grid;
    }

private:
    void openPage(std::int64_t page) {
        if (TIFFSetDirectory(m_tiff, static_cast<tdir_t>(page)) != 1) damaged(m_source.where, "TIFF", m_stream.error);
    }

    void describe() {
        char* text = nullptr;
        if (TIFFGetField(m_tiff, TIFFTAG_IMAGEDESCRIPTION, &text) != 1 || text == nullptr) return;
        const std::string_view all(text);
        if (static_cast<std::int64_t>(all.size()) > m_source.limits.metadataBytes) return;
        m_description = describeTiff(all, std::max<std::int64_t>(m_pages, m_source.fileBytes));
    }

    /// What the pages are to each other. True for a stack of several planes.
    bool arrange() {
        auto& d = m_description;
        if (d.kind == TiffDescription::Kind::shaped && m_pages == 1) {
            const auto kind = kindOfTiffPage(m_tiff);
            const auto values = std::int64_t{kind.width} * kind.height * kind.samples;
            d.images = d.slices = d.images % values == 0 ? d.images / values : 0;
        }
        m_stack.oneDirectory = m_pages == 1 && d.images > 1 && d.kind != TiffDescription::Kind::ome;
        if (m_stack.oneDirectory && !planesFollowTiffPage(m_tiff)) {
            d.notes.push_back("its description speaks of " + std::to_string(d.images) + " planes; the file has one");
            m_stack.oneDirectory = false;
        }
        if (m_stack.oneDirectory || describesPages()) {
            m_stack.channels = d.channels;
            m_stack.slices = d.slices;
            m_stack.times = d.times;
            m_described = true;
            m_stack.places = d.places;
            // A movie is a volume whose third axis is time: all of it is there to look at.
            m_moving = d.slices == 1 && d.times > 1;
            if (m_moving) std::swap(m_stack.slices, m_stack.times);
            return m_stack.slices * m_stack.volumes() > 1 || m_stack.colours();
        }
        if (m_pages == 1 || !pagesAgree({})) return false;
        m_stack.slices = m_pages;
        return true;
    }

    /// Whether what the description says is so.
    bool describesPages() {
        auto& d = m_description;
        if (d.kind == TiffDescription::Kind::none || d.kind == TiffDescription::Kind::shaped || d.images < 1)
            return false;
        const auto here = [this](std::int64_t page) { return page >= 0 && page < m_pages; };
        const bool there = d.places.empty() ? d.images == m_pages : std::ranges::all_of(d.places, here);
        if (there && pagesAgree(d.places)) return true;
        if (m_pages > 1 || d.images > 1) {
            d.notes.push_back("its description speaks of " + std::to_string(d.images) +
                              (there ? " planes, which differ in size or type" : " planes, not all of which are here") +
                              ": its pages were taken as they are");
        }
        return false;
    }

    /// Whether pages are slices of one volume: of one size and type, and none a thumbnail. Of all pages where none are
    /// named.
    bool pagesAgree(const std::vector<std::int64_t>& places) {
        const auto count = places.empty() ? m_pages : static_cast<std::int64_t>(places.size());
        const auto page = [&](std::int64_t i) { return places.empty() ? i : places[static_cast<std::size_t>(i)]; };
        openPage(page(0));
        const auto first = kindOfTiffPage(m_tiff);
        bool agree = !first.reduced;
        for (std::int64_t i = 1; i < count && agree; ++i) {
            // The next one is found without going through all before it.
            const bool next = page(i) == page(i - 1) + 1;
            if (next ? TIFFReadDirectory(m_tiff) != 1 : TIFFSetDirectory(m_tiff, static_cast<tdir_t>(page(i))) != 1)
                return false;
            auto kind = kindOfTiffPage(m_tiff);
            kind.compression = first.compression;
            agree = kind == first;
        }
        return agree;
    }

    void openPlace(std::int64_t place) { openPage(m_stack.oneDirectory ? 0 : place); }

    Grid readPlace(std::int64_t place, int sample) {
        openPlace(place);
        if (!m_conversion) m_conversion = conversionOfTiffPage(m_tiff, m_source.where);
        return readTiffPage(m_tiff, m_stream, {sample, m_stack.oneDirectory ? place : 0}, *m_conversion, m_source);
    }

    Grid readPage(std::int64_t page, std::int64_t of) {
        auto grid = readPlace(m_described ? m_stack.place(0, page, 0) : page, 0);
        grid.metadata.pages = static_cast<int>(std::min<std::int64_t>(of, 1 << 30));
        grid.metadata.page = static_cast<int>(page) + 1;
        if (of > 1) {
            grid.metadata.notes.push_back("page " + std::to_string(page + 1) + " of " + std::to_string(of) +
                                          " was read" + (m_source.frame == 0 ? ": they differ in size or type" : ""));
        }
        return grid;
    }

    /// Every plane of one volume becomes a slice, one after the other.
    Grid readVolume(std::int64_t volume) {
        const auto sample = static_cast<int>(volume % m_stack.samples);
        const auto channels = m_stack.colours() ? 1 : m_stack.channels;
        const auto channel = volume / m_stack.samples % channels;
        const auto time = volume / m_stack.samples / channels;
        const auto place = [&](std::int64_t c, std::int64_t z) { return m_stack.place(c, z, time); };
        openPlace(place(channel, 0));
        auto first = readPlace(place(channel, 0), sample);
        const bool colours = m_stack.colours();
        auto shape = first.shape();
        shape.depth = m_stack.slices;
        if (colours) shape.channels = 3;
        m_source.limits.check(shape, first.type(), m_source.where);
        checkSmall();
        Grid stack(shape, first.type());
        const auto size = first.bytes();
        const int passes = colours ? 3 : 1;
        for (std::int64_t z = 0; z < m_stack.slices; ++z) {
            for (int c = 0; c < passes; ++c) {
                m_source.tell(static_cast<double>(z * passes + c) / static_cast<double>(m_stack.slices * passes));
                const bool begun = z == 0 && c == 0;
                const auto slice = begun ? Grid() : readPlace(place(colours ? c : channel, z), sample);
                const auto& from = begun ? first : slice;
                if (from.bytes() != size || from.type() != stack.type()) {
                    damaged(m_source.where, "TIFF", "slice " + std::to_string(z + 1) + " differs from the first");
                }
                if (colours) {
                    interleave(from, z, c, stack);
                } else {
                    std::memcpy(stack.data() + size * static_cast<std::size_t>(z), from.data(), size);
                }
            }
        }
        stack.metadata = std::move(first.metadata);
        stack.geometry = first.geometry;
        tellVolume(volume, channel, time, sample, stack.metadata);
        return stack;
    }

    static void interleave(const Grid& from, std::int64_t z, int channel, Grid& stack) {
        const auto size = sizeOf(stack.type());
        const auto pixels = from.shape().pixels();
        auto* to = stack.data() + stack.index(0, 0, z, channel) * size;
        for (std::int64_t i = 0; i < pixels; ++i, to += 3 * size)
            std::memcpy(to, from.data() + static_cast<std::size_t>(i) * size, size);
    }

    /// Throws where so many planes cannot be in so small a file.
    void checkSmall() const {
        const auto kind = kindOfTiffPage(m_tiff);
        const auto c = kind.compression;
        const auto plane = (std::int64_t{kind.width} * kind.bits * kind.samples + 7) / 8 * kind.height;
        const auto all = checkedMultiply(plane, m_stack.slices, "the size of its planes");
        const bool packs = c == COMPRESSION_LZW || c == COMPRESSION_ADOBE_DEFLATE || c == COMPRESSION_DEFLATE ||
                           c == COMPRESSION_PACKBITS;
        if ((c == COMPRESSION_NONE && all > kMostShared * m_source.fileBytes) ||
            (packs && all > kMostRatio * m_source.fileBytes)) {
            damaged(m_source.where, "TIFF", std::to_string(m_stack.slices) + " pages cannot be in so small a file");
        }
    }

    void tellVolume(std::int64_t volume, std::int64_t channel, std::int64_t time, int sample, Metadata& metadata) {
        const auto volumes = m_stack.volumes();
        auto& notes = metadata.notes;
        metadata.pages = static_cast<int>(volumes > 1 ? std::min<std::int64_t>(volumes, 1 << 30) : m_stack.slices);
        metadata.page = volumes > 1 ? static_cast<int>(volume) + 1 : m_stack.slices > 1 ? 0 : 1;
        if (m_stack.colours()) notes.emplace_back("its 3 channels were read as red, green and blue");
        if (m_moving) notes.push_back("its " + std::to_string(m_stack.slices) + " times were read as slices");
        if (volumes == 1) return;
        std::string what;
        const auto add = [&](const char* name, std::int64_t number, std::int64_t of) {
            if (of > 1)
                what += std::string(what.empty() ? ": " : ", ") + name + " " + std::to_string(number + 1) + " of " +
                        std::to_string(of);
        };
        add("sample", sample, m_stack.samples);
        if (!m_stack.colours()) add("channel", channel, m_stack.channels);
        add("time", time, m_stack.times);
        notes.push_back("frame " + std::to_string(volume + 1) + " of " + std::to_string(volumes) + " was read" + what);
    }

    /// What the file as a whole says of the picture.
    void finish(Grid& grid, bool stacked) {
        const auto& d = m_description;
        m_conversion->tell(grid.metadata);
        for (const auto& note : d.notes) grid.metadata.notes.push_back(note);
        readPixelSize(grid);
        if (d.calibration && grid.shape().channels == 1) calibrate(grid, (*d.calibration)[0], (*d.calibration)[1]);
        const bool volume = stacked && grid.shape().depth > 1;
        if (volume && hasGeometry(grid.geometry) && (m_moving || !d.pixelSize[2])) {
            grid.metadata.notes.emplace_back(m_moving ? "the third axis is time: its spacing, 1 mm, is no length"
                                                      : "no distance of slices in the file: 1 mm is assumed");
        }
    }

    void readPixelSize(Grid& grid) {
        const auto& d = m_description;
        auto size = d.pixelSize;
        if (d.millimetres) {
            // ImageJ gives the resolution in its own unit, whatever the tag of the unit says.
            openPage(0);
            const auto directory = TIFFCurrentDirOffset(m_tiff);
            const auto x = tiffRational(m_source.file, directory, TIFFTAG_XRESOLUTION);
            const auto y = tiffRational(m_source.file, directory, TIFFTAG_YRESOLUTION);
            const bool said = x && y && *x > 0 && *y > 0;
            if (!said)
                grid.metadata.notes.emplace_back(
                    "no size of a pixel in the file: 1 of its unit is assumed, as ImageJ does");
            size[0] = *d.millimetres / (said ? *x : 1);
            size[1] = *d.millimetres / (said ? *y : 1);
            const auto orientation = kindOfTiffPage(m_tiff).orientation;
            if (orientation >= 5 && orientation <= 8) std::swap(size[0], size[1]);
        }
        if (size[0] && size[1]) setPixelSize(grid, *size[0], *size[1]);
        if (size[2] && grid.shape().depth > 1 && !m_moving) grid.geometry.spacing[2] = *size[2];
        if (!d.millimetres || !hasGeometry(grid.geometry)) return;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double origin = -d.originPixels[axis] * grid.geometry.spacing[axis];
            if (std::isfinite(origin) && origin != 0) grid.geometry.origin[axis] = origin;
        }
    }

    void calibrate(Grid& grid, double intercept, double slope) {
        // So ImageJ keeps signed integers of 16 bits.
        const bool isSigned = grid.type() == PixelType::u16 && intercept == -32768 && slope == 1;
        Grid scaled(grid.shape(), PixelType::f32);
        scaleValues({grid.data(), grid.bytes()}, nameOf(grid.type()), slope, intercept, scaled);
        const auto stored = grid.sourceType();
        scaled.geometry = grid.geometry;
        scaled.metadata = std::move(grid.metadata);
        scaled.metadata.sourceType = isSigned ? "i16" : stored;
        scaled.metadata.notes.push_back(isSigned
                                            ? "32768 was taken from the values, as ImageJ says of signed ones"
                                            : "values were multiplied by " + formatNumber(slope) + ", then " +
                                                  formatNumber(intercept) + " was added, as ImageJ's calibration says");
        grid = std::move(scaled);
    }

    TIFF* m_tiff;
    TiffStream& m_stream;
    int m_pages;
    const Source& m_source;
    TiffDescription m_description;
    Stack m_stack;
    bool m_described = false;  ///< the description says how the planes lie, and fits
    bool m_moving = false;     ///< slices are times
    std::optional<Conversion> m_conversion;
};

}  // namespace

bool isTiff(Bytes head) {
    constexpr std::array<std::array<unsigned char, 4>, 4> kSignatures{
        {{'I', 'I', 42, 0}, {'M', 'M', 0, 42}, {'I', 'I', 43, 0}, {'M', 'M', 0, 43}}};
    return std::any_of(kSignatures.begin(), kSignatures.end(), [&](const auto& s) { return startsWith(head, s); });
}

Grid decodeTiff(const Source& source) {
    const int pages = countTiffPages(source.file, source.where);
    TiffStream stream;
    stream.input = source.file;
    const auto tiff = openTiff(stream, "rm", source.limits.bytes + (std::int64_t{64} << 20));
    if (!tiff) damaged(source.where, "TIFF", stream.error);
    return Decoder(tiff.get(), stream, pages, source).decode();
}

}  // namespace warplens::io::codecs
