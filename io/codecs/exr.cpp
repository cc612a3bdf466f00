// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/common.hpp"
#include "io/codecs/exr_header.hpp"
#include "io/codecs/formats.hpp"
#include "io/format.hpp"

#include <Iex.h>
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfOutputFile.h>
#include <ImfPartType.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>

namespace warplens::io::codecs {
namespace {

/// A file in memory, as OpenEXR wants to see it.
class MemoryInput : public Imf::IStream {
public:
    explicit MemoryInput(Bytes file) : Imf::IStream("memory"), m_file(file) {}

    bool read(char out[], int count) override {
        if (count < 0 || static_cast<std::size_t>(count) > m_file.size() - m_position) {
            throw Iex::InputExc("the file ends too early");
        }
        std::memcpy(out, m_file.data() + m_position, static_cast<std::size_t>(count));
        m_position += static_cast<std::size_t>(count);
        return m_position < m_file.size();
    }
    std::uint64_t tellg() override { return m_position; }
    void seekg(std::uint64_t position) override {
        if (position > m_file.size()) throw Iex::InputExc("a place outside the file");
        m_position = static_cast<std::size_t>(position);
    }
    void clear() override {}

private:
    Bytes m_file;
    std::size_t m_position = 0;
};

class MemoryOutput : public Imf::OStream {
public:
    MemoryOutput() : Imf::OStream("memory") {}

    void write(const char bytes[], int count) override {
        const auto size = static_cast<std::size_t>(count);
        if (m_out.size() < m_position + size) m_out.resize(m_position + size);
        std::memcpy(m_out.data() + m_position, bytes, size);
        m_position += size;
    }
    std::uint64_t tellp() override { return m_position; }
    void seekp(std::uint64_t position) override { m_position = static_cast<std::size_t>(position); }
    std::vector<std::byte> take() { return std::move(m_out); }

private:
    std::vector<std::byte> m_out;
    std::size_t m_position = 0;
};

using Names = std::vector<std::string>;

/// The channels we read, in the order of the grid's; empty when the file holds another set.
Names channelsOf(const Imf::ChannelList& list, const std::string& where) {
    Names present;
    std::string shown;
    for (auto c = list.begin(); c != list.end(); ++c) {
        present.emplace_back(c.name());
        shown += (shown.empty() ? "" : ", ") + present.back();
        if (c.channel().xSampling != 1 || c.channel().ySampling != 1) {
            unsupported(where, "an EXR with subsampled channels", "save it as RGB first");
        }
        if (c.channel().type == Imf::UINT) {
            unsupported(where, "an EXR with whole-number channels", "save its colour channels as half or float");
        }
    }
    for (const Names& known : {Names{"Y"}, Names{"R", "G", "B"}, Names{"R", "G", "B", "A"}, Names{"Y", "A"}}) {
        if (std::is_permutation(present.begin(), present.end(), known.begin(), known.end())) return known;
    }
    unsupported(where, "an EXR with channels " + shown, "keep only Y, or R, G, B with or without A");
}

template <class T>
Imf::FrameBuffer frameBuffer(const Names& names, T* values, Imf::PixelType type, const Imath::Box2i& window,
                             int channels) {
    const auto width = static_cast<std::size_t>(window.max.x - std::int64_t{window.min.x} + 1);
    const auto pixel = sizeof(T) * static_cast<std::size_t>(channels);
    Imf::FrameBuffer buffer;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty()) continue;  // filled in by us
        buffer.insert(names[i], Imf::Slice::Make(type, values + i, window, pixel, pixel * width));
    }
    return buffer;
}

}  // namespace

bool isExr(Bytes head) {
    constexpr std::array<unsigned char, 4> kSignature{0x76, 0x2f, 0x31, 0x01};
    return startsWith(head, kSignature);
}

