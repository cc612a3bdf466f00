// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/volume_values.hpp"

#include "io/codecs/bunzip2.hpp"
#include "io/codecs/common.hpp"
#include "io/codecs/convert.hpp"
#include "io/codecs/inflate.hpp"
#include "io/codecs/text_values.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kChunk = 1 << 16;

/// Where the values of one frame are among those of the file, counted in values.
struct Layout {
    struct Axis {
        std::int64_t size = 1, stride = 0;
    };
    Shape shape;
    Axis channel, x, y, z;
    std::int64_t frames = 1;
    std::int64_t frame = 0;  ///< the one wanted, from 0
    std::int64_t first = 0;  ///< its first value

    /// From its first value to past its last.
    std::int64_t extent() const {
        std::int64_t last = 0;
        for (const auto& axis : {channel, x, y, z}) last += (axis.size - 1) * axis.stride;
        return last + 1;
    }
    /// In the file just as in a grid.
    bool inOrder() const {
        std::int64_t stride = 1;
        for (const auto& axis : {channel, x, y, z}) {
            if (axis.size > 1 && axis.stride != stride) return false;
            stride *= axis.size;
        }
        return true;
    }
};

Layout layoutOf(const VolumeHeader& header, const Source& source) {
    Layout l;
    std::vector<Layout::Axis> frames;
    std::int64_t stride = 1;
    std::array<Layout::Axis*, 3> space{&l.x, &l.y, &l.z};
    for (std::size_t axis = 0; axis < header.sizes.size(); ++axis) {
        const auto size = header.sizes[axis];
        const auto place = std::find(header.space.begin(), header.space.end(), axis) - header.space.begin();
        if (place < static_cast<std::ptrdiff_t>(header.space.size())) {
            *space.at(static_cast<std::size_t>(place)) = {size, stride};
        } else if (axis == header.pixel && (size == 3 || size == 4)) {
            l.channel = {size, stride};
        } else {
            frames.push_back({size, stride});
            l.frames *= size;
        }
        stride *= size;
    }
    l.shape = {l.x.size, l.y.size, l.z.size, static_cast<int>(l.channel.size)};
    if (source.frame < 0 || source.frame > l.frames) {
        throw Error(Error::Kind::argument, source.where + ": there is no frame " + std::to_string(source.frame) +
                                               ": choose 1 to " + std::to_string(l.frames));
    }
    l.frame = std::max(source.frame, 1) - 1;
    auto left = l.frame;
    for (const auto& axis : frames) {
        l.first += left % axis.size * axis.stride;
        left /= axis.size;
    }
    return l;
}

class Reader {
public:
    Reader(const VolumeHeader& header, const char* title, const Source& source)
        : m_header(header), m_title(title), m_source(source) {
        const auto bytes = valuesOf(header, title, source.where) * bytesOfType(header.type);
        const auto files = static_cast<std::int64_t>(header.dataPaths.size());
        // A file each slice, or each row, frame ...: all that the slowest axes count.
        std::int64_t counted = 1;
        auto axis = header.sizes.size();
        while (counted < files && axis > 0) counted *= header.sizes[--axis];
        if (counted != files) {
            fail("its values lie in " + std::to_string(files) + " files, which is not how many slices it has");
        }
        m_share = bytes / files;
        // What stands before packed values is decompressed only to be thrown away.
        if (header.byteSkip > source.limits.bytes) {
            throw Error(Error::Kind::limit, source.where + ": its byte skip of " + std::to_string(header.byteSkip) +
                                                " is over the limit of " + std::to_string(source.limits.bytes) +
                                                " bytes: save the values without what stands before them");
        }
    }

    /// Fills `out` with bytes from this one of all on, as they are stored.
    void read(std::int64_t from, std::span<std::byte> out) {
        m_wanted = static_cast<double>(out.size());
        for (std::int64_t file = from / m_share; !out.empty(); ++file) {
            const auto skipped = from - file * m_share;
            const auto part =
                out.first(static_cast<std::size_t>(std::min(m_share - skipped, static_cast<std::int64_t>(out.size()))));
            readFile(m_header.dataPaths.at(static_cast<std::size_t>(file)), skipped, part);
            out = out.subspan(part.size());
            from += static_cast<std::int64_t>(part.size());
        }
    }

    /// Bytes after the values in the files that were read, where those are plain.
    std::int64_t unread() const { return m_unread; }

private:
    [[noreturn]] void fail(const std::string& detail) const { damaged(m_source.where, m_title, detail); }

