// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/warp_finder.hpp"

#include "gpu/trace/global_memory.hpp"
#include "gpu/trace/replay.hpp"
#include "gpu/trace/tally.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace warplens::gpu::trace {
namespace {

constexpr std::size_t kLanes = 32;

}  // namespace

WarpFinder::WarpFinder(const WarpQuery& query, PicturePlaces places)
    : m_query(query), m_places(std::move(places)), m_value(m_places.place(query.x, query.y, query.z)) {}

std::vector<uint3> WarpFinder::blocks(const LaunchView& launch) {
    if (!m_query.kernel.empty() && nameOfKernel(launch) != m_query.kernel) return {};
    const dim3 grid = launch.grid;
    // Where it is by the footprint; then everywhere.
    std::vector<uint3> order = m_places.likelyBlocks(launch, m_query.x, m_query.y, m_query.z);
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
        threads[thread].forAccesses([&](const LoggedAccess& access) {
            if (!isGlobal(access.space) || access.operation == Operation::atomic) return;
            for (const Allocation* buffer : launch.allocations) {
                if (!buffer->holds(access.address, access.size)) continue;
                const int size = m_places.valueBytes(*buffer);
                if (size == 0) return;
                const bool store = access.operation == Operation::store;
                writes = writes || store;
                const auto at = static_cast<std::int64_t>(access.address - buffer->begin());
                if (m_value * size < at || m_value * size >= at + static_cast<std::int64_t>(access.size)) return;
                if (store)
                    writer = thread;
                else if (buffer->begin() == m_places.input().address && !reader)
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
    trace.buffers = m_places.buffers(launch);
    m_found = std::move(trace);
    const std::size_t first = *thread / kLanes * kLanes;
    replay(launch, threads.subspan(first, std::min(kLanes, threads.size() - first)), graph);
    return true;
}

void WarpFinder::replay(const LaunchView& launch, std::span<const LaneLog> lanes, const FlowGraph& graph) {
    RequestWriter writer(launch, m_places);
    writer.findConstants(lanes);
    Tally tally;
    replayWarp(lanes, graph, tally, [&](std::span<const LoggedAccess> active, std::uint32_t mask) {
        if (m_found->requests.size() == kMostRequests)
            ++m_found->omittedRequests;
        else
            m_found->requests.push_back(writer.write(active, mask));
    });
    m_found->sites = writer.sites();
}

}  // namespace warplens::gpu::trace
