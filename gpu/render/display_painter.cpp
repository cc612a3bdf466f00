// SPDX-License-Identifier: Apache-2.0
#include "gpu/render/display_painter.hpp"

#include <algorithm>
#include <cstring>

namespace warplens::gpu::render {

namespace {

DisplayTables tablesFor(const Display& display) {
    DisplayTables at;
    std::size_t end = 0;
    const auto place = [&end](std::size_t& offset, std::size_t bytes) {
        offset = end;
        end += (bytes + 15) / 16 * 16;
    };
    const std::size_t across = display.across.first.size() * sizeof(std::int32_t);
    const std::size_t down = display.down.first.size() * sizeof(std::int32_t);
    for (std::size_t* offset : {&at.acrossFirst, &at.acrossSecond, &at.acrossWeight}) place(*offset, across);
    for (std::size_t* offset : {&at.downFirst, &at.downSecond, &at.downWeight}) place(*offset, down);
    place(at.colours, sizeof display.colours.table);
    place(at.bytes, sizeof display.colours.bytes);
    at.end = end;
    return at;
}

void reserve(Device& device, Buffer& buffer, std::size_t bytes) {
    if (buffer.bytes() >= bytes) return;
    buffer = {};  // freed before the new one is asked for
    buffer = device.allocate(bytes);
}

/// What is read from: the picture's slice, or a reduced level of it.
struct Source {
    std::uint64_t handle = 0;
    std::size_t offset = 0, plane = 0;
    int width = 0, height = 0;
};

}  // namespace

bool fits(const Display& display, const io::Shape& shape) {
    const auto within = [&](const DisplayLine& line, std::int64_t extent) {
        for (int k = 0; k < display.level; ++k) extent = (extent + 1) / 2;
        const auto outside = [extent](std::int32_t at) { return at < 0 || at >= extent; };
        return std::ranges::none_of(line.first, outside) && std::ranges::none_of(line.second, outside);
    };
    return display.width == shape.width && display.height == shape.height && display.slice >= 0 &&
           display.slice < shape.depth && within(display.across, shape.width) && within(display.down, shape.height);
}

void DisplayPainter::sendTables(const Display& display) {
    m_at = tablesFor(display);
    const auto block = m_staging.take(m_at.end);
    const auto copy = [&](std::size_t offset, const auto& values) {
        std::memcpy(block.get() + offset, values.data(), values.size() * sizeof(values[0]));
    };
    copy(m_at.acrossFirst, display.across.first);
    copy(m_at.acrossSecond, display.across.second);
    copy(m_at.acrossWeight, display.across.weight);
    copy(m_at.downFirst, display.down.first);
    copy(m_at.downSecond, display.down.second);
    copy(m_at.downWeight, display.down.weight);
    copy(m_at.colours, display.colours.table);
    copy(m_at.bytes, display.colours.bytes);
    reserve(m_device, m_tables, m_at.end);
    m_device.upload(m_tables, block.get(), m_at.end);
}

Seen DisplayPainter::paint(const DevicePicture& picture, const std::shared_ptr<const Display>& display) {
    const Display& d = *display;
    Seen seen;
    seen.width = d.across.size();
    seen.height = d.down.size();
    if (seen.width == 0 || seen.height == 0) return seen;
    if (m_sent != display) {
        m_sent.reset();
        seen.transferMs += m_device.time([&] { sendTables(d); });
        m_sent = display;
    }
    const auto pixels = static_cast<std::size_t>(seen.width) * static_cast<std::size_t>(seen.height);
    const std::size_t bytes = pixels * sizeof(std::uint32_t);
    reserve(m_device, m_pixels, bytes);

    const DisplayEntry& entry = displayEntry(m_device.info());
    const int channels = picture.shape.channels == 1 ? 1 : 3;
    const auto slice = static_cast<std::size_t>(picture.shape.width) * static_cast<std::size_t>(picture.shape.height);
    std::vector<Source> sources{{picture.planes->handle(), slice * static_cast<std::size_t>(d.slice),
                                 slice * static_cast<std::size_t>(picture.shape.depth),
                                 static_cast<int>(picture.shape.width), static_cast<int>(picture.shape.height)}};
    if (m_levels.size() < static_cast<std::size_t>(d.level)) m_levels.resize(static_cast<std::size_t>(d.level));
    for (int k = 0; k < d.level; ++k) {
        const int width = (sources.back().width + 1) / 2, height = (sources.back().height + 1) / 2;
        const std::size_t plane = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        Buffer& level = m_levels[static_cast<std::size_t>(k)];
        reserve(m_device, level, plane * static_cast<std::size_t>(channels) * io::sizeOf(picture.type));
        sources.push_back({level.handle(), 0, plane, width, height});
    }
    const Source& read = sources.back();
    const DisplayColours& c = d.colours;
    const DisplayScene scene{.width = seen.width,
                             .height = seen.height,
                             .stored = read.width,
                             .plane = read.plane,
                             .channels = channels,
                             .smooth = d.smooth,
                             .labels = c.labels,
                             .low = c.low,
                             .scale = c.scale,
                             .least = c.least,
                             .greatest = c.greatest,
                             .nan = c.nan,
                             .plusInfinity = c.plusInfinity,
                             .minusInfinity = c.minusInfinity,
                             .below = c.below,
                             .above = c.above};
    seen.colourMs = m_device.time([&] {
        for (std::size_t k = 0; k + 1 < sources.size(); ++k)
            entry.halve(m_device.context(), sources[k].handle, sources[k].offset, sources[k].plane, sources[k].width,
                        sources[k].height, sources[k + 1].handle, channels, picture.type);
        entry.show(m_device.context(), scene, m_at, read.handle, read.offset, m_tables.handle(), m_pixels.handle(),
                   picture.type);
    });
    m_device.synchronize();
    const auto block = m_staging.take(bytes);
    seen.transferMs += m_device.time([&] { m_device.download(block.get(), m_pixels, bytes); });
    m_device.takeLaunchFacts();
    seen.pixels = {block, reinterpret_cast<const std::uint32_t*>(block.get())};
    return seen;
}

}  // namespace warplens::gpu::render