    void readFile(const std::string& path, std::int64_t skipped, std::span<std::byte> out) {
        auto begin = afterLines(path);
        switch (m_header.packing) {
            case Packing::plain: readPlain(path, begin, skipped, out); return;
            case Packing::text:
                readDecimals(path, begin + m_header.byteSkip, m_header.type, skipped / bytesOfType(m_header.type), out,
                             m_title, m_source);
                return;
            case Packing::hex: readHex(path, begin + m_header.byteSkip, skipped, out, m_title, m_source); return;
            case Packing::deflate: {
                InflatedFile stream(path, begin, Wrapping::zlibOrGzip, m_title, m_source);
                readStream(stream, skipped, out);
                return;
            }
            case Packing::bzip2: {
                Bunzip2File stream(path, begin, m_title, m_source);
                readStream(stream, skipped, out);
                return;
            }
            case Packing::unknown: fail("its values are packed in a way that is not known");
        }
    }

    std::int64_t afterLines(const std::string& path) const {
        auto at = m_header.dataBegin;
        auto lines = m_header.lineSkip;
        if (lines == 0) return at;
        InputFile file(path);
        file.seek(std::min(at, file.size()));
        std::vector<char> piece(kChunk);
        while (lines > 0) {
            const auto count = std::min(file.size() - at, static_cast<std::int64_t>(piece.size()));
            if (count <= 0) fail("line skip leads beyond its end");
            file.readExactly(std::as_writable_bytes(std::span(piece).first(static_cast<std::size_t>(count))));
            const char* const end = piece.data() + count;
            const char* next = piece.data();
            while (lines > 0 && next != end) {
                const auto* line =
                    static_cast<const char*>(std::memchr(next, '\n', static_cast<std::size_t>(end - next)));
                next = line == nullptr ? end : line + 1;
                lines -= line != nullptr;
            }
            at += next - piece.data();
        }
        return at;
    }

    void readPlain(const std::string& path, std::int64_t begin, std::int64_t skipped, std::span<std::byte> out) {
        InputFile file(path);
        begin = m_header.atEnd ? std::max(begin, file.size() - m_share) : begin + m_header.byteSkip;
        const auto missing = begin + m_share - file.size();
        if (missing > 0) fail(std::to_string(missing) + " bytes of its values are missing");
        if (!m_header.atEnd) m_unread -= missing;
        file.seek(begin + skipped);
        while (!out.empty()) {
            const auto part = out.first(std::min(out.size(), 64 * kChunk));
            file.readExactly(part);
            out = out.subspan(part.size());
            tell(part.size());
        }
    }

    /// Reads on to the end of the stream, where its checksum is.
    void readStream(ByteStream& stream, std::int64_t skipped, std::span<std::byte> out) {
        std::vector<std::byte> piece(kChunk);
        const auto asked = std::to_string(m_share) + " bytes that the header asks for";
        std::int64_t held = 0;
        const auto drop = [&](std::int64_t bytes) {
            for (std::int64_t left = bytes; left > 0;) {
                const auto most = std::min(left, static_cast<std::int64_t>(piece.size()));
                const auto got = stream.read(std::span(piece).first(static_cast<std::size_t>(most)));
                if (got == 0) return false;
                left -= static_cast<std::int64_t>(got);
                held += static_cast<std::int64_t>(got);
            }
            return true;
        };
        const auto tooFew = [&] { fail("its compressed stream holds " + std::to_string(held) + " of the " + asked); };
        if (!drop(m_header.byteSkip)) fail("byte skip leads beyond its end");
        held = 0;
        if (!drop(skipped)) tooFew();
        while (!out.empty()) {
            const auto got = stream.read(out);
            if (got == 0) tooFew();
            out = out.subspan(got);
            held += static_cast<std::int64_t>(got);
            tell(got);
        }
        if (!drop(m_share - held)) tooFew();
        while (stream.read(piece) > 0) {
            if (!m_header.moreIsFine) fail("its compressed stream holds more than the " + asked);
        }
    }

    void tell(std::size_t bytes) {
        m_done += static_cast<double>(bytes);
        m_source.tell(m_done / m_wanted);
    }

    const VolumeHeader& m_header;
    const char* m_title;
    const Source& m_source;
    std::int64_t m_share = 0;  ///< bytes of values in each file
    std::int64_t m_unread = 0;
    double m_wanted = 1;
    double m_done = 0;
};

/// Memory that takes its room only as it is filled: a header may promise more than a stream holds.
struct Buffer {
    explicit Buffer(std::int64_t bytes)
        : size(static_cast<std::size_t>(bytes)), data(std::make_unique_for_overwrite<std::byte[]>(size)) {}
    std::span<std::byte> span() const { return {data.get(), size}; }

