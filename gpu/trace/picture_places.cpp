// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/picture_places.hpp"

#include "gpu/trace/global_memory.hpp"
#include "gpu/trace/image.hpp"
#include "gpu/trace/places.hpp"
#include "gpu/trace/tally.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace warplens::gpu::trace {
namespace {

unsigned least(std::int64_t wanted, unsigned count) {
    return static_cast<unsigned>(std::clamp<std::int64_t>(wanted, 0, static_cast<std::int64_t>(count) - 1));
}

}  // namespace

std::string nameOfKernel(const LaunchView& launch) {
    const auto* function = ProgramImage::traced().functionAt(reinterpret_cast<std::uint64_t>(launch.kernel));
    return function == nullptr ? "?" : kernelName(function->name);
}

int PicturePlaces::valueBytes(const Allocation& buffer) const {
    for (const int size : {1, 2, 4}) {
        if (static_cast<std::int64_t>(buffer.bytes()) == size * m_shape.values() / m_shape.width * m_input.pitch)
            return size;
    }
    return 0;
}

std::vector<WarpBuffer> PicturePlaces::buffers(const LaunchView& launch) const {
    std::vector<WarpBuffer> all;
    for (const Allocation* buffer : launch.allocations) {
        const int size = valueBytes(*buffer);
        const auto bytes = static_cast<std::int64_t>(buffer->bytes());
        all.push_back({size == 0 ? bytes : size * m_shape.values(), size});
    }
    return all;
}

std::int64_t PicturePlaces::withoutPadding(std::int64_t offset, int bytes) const {
    if (bytes == 0 || m_input.pitch == m_shape.width) return offset;
    const std::int64_t value = offset / bytes, row = value / m_input.pitch;
    return (row * m_shape.width + std::min(value % m_input.pitch, m_shape.width - 1)) * bytes + offset % bytes;
}

std::vector<uint3> PicturePlaces::likelyBlocks(const LaunchView& launch, std::int64_t x, std::int64_t y,
                                               std::int64_t z) const {
    const dim3 grid = launch.grid;
    if (m_footprint.tileWidth > 0 && m_footprint.tileHeight > 0 && grid.y * grid.z > 1) {
        return {{least(x / m_footprint.tileWidth, grid.x), least(y / m_footprint.tileHeight, grid.y),
                 least(z * grid.z / (m_shape.depth * m_shape.channels), grid.z)}};
    }
    const auto threads = static_cast<std::int64_t>(launch.block.x) * launch.block.y * launch.block.z;
    const std::int64_t value = place(x, y, z);
    return {{least(value / threads % grid.x, grid.x), 0, 0}, {least(value * grid.x / m_shape.pixels(), grid.x), 0, 0}};
}

void RequestWriter::findConstants(std::span<const LaneLog> lanes) {
    m_constants = std::numeric_limits<std::uint64_t>::max();
    for (const LaneLog& lane : lanes) {
        lane.forAccesses([&](const LoggedAccess& a) {
            m_constants = a.space == Space::constant ? std::min(m_constants, a.address) : m_constants;
        });
    }
}

int RequestWriter::siteOf(const LoggedAccess& access) {
    const std::tuple key(access.pc, access.space, access.operation, access.size);
    auto site = std::find(m_known.begin(), m_known.end(), key);
    if (site == m_known.end()) {
        const auto places = symbolise(access.pc);
        const SourceLine* place = tellingPlace(places);
        WarpSite added{.space = access.space, .operation = access.operation, .bytes = static_cast<int>(access.size)};
        if (place != nullptr) {
            added.file = place->file;
            added.line = place->line;
        }
        for (const SourceLine& outer : places) added.stack.push_back(outer.text());
        m_sites.push_back(std::move(added));
        site = m_known.insert(m_known.end(), key);
    }
    return static_cast<int>(site - m_known.begin());
}

WarpRequest RequestWriter::write(std::span<const LoggedAccess> active, std::uint32_t mask) {
    const LoggedAccess& one = active.front();
    WarpRequest request;
    request.site = siteOf(one);
    request.mask = mask;
    countRequest(active, mask, request.count);
    std::uint64_t begin = one.space == Space::constant ? m_constants : 0;
    int size = 0;
    for (std::size_t b = 0; isGlobal(one.space) && b < m_launch.allocations.size(); ++b) {
        if (!m_launch.allocations[b]->holds(one.address, one.size)) continue;
        request.buffer = static_cast<int>(b);
        begin = m_launch.allocations[b]->begin();
        size = m_places.valueBytes(*m_launch.allocations[b]);
    }
    auto access = active.begin();
    for (std::uint32_t left = mask; left != 0; left &= left - 1, ++access) {
        const std::uint64_t address = one.space == Space::shared ? sharedOffset(*access) : access->address;
        request.offset[static_cast<std::size_t>(std::countr_zero(left))] =
            m_places.withoutPadding(static_cast<std::int64_t>(address - begin), size);
    }
    return request;
}

}  // namespace warplens::gpu::trace
