// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/film_recorder.hpp"

#include "gpu/core/error.hpp"
#include "gpu/trace/image.hpp"
#include "gpu/trace/places.hpp"
#include "gpu/trace/replay.hpp"
#include "gpu/trace/tally.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

namespace warplens::gpu::trace {
namespace {

constexpr std::size_t kLanes = 32;
using Ordinals = std::array<std::size_t, kLanes>;

/// How many accesses a lane had made when it came to each barrier.
std::vector<std::size_t> accessesBefore(const LaneLog& log, unsigned thread, const std::vector<BarrierEvent>& events) {
    std::vector<std::size_t> counts;
    for (const BarrierEvent& event : events) {
        if (event.thread != thread) continue;
        std::size_t count = 0;
        log.forAccesses([&](const LoggedAccess&) { ++count; }, event.words);
        counts.push_back(count);
    }
    return counts;
}

bool keepsValue(const LoggedAccess& access) { return access.operation != Operation::load; }

/// "_ZZN1a6kernelIfEvPfE4tile" and "_ZZ...E4tile_0" are "tile": the last name whose length leads to the end.
std::string arrayName(std::string mangled) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto last = mangled.find_last_not_of("0123456789");
    if (last != std::string::npos && last + 1 < mangled.size() && mangled[last] == '_') mangled.resize(last);
    for (std::size_t begin = mangled.size(); begin-- > 1;) {
        if (!isDigit(mangled[begin - 1])) continue;
        std::size_t length = 0;
        for (std::size_t at = begin, place = 1; at-- > 0 && isDigit(mangled[at]); place *= 10) {
            length += place * static_cast<std::size_t>(mangled[at] - '0');
            if (length == mangled.size() - begin) return mangled.substr(begin);
        }
    }
    return "shared";
}

}  // namespace

FilmRecorder::FilmRecorder(const FilmQuery& query, PicturePlaces places)
    : m_query(query), m_places(std::move(places)) {}

bool FilmRecorder::asked(const LaunchView& launch) {
    const std::string name = nameOfKernel(launch);
    if (std::ranges::find(m_kernels, name) == m_kernels.end()) m_kernels.push_back(name);
    const std::string& wanted = m_query.kernel.empty() ? m_kernels.front() : m_query.kernel;
    return name == wanted && m_launches++ == m_query.launch;
}

std::vector<uint3> FilmRecorder::blocks(const LaunchView& launch) {
    if (!asked(launch)) return {};
    const dim3 grid = launch.grid;
    if (m_query.block) {
        const auto [x, y, z] = *m_query.block;
        if (x < grid.x && y < grid.y && z < grid.z) return {{x, y, z}};
        m_refusal = "block " + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) +
                    " lies outside the grid of " + std::to_string(grid.x) + " x " + std::to_string(grid.y) + " x " +
                    std::to_string(grid.z) + " blocks";
        throw Done();
    }
    std::vector<uint3> order;
    if (m_query.pixel) {
        const auto [x, y, z] = *m_query.pixel;
        order = m_places.likelyBlocks(launch, x, y, z);
    }
    // One that has nothing to do is no film, where another has; a queue begins in the first block.
    order.push_back({grid.x / 2, grid.y / 2, grid.z / 2});
    order.push_back({0, 0, 0});
    return order;
}

int FilmRecorder::arrayOf(const LaunchView& launch, const LoggedAccess& access) {
    const std::uint16_t number = sharedArray(access);
    const auto known = std::ranges::find(m_arrays, number);
    if (known != m_arrays.end()) {
        FilmArray& array = m_film->arrays[static_cast<std::size_t>(known - m_arrays.begin())];
        array.valueBytes = std::min(array.valueBytes, static_cast<int>(access.size));
        return static_cast<int>(known - m_arrays.begin());
    }
    FilmArray array{.name = "shared", .valueBytes = static_cast<int>(access.size)};
    for (const ProgramImage::Symbol& symbol : ProgramImage::traced().threadLocals()) {
        if (symbol.address != launch.arrays->begin(number)) continue;
        array.name = number == SharedArrays::kDynamic ? "shared" : arrayName(symbol.name);
        array.bytes = static_cast<std::int64_t>(number == SharedArrays::kDynamic ? launch.sharedBytes : symbol.size);
    }
    m_arrays.push_back(number);
    m_film->arrays.push_back(std::move(array));
    return static_cast<int>(m_arrays.size()) - 1;
}