    std::size_t size;
    std::unique_ptr<std::byte[]> data;
};

/// Those of the frame, side by side as a grid has them.
Buffer gathered(const Buffer& stored, const Layout& l, std::size_t size) {
    Buffer result(l.shape.values() * static_cast<std::int64_t>(size));
    auto* to = result.data.get();
    for (std::int64_t z = 0; z < l.z.size; ++z) {
        for (std::int64_t y = 0; y < l.y.size; ++y) {
            for (std::int64_t x = 0; x < l.x.size; ++x) {
                for (std::int64_t c = 0; c < l.channel.size; ++c, to += size) {
                    const auto at = z * l.z.stride + y * l.y.stride + x * l.x.stride + c * l.channel.stride;
                    std::memcpy(to, stored.data.get() + static_cast<std::size_t>(at) * size, size);
                }
            }
        }
    }
    return result;
}

std::int64_t infinities(std::span<const std::byte> stored, std::string_view type) {
    const auto count = [&]<class T>(T value) {
        std::int64_t found = 0;
        for (std::size_t at = 0; at < stored.size(); at += sizeof(T)) {
            std::memcpy(&value, &stored[at], sizeof(T));
            found += std::isinf(value);
        }
        return found;
    };
    return type == "f32" ? count(float{}) : type == "f64" ? count(double{}) : 0;
}

void tellChanges(const VolumeHeader& header, const Layout& l, Grid& grid) {
    auto& metadata = grid.metadata;
    if (header.type != nameOf(grid.type())) metadata.sourceType = header.type;
    if (l.frames > 1) {
        metadata.pages = static_cast<int>(std::min<std::int64_t>(l.frames, 1 << 30));
        metadata.page = static_cast<int>(l.frame) + 1;
        metadata.notes.push_back("frame " + std::to_string(l.frame + 1) + " of " + std::to_string(l.frames) +
                                 " was read");
    }
    if (header.scaled()) {
        metadata.notes.push_back("values were multiplied by " + formatNumber(header.slope) + ", then " +
                                 formatNumber(header.intercept) + " was added, as the file says");
    }
    metadata.notes.insert(metadata.notes.end(), header.notes.begin(), header.notes.end());
}

}  // namespace

Grid readVolume(const VolumeHeader& header, const char* title, const Source& source) {
    if (source.path.empty()) {
        unsupported(source.where, std::string(title) + " that is no file", "save it to a file first");
    }
    checkBytes(header, title, source);
    const auto l = layoutOf(header, source);
    const auto held = header.scaled() ? PixelType::f32 : convertedType(header.type);
    source.limits.check(l.shape, held, source.where);
    const auto size = bytesOfType(header.type);
    Reader reader(header, title, source);
    const auto read = [&](std::span<std::byte> out) {
        reader.read(l.first * size, out);
        constexpr bool kBigHost = std::endian::native == std::endian::big;
        // Text is converted to the host's order; all else is as the header says.
        if (size > 1 && header.packing != Packing::text && header.bigEndian != kBigHost)
            swapBytes(out, static_cast<std::size_t>(size));
    };
    Grid grid(l.shape, held);
    if (l.inOrder() && !header.scaled() && nameOf(held) == header.type) {
        read({grid.data(), grid.bytes()});
    } else {
        Buffer stored(l.extent() * size);
        read(stored.span());
        if (!l.inOrder()) stored = gathered(stored, l, static_cast<std::size_t>(size));
        if (header.scaled()) {
            scaleValues(stored.span(), header.type, header.slope, header.intercept, grid);
            if (infinities({grid.data(), grid.bytes()}, "f32") > infinities(stored.span(), header.type))
                unsupported(source.where, "its scale leads beyond the range of f32", "scale the values down first");
        } else {
            convertValues(stored.span(), header.type, {}, grid, source.where);
        }
    }
    grid.geometry = header.geometry;
    const std::array<std::int64_t, 3> extents{l.x.size, l.y.size, l.z.size};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        // How far apart the values of an axis are that has but one, matters to nobody.
        if (extents[axis] == 1 && grid.geometry.spacing[axis] == 0) grid.geometry.spacing[axis] = 1;
    }
    tellChanges(header, l, grid);
    if (reader.unread() > 0)
        grid.metadata.notes.push_back(std::to_string(reader.unread()) + " bytes after its values were not read");
    tidyGeometry(grid);
    return grid;
}

}  // namespace warplens::io::codecs
