// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/nifti_values.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/convert.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <zlib.h>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kChunk = 1 << 22;

/// A file, inflated on the way if it is gzip.
class GzipFile {
public:
    GzipFile(const std::string& path, std::int64_t offset, const Source& source)
        : m_source(source), m_file(::gzopen64(path.c_str(), "rb")) {
        if (m_file == nullptr || ::gzseek64(m_file, offset, SEEK_SET) != offset) fail();
    }
    ~GzipFile() {
        if (m_file != nullptr) ::gzclose_r(m_file);
    }
    GzipFile(const GzipFile&) = delete;
    GzipFile& operator=(const GzipFile&) = delete;

    void read(std::span<std::byte> out) {
        const auto total = static_cast<double>(out.size());
        while (!out.empty()) {
            const auto got = ::gzread(m_file, out.data(), static_cast<unsigned>(std::min(out.size(), kChunk)));
            if (got <= 0) fail();
            out = out.subspan(static_cast<std::size_t>(got));
            m_source.tell(1 - static_cast<double>(out.size()) / total);
        }
    }

private:
    [[noreturn]] void fail() const { damaged(m_source.where, "NIfTI", "its values end too early"); }
    const Source& m_source;
    gzFile m_file;
};

struct Frames {
    Shape shape;
    std::int64_t count = 1;
    std::int64_t chosen = 0;    ///< from 0
    bool withinPixels = false;  ///< the parts of complex numbers
};

Frames framesOf(const NiftiHeader& header, const Source& source) {
    // The first of the sizes is that of a pixel.
    const auto size = [&](std::size_t axis) { return axis < header.sizes.size() ? header.sizes[axis] : 1; };
    Frames frames;
    frames.shape = {size(1), size(2), size(3), static_cast<int>(size(0))};
    for (std::size_t axis = 4; axis < header.sizes.size(); ++axis) frames.count *= header.sizes[axis];
    if (frames.shape.channels == 2) {
        if (frames.count > 1) {
            unsupported(source.where, "a NIfTI with several frames of complex numbers", "select one of them first");
        }
        frames.shape.channels = 1;
        frames.count = 2;
        frames.withinPixels = true;
    }
    if (source.frame < 0 || source.frame > frames.count) {
        throw Error(Error::Kind::argument, source.where + ": there is no frame " + std::to_string(source.frame) +
                                               ": choose 1 to " + std::to_string(frames.count));
    }
    frames.chosen = std::max(source.frame, 1) - 1;
    source.limits.check(frames.shape, header.scaled ? PixelType::f32 : convertedType(header.type), source.where);
    return frames;
}

}  // namespace

Grid readNiftiValues(const NiftiHeader& header, const Source& source) {
    const auto frames = framesOf(header, source);
    const auto valueBytes = bytesOfType(header.type);
    const auto parts = frames.withinPixels ? frames.count : 1;
    const auto frameBytes = frames.shape.values() * parts * valueBytes;
    Grid grid(frames.shape, header.scaled ? PixelType::f32 : convertedType(header.type));
    GzipFile file(header.dataPath, header.offset + (frames.withinPixels ? 0 : frames.chosen * frameBytes), source);
    const auto read = [&](std::span<std::byte> out) {
        file.read(out);
        if (header.bigEndian && valueBytes > 1) swapBytes(out, static_cast<std::size_t>(valueBytes));
    };
    if (parts == 1 && !header.scaled && nameOf(grid.type()) == header.type) {
        read({grid.data(), grid.bytes()});
    } else {
        std::vector<std::byte> stored(static_cast<std::size_t>(frameBytes));
        read(stored);
        const Pick pick{frames.withinPixels ? frames.chosen : 0, parts};
        if (header.scaled) {
            scaleValues(stored, header.type, header.slope, header.intercept, grid);
        } else {
            convertValues(stored, header.type, pick, grid, source.where);
        }
    }
    auto& metadata = grid.metadata;
    if (header.type != nameOf(grid.type())) metadata.sourceType = header.type;
    if (frames.count > 1) {
        metadata.pages = static_cast<int>(std::min<std::int64_t>(frames.count, 1 << 30));
        metadata.page = static_cast<int>(frames.chosen) + 1;
        metadata.notes.push_back("frame " + std::to_string(frames.chosen + 1) + " of " + std::to_string(frames.count) +
                                 " was read");
    }
    if (header.scaled) {
        metadata.notes.push_back("values were multiplied by " + formatNumber(header.slope) + ", then " +
                                 formatNumber(header.intercept) + " was added, as the file says");
    }
    return grid;
}

}  // namespace warplens::io::codecs
