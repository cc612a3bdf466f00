// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/film.hpp"

#include <algorithm>
#include <bit>

namespace warplens::gpu {
namespace {

constexpr int kLanes = 32;

template <class F>
void forLanes(std::uint32_t mask, F each) {
    for (std::size_t rank = 0; mask != 0; mask &= mask - 1, ++rank)
        each(static_cast<std::size_t>(std::countr_zero(mask)), rank);
}

bool loadsGlobal(const WarpSite& site) { return isGlobal(site.space) && site.operation == Operation::load; }
bool storesGlobal(const WarpSite& site) { return isGlobal(site.space) && site.operation != Operation::load; }

/// The steps [first, end) are those between two barriers; `loaded`: of an earlier stretch, or this one, some load.
void addPhases(const Film& film, int first, int end, int epoch, bool& loaded, std::vector<FilmPhase>& phases) {
    int split = end, loads = 0, reads = 0, fills = 0, adds = 0, stores = 0, readsAfter = 0;
    bool stream = false;
    for (int i = end; i-- > first;) {
        const WarpSite& site = film.siteOf(film.steps[static_cast<std::size_t>(i)]);
        if (loads == 0 && storesGlobal(site)) {
            split = i;
            ++stores;
            readsAfter = reads;
        }
        stream = stream || (loads > 0 && storesGlobal(site));
        loads += loadsGlobal(site);
        if (site.space != Space::shared) continue;
        reads += site.operation == Operation::load;
        fills += site.operation == Operation::store;
        adds += site.operation == Operation::atomic;
    }
    loaded = loaded || loads > 0;
    auto kind = FilmPhaseKind::compute;
    if (loads > 0 && adds > 0)
        kind = FilmPhaseKind::add;
    else if (loads > 0 && (fills > 0 || loads >= reads))
        kind = FilmPhaseKind::load;
    if (!loaded) kind = FilmPhaseKind::setUp;
    if (stream) kind = FilmPhaseKind::stream;
    // The last stores of those that take turns are of the same phase, and before anything was loaded there is no
    // result.
    if (stream || !loaded) split = end;
    if (split > first) phases.push_back({kind, first, split - first, epoch});
    const auto last = 2 * readsAfter > stores ? FilmPhaseKind::finish : FilmPhaseKind::store;
    if (end > split) phases.push_back({last, split, end - split, epoch});
}

/// The `valueBytes` bytes at `at` of what a store wrote.
std::uint32_t bitsAt(const FilmStep& step, std::size_t word, int at, int valueBytes) {
    const std::size_t from = word + static_cast<std::size_t>(at) / 4;
    if (from >= step.values.size()) return 0;
    const std::uint32_t bits = step.values[from] >> (8 * (at % 4));
    return valueBytes >= 4 ? bits : bits & ((1U << (8 * valueBytes)) - 1);
}

}  // namespace

const char* nameOf(FilmPhaseKind kind) {
    switch (kind) {
        case FilmPhaseKind::setUp: return "set up";
        case FilmPhaseKind::load: return "load";
        case FilmPhaseKind::add: return "load and add";
        case FilmPhaseKind::compute: return "compute";
        case FilmPhaseKind::store: return "store";
        case FilmPhaseKind::finish: return "compute and store";
        case FilmPhaseKind::stream: return "load and store";
        case FilmPhaseKind::wait: return "wait";
    }
    return "";
}

std::vector<FilmPhase> phasesOf(const Film& film) {
    std::vector<FilmPhase> phases;
    const int count = static_cast<int>(film.steps.size());
    int epoch = 0;
    bool loaded = false;
    for (int first = 0; first < count;) {
        const int now = film.steps[static_cast<std::size_t>(first)].epoch;
        for (; epoch < now; ++epoch) phases.push_back({FilmPhaseKind::wait, first, 0, epoch});
        int end = first;
        while (end < count && film.steps[static_cast<std::size_t>(end)].epoch == now) ++end;
        addPhases(film, first, end, now, loaded, phases);
        first = end;
    }
    for (; epoch < static_cast<int>(film.barriers.size()) && film.omittedSteps == 0; ++epoch)
        phases.push_back({FilmPhaseKind::wait, count, 0, epoch});
    return phases;
}

Footprint footprintOf(const std::array<unsigned, 3>& grid, const std::array<unsigned, 3>& block,
                      const std::array<std::int64_t, 3>& extent) {
    Footprint footprint{.blockWidth = static_cast<int>(block[0]), .blockHeight = static_cast<int>(block[1])};
    footprint.tileWidth = footprint.blockWidth;
    footprint.tileHeight = footprint.blockHeight;
    if (grid[1] == 1 && extent[1] > block[1]) {
        footprint.order = Order::rows;
        return footprint;
    }
    const auto tile = [&](std::size_t axis) {
        const std::int64_t least = (extent[axis] + grid[axis] - 1) / grid[axis];
        return static_cast<int>((least + block[axis] - 1) / block[axis] * block[axis]);
    };
    footprint.tileWidth = tile(0);
    footprint.tileHeight = tile(1);
    return footprint;
}

std::vector<std::int64_t> valuesTouched(const Film& film, const FilmStep& step) {
    std::vector<std::int64_t> values;
    if (!film.onPicture(step)) return values;
    const int size = film.buffers[static_cast<std::size_t>(step.request.buffer)].valueBytes;
    const int bytes = film.siteOf(step).bytes;
    forLanes(step.request.mask, [&](std::size_t lane, std::size_t) {
        const std::int64_t first = step.request.offset[lane];
        for (std::int64_t value = first / size; value * size < first + bytes; ++value) values.push_back(value);
    });
    return values;
}

std::vector<std::pair<int, std::int64_t>> cellsTouched(const Film& film, const FilmStep& step) {
    std::vector<std::pair<int, std::int64_t>> cells;
    if (step.array < 0) return cells;
    const int size = film.arrays[static_cast<std::size_t>(step.array)].valueBytes, bytes = film.siteOf(step).bytes;
    forLanes(step.request.mask, [&](std::size_t lane, std::size_t) {
        for (int at = 0; at < bytes; at += size)
            cells.emplace_back(static_cast<int>(lane), (step.request.offset[lane] + at) / size);
    });
    return cells;
}

FilmState::FilmState(const Film& film) : m_film(film) {
    const auto epochs = film.barriers.size() + 1;
    m_last.assign(static_cast<std::size_t>(film.warps()), std::vector<int>(epochs, -1));
    for (std::size_t i = 0; i < film.steps.size(); ++i) {
        const FilmStep& step = film.steps[i];
        m_last[static_cast<std::size_t>(step.warp)][std::min(static_cast<std::size_t>(step.epoch), epochs - 1)] =
            static_cast<int>(i);
    }
    reset();
}

void FilmState::reset() {
    m_at = 0;
    m_cells.clear();
    for (const FilmArray& array : m_film.arrays)
        m_cells.emplace_back(static_cast<std::size_t>(array.bytes / array.valueBytes));
    std::int64_t values = 0;
    for (const WarpBuffer& buffer : m_film.buffers)
        if (buffer.valueBytes > 0) values = std::max(values, buffer.bytes / buffer.valueBytes);
    m_read.assign(static_cast<std::size_t>(values), false);
    m_written.assign(static_cast<std::size_t>(values), false);
    m_made.assign(static_cast<std::size_t>(m_film.warps()), 0);
    m_loaded.assign(static_cast<std::size_t>(m_film.warps() * kLanes), {});
}

void FilmState::goTo(int steps) {
    steps = std::clamp(steps, 0, static_cast<int>(m_film.steps.size()));
    if (steps < m_at) reset();
    for (; m_at < steps; ++m_at) apply(m_film.steps[static_cast<std::size_t>(m_at)]);
}

FilmState::Warp FilmState::warp(int warp, int step) const {
    if (static_cast<std::size_t>(step) >= m_film.steps.size()) return Warp::ended;
    const int epoch = m_film.steps[static_cast<std::size_t>(step)].epoch;
    const auto& last = m_last[static_cast<std::size_t>(warp)];
    if (step <= last[static_cast<std::size_t>(epoch)]) return Warp::works;
    return epoch < static_cast<int>(m_film.barriers.size()) ? Warp::waits : Warp::ended;
}

void FilmState::apply(const FilmStep& step) {
    ++m_made[static_cast<std::size_t>(step.warp)];
    const WarpSite& site = m_film.siteOf(step);
    if (step.array >= 0) applyShared(step, site);
    if (m_film.onPicture(step)) applyPicture(step, site);
}

void FilmState::applyShared(const FilmStep& step, const WarpSite& site) {
    auto& cells = m_cells[static_cast<std::size_t>(step.array)];
    const int size = m_film.arrays[static_cast<std::size_t>(step.array)].valueBytes;
    const auto words = static_cast<std::size_t>(std::max(1, (std::min(site.bytes, 16) + 3) / 4));
    forLanes(step.request.mask, [&](std::size_t lane, std::size_t rank) {
        Loaded& loaded = m_loaded[static_cast<std::size_t>(step.warp * kLanes) + lane];
        for (int at = 0; at < site.bytes; at += size) {
            const auto number = static_cast<std::size_t>((step.request.offset[lane] + at) / size);
            if (number >= cells.size()) continue;
            FilmCell& cell = cells[number];
            if (site.operation == Operation::load) {
                ++cell.loads;
                continue;
            }
            const std::uint32_t bits = bitsAt(step, rank * words, at, size);
            cell.value = site.operation == Operation::atomic ? cell.value + bits : bits;
            cell.atomics += site.operation == Operation::atomic;
            cell.filled = true;
            cell.warp = step.warp;
            cell.lane = static_cast<int>(lane);
            const bool read = site.operation == Operation::store && loaded.requests == 1 && at / size < loaded.values;
            cell.pixel = read ? loaded.first + at / size : -1;
        }
        if (site.operation != Operation::load) loaded = {};
    });
}

void FilmState::applyPicture(const FilmStep& step, const WarpSite& site) {
    const int size = m_film.buffers[static_cast<std::size_t>(step.request.buffer)].valueBytes;
    auto& seen = site.operation == Operation::load ? m_read : m_written;
    for (const std::int64_t value : valuesTouched(m_film, step))
        if (static_cast<std::size_t>(value) < seen.size()) seen[static_cast<std::size_t>(value)] = true;
    forLanes(step.request.mask, [&](std::size_t lane, std::size_t) {
        Loaded& loaded = m_loaded[static_cast<std::size_t>(step.warp * kLanes) + lane];
        if (site.operation == Operation::load)
            loaded = {step.request.offset[lane] / size, std::max(1, site.bytes / size), loaded.requests + 1};
        else
            loaded = {};
    });
}

}  // namespace warplens::gpu