void FilmRecorder::addWarp(const LaunchView& launch, int warp, std::span<const LaneLog> lanes, const FlowGraph& graph,
                           RequestWriter& writer) {
    const std::size_t first = static_cast<std::size_t>(warp) * kLanes;
    std::vector<std::vector<std::size_t>> barriers;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        barriers.push_back(
            accessesBefore(lanes[lane], static_cast<unsigned>(first + lane), m_recorder->barrierEvents()));
    Ordinals accesses{}, values{};
    int epoch = 0, round = 0;
    writer.findConstants(lanes);
    Tally tally;
    replayWarp(lanes, graph, tally, [&](std::span<const LoggedAccess> active, std::uint32_t mask) {
        const auto lead = static_cast<std::size_t>(std::countr_zero(mask));
        const auto passed = std::ranges::upper_bound(barriers[lead], accesses[lead]) - barriers[lead].begin();
        if (passed > epoch) {
            epoch = static_cast<int>(passed);
            round = 0;
        }
        FilmStep step{.warp = warp, .epoch = epoch, .round = round++};
        if (active.front().space == Space::shared) step.array = arrayOf(launch, active.front());
        step.request = writer.write(active, mask);
        const std::size_t words = std::min<std::size_t>((active.front().size + 3) / 4, StoredValue().size());
        for (std::uint32_t left = mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(left));
            ++accesses[lane];
            if (!keepsValue(active.front())) continue;
            const auto& kept = m_recorder->values()[first + lane];
            const std::size_t at = values[lane]++;
            const StoredValue value = at < kept.size() ? kept[at] : StoredValue{};
            step.values.insert(step.values.end(), value.begin(), value.begin() + static_cast<std::ptrdiff_t>(words));
        }
        m_film->steps.push_back(std::move(step));
    });
}

void FilmRecorder::addBarriers() {
    std::map<unsigned, std::size_t> met;
    for (const BarrierEvent& event : m_recorder->barrierEvents()) {
        const std::size_t number = met[event.thread]++;
        if (number < m_film->barriers.size()) continue;
        const SourceLine own{.file = belowRoot(event.file), .line = event.line};
        WarpSite place{.space = Space::shared, .file = own.file, .line = own.line, .stack = {own.text()}};
        // One of a function that several kernels share: the line of the kernel that calls it.
        const auto outer = symbolise(event.pc);
        if (const SourceLine* telling = tellingPlace(outer); isSupport(own.file) && telling != nullptr) {
            place.file = telling->file;
            place.line = telling->line;
        }
        m_film->barriers.push_back(std::move(place));
    }
}

bool FilmRecorder::look(const LaunchView& launch, uint3 index, std::span<const LaneLog> threads,
                        const FlowGraph& graph) {
    const io::Shape& shape = m_places.shape();
    m_arrays.clear();
    m_film = Film{.kernel = nameOfKernel(launch),
                  .launch = m_query.launch,
                  .grid = {launch.grid.x, launch.grid.y, launch.grid.z},
                  .block = {launch.block.x, launch.block.y, launch.block.z},
                  .index = {index.x, index.y, index.z},
                  .extent = {shape.width, shape.height, shape.depth},
                  .buffers = m_places.buffers(launch)};
    RequestWriter writer(launch, m_places);
    const std::size_t count = std::size_t{launch.block.x} * launch.block.y * launch.block.z;
    for (std::size_t first = 0; first < count; first += kLanes)
        addWarp(launch, static_cast<int>(first / kLanes), threads.subspan(first, std::min(kLanes, count - first)),
                graph, writer);
    m_film->sites = writer.sites();
    addBarriers();
    std::ranges::stable_sort(m_film->steps, {},
                             [](const FilmStep& step) { return std::tuple(step.epoch, step.round, step.warp); });
    if (m_film->steps.size() > kMostSteps) {
        m_film->omittedSteps = static_cast<std::int64_t>(m_film->steps.size() - kMostSteps);
        m_film->steps.resize(kMostSteps);
    }
    const bool last = m_query.block || index.x + index.y + index.z == 0;
    // One that finds no work, as behind the end of a queue, only reads.
    const auto writes = [](const WarpSite& site) { return site.operation != Operation::load; };
    if (std::ranges::none_of(m_film->sites, writes) && !last) return false;
    throw Done();
}

Film FilmRecorder::take() {
    if (m_film) return std::move(*m_film);
    if (!m_refusal.empty()) throw Error(Error::Kind::argument, m_refusal);
    std::string known;
    for (const std::string& kernel : m_kernels) known += (known.empty() ? "" : "; ") + kernel;
    throw Error(Error::Kind::argument, m_launches > 0
                                           ? "launch " + std::to_string(m_query.launch) + ": there are " +
                                                 std::to_string(m_launches) + " of this kernel, counted from 0"
                                           : "no kernel " + m_query.kernel + " is launched; there are: " + known);
}

}  // namespace warplens::gpu::trace