Grid decodeExr(Bytes file, const Limits& limits, const std::string& where) try {
    checkExrHeaders(file, limits, where);
    const auto side = static_cast<int>(std::min<std::int64_t>(limits.side, std::numeric_limits<int>::max()));
    Imf::Header::setMaxImageSize(side, side);
    Imf::Header::setMaxTileSize(side, side);

    MemoryInput stream(file);
    // A damaged table of offsets is an error, not something to rebuild by searching the file.
    Imf::MultiPartInputFile input(stream, 0, false);
    const auto& header = input.header(0);
    if (header.hasType() && header.type() != Imf::SCANLINEIMAGE && header.type() != Imf::TILEDIMAGE) {
        unsupported(where, "a deep EXR", "flatten it first");
    }
    const auto& window = header.dataWindow();
    const auto names = channelsOf(header.channels(), where);
    const bool greyAlpha = names.size() == 2;
    const Shape shape{std::int64_t{window.max.x} - window.min.x + 1, std::int64_t{window.max.y} - window.min.y + 1, 1,
                      greyAlpha ? 4 : static_cast<int>(names.size())};
    limits.check(shape, PixelType::f32, where);

    Grid grid(shape, PixelType::f32);
    Imf::InputPart part(input, 0);
    if (!part.isComplete()) damaged(where, "EXR", "parts of the picture are missing");
    part.setFrameBuffer(
        frameBuffer(greyAlpha ? Names{"Y", "", "", "A"} : names, grid.as<float>(), Imf::FLOAT, window, shape.channels));
    part.readPixels(window.min.y, window.max.y);

    if (greyAlpha) {
        auto* values = grid.as<float>();
        for (std::int64_t i = 0; i < shape.pixels(); ++i, values += 4) values[1] = values[2] = values[0];
        grid.metadata.notes.emplace_back(kGreyAlphaNote);
    }
    const auto& channels = header.channels();
    const bool half = std::all_of(names.begin(), names.end(),
                                  [&](const std::string& name) { return channels[name.c_str()].type == Imf::HALF; });
    if (half) grid.metadata.sourceType = "f16";
    grid.metadata.pages = input.parts();
    if (header.displayWindow() != window) {
        grid.metadata.notes.emplace_back("the data window was read; the display window differs");
    }
    return grid;
} catch (const Iex::BaseExc& error) {
    damaged(where, "EXR", error.what());
}

std::vector<std::byte> encodeExr(const Grid& grid, const std::string& where, const EncodeOptions& options) try {
    const auto& s = grid.shape();
    const auto names = s.channels == 1   ? Names{"Y"}
                       : s.channels == 3 ? Names{"R", "G", "B"}
                                         : Names{"R", "G", "B", "A"};
    Imf::Header header(static_cast<int>(s.width), static_cast<int>(s.height));
    const StorageWay& way = *wayOf(*formatNamed("exr"), options.way);
    const std::string_view packing = way.id;
    header.compression() = packing.ends_with("piz")    ? Imf::PIZ_COMPRESSION
                           : packing.ends_with("none") ? Imf::NO_COMPRESSION
                                                       : Imf::ZIP_COMPRESSION;
    const Imf::PixelType type = way.halfPrecision ? Imf::HALF : Imf::FLOAT;
    for (const auto& name : names) header.channels().insert(name, Imf::Channel(type));
    std::vector<half> halves;
    if (way.halfPrecision) halves.assign(grid.as<float>(), grid.as<float>() + s.values());
    MemoryOutput stream;
    {
        Imf::OutputFile output(stream, header, 0);
        // OpenEXR takes one kind of slice for both directions and only reads from it here.
        output.setFrameBuffer(way.halfPrecision
                                  ? frameBuffer(names, halves.data(), Imf::HALF, header.dataWindow(), s.channels)
                                  : frameBuffer(names, const_cast<float*>(grid.as<float>()), Imf::FLOAT,
                                                header.dataWindow(), s.channels));
        output.writePixels(static_cast<int>(s.height));
    }
    return stream.take();
} catch (const Iex::BaseExc& error) {
    throw Error(Error::Kind::unwritable, where + ": OpenEXR gave up (" + error.what() + "): write .tif instead");
}

}  // namespace warplens::io::codecs
