// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/warp_finder.hpp"

#include "gpu/trace/global_memory.hpp"
#include "gpu/trace/image.hpp"
#include "gpu/trace/places.hpp"
#include "gpu/trace/replay.hpp"
#include "gpu/trace/tally.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

namespace warplens::gpu::trace {
namespace {

constexpr std::size_t kLanes = 32;

std::string nameOfKernel(const LaunchView& launch) {
    const auto* function = ProgramImage::traced().functionAt(reinterpret_cast<std::uint64_t>(launch.kernel));
    return function == nullptr ? "?" : kernelName(function->name);
}

template <class F>
void forAccesses(const LaneLog& log, F each) {
    const auto& words = log.words();
    for (std::size_t i = 0; i < words.size();) {
        if (!(words[i] & LaneLog::kAccess)) {
            ++i;
            continue;
        }
        each(LaneLog::unpack(&words[i]));
        i += LaneLog::kAccessWords;
    }
}

unsigned least(std::int64_t wanted, unsigned count) {
    return static_cast<unsigned>(std::clamp<std::int64_t>(wanted, 0, static_cast<std::int64_t>(count) - 1));
}

}  // namespace

WarpFinder::WarpFinder(const WarpQuery& query, const io::Shape& shape, const Footprint& footprint, const Input& input)
    : m_query(query),
      m_shape(shape),
      m_footprint(footprint),
      m_input(input),
      m_value((query.z * shape.height + query.y) * input.pitch + query.x) {}

int WarpFinder::valueBytes(const Allocation& buffer) const {
    for (const int size : {1, 2, 4}) {
        if (static_cast<std::int64_t>(buffer.bytes()) == size * m_shape.values() / m_shape.width * m_input.pitch)
            return size;
    }
    return 0;
}

std::int64_t WarpFinder::withoutPadding(std::int64_t offset, int bytes) const {
    if (bytes == 0 || m_input.pitch == m_shape.width) return offset;
    const std::int64_t value = offset / bytes, row = value / m_input.pitch;
    return (row * m_shape.width + std::min(value % m_input.pitch, m_shape.width - 1)) * bytes + offset % bytes;
}

std::vector<uint3> WarpFinder::blocks(const LaunchView& launch) {
    if (!m_query.kernel.empty() && nameOfKernel(launch) != m_query.kernel) return {};
    const dim3 grid = launch.grid;
    std::vector<uint3> order;
    // Where it is by the footprint, in a plane or along a row; then everywhere.
    if (m_footprint.tileWidth > 0 && m_footprint.tileHeight > 0 && grid.y * grid.z > 1) {
        order.push_back({least(m_query.x / m_footprint.tileWidth, grid.x),
                         least(m_query.y / m_footprint.tileHeight, grid.y),
                         least(m_query.z * grid.z / (m_shape.depth * m_shape.channels), grid.z)});
    } else {
        const auto threads = static_cast<std::int64_t>(launch.block.x) * launch.block.y * launch.block.z;
        order.push_back({least(m_value / threads % grid.x, grid.x), 0, 0});
        order.push_back({least(m_value * grid.x / m_shape.pixels(), grid.x), 0, 0});
    }
    const auto first = order;
    const auto same = [](uint3 a, uint3 b) { return std::tie(a.x, a.y, a.z) == std::tie(b.x, b.y, b.z); };
    for (unsigned z = 0; z < grid.z; ++z) {
        for (unsigned y = 0; y < grid.y; ++y) {
            for (unsigned x = 0; x < grid.x; ++x) {
                const uint3 block{x, y, z};
                if (std::none_of(first.begin(), first.end(), [&](uint3 b) { return same(b, block); }))
                    order.push_back(block);
            }
        }
    }
    return order;
}

std::optional<std::size_t> WarpFinder::threadOf(const LaunchView& launch, std::span<const LaneLog> threads) const {
    std::optional<std::size_t> reader, writer;
    bool writes = false;
    for (std::size_t thread = 0; thread < threads.size() && !writer; ++thread) {
        forAccesses(threads[thread], [&](const LoggedAccess& access) {
            if (!isGlobal(access.space) || access.operation == Operation::atomic) return;
            for (const Allocation* buffer : launch.allocations) {
                if (!buffer->holds(access.address, access.size)) continue;
                const int size = valueBytes(*buffer);
                if (size == 0) return;
                const bool store = access.operation == Operation::store;
                writes = writes || store;
                const auto at = static_cast<std::int64_t>(access.address - buffer->begin());
                if (m_value * size < at || m_value * size >= at + static_cast<std::int64_t>(access.size)) return;
                if (store)
                    writer = thread;
                else if (buffer->begin() == m_input.address && !reader)
                    reader = thread;
            }
        });
    }
    return writes ? writer : reader;
}

bool WarpFinder::look(const LaunchView& launch, uint3 index, std::span<const LaneLog> threads, const FlowGraph& graph) {
    const auto thread = threadOf(launch, threads);
    if (!thread) return false;
    WarpTrace trace;
    trace.kernel = nameOfKernel(launch);
    trace.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
    trace.block = {launch.block.x, launch.block.y, launch.block.z};
    trace.index = {index.x, index.y, index.z};
    trace.warp = static_cast<int>(*thread / kLanes);
    trace.lane = static_cast<int>(*thread % kLanes);
    for (const Allocation* buffer : launch.allocations) {
        const int size = valueBytes(*buffer);
        const auto bytes = static_cast<std::int64_t>(buffer->bytes());
        trace.buffers.push_back({size == 0 ? bytes : size * m_shape.values(), size});
    }
    m_found = std::move(trace);
    const std::size_t first = *thread / kLanes * kLanes;
    replay(launch, threads.subspan(first, std::min(kLanes, threads.size() - first)), graph);
    return true;
}

void WarpFinder::replay(const LaunchView& launch, std::span<const LaneLog> lanes, const FlowGraph& graph) {
    // Constant arrays lie where the loader put them: offsets count from the lowest address that is read.
    std::uint64_t constants = std::numeric_limits<std::uint64_t>::max();
    for (const LaneLog& lane : lanes) {
        forAccesses(lane, [&](const LoggedAccess& a) {
            constants = a.space == Space::constant ? std::min(constants, a.address) : constants;
        });
    }
    std::vector<std::tuple<std::uint32_t, Space, Operation, unsigned>> known;
    Tally tally;
    replayWarp(lanes, graph, tally, [&](std::span<const LoggedAccess> active, std::uint32_t mask) {
        WarpTrace& trace = *m_found;
        if (trace.requests.size() == kMostRequests) {
            ++trace.omittedRequests;
            return;
        }
        const LoggedAccess& one = active.front();
        const std::tuple key(one.pc, one.space, one.operation, one.size);
        auto site = std::find(known.begin(), known.end(), key);
        if (site == known.end()) {
            const auto places = symbolise(one.pc);
            const SourceLine* place = tellingPlace(places);
            WarpSite added{.space = one.space, .operation = one.operation, .bytes = static_cast<int>(one.size)};
            if (place != nullptr) {
                added.file = place->file;
                added.line = place->line;
            }
            for (const SourceLine& outer : places) added.stack.push_back(outer.text());
            trace.sites.push_back(std::move(added));
            site = known.insert(known.end(), key);
        }
        WarpRequest request;
        request.site = static_cast<int>(site - known.begin());
        request.mask = mask;
        countRequest(active, mask, request.count);
        std::uint64_t begin = one.space == Space::constant ? constants : 0;
        int size = 0;
        for (std::size_t b = 0; isGlobal(one.space) && b < launch.allocations.size(); ++b) {
            if (!launch.allocations[b]->holds(one.address, one.size)) continue;
            request.buffer = static_cast<int>(b);
            begin = launch.allocations[b]->begin();
            size = valueBytes(*launch.allocations[b]);
        }
        auto access = active.begin();
        for (std::uint32_t left = mask; left != 0; left &= left - 1, ++access) {
            request.offset[static_cast<std::size_t>(std::countr_zero(left))] =
                withoutPadding(static_cast<std::int64_t>(access->address - begin), size);
        }
        trace.requests.push_back(request);
    });
}

}  // namespace warplens::gpu::trace
