// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/live.hpp"

#include "gpu/core/moments.hpp"
#include "gpu/core/partitionable.hpp"
#include "gpu/run/piece_session.hpp"
#include "gpu/run/statistics.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gpu {

bool Live::holds(const Problem* problem, const RunRecord& described) const {
    return m_session != nullptr && m_problem.get() == problem && m_record.id() == described.id() &&
           m_record.tunables == described.tunables;
}

void Live::dropResult() {
    m_session.reset();
    m_problem.reset();
    m_record = {};
}

void Live::drop() {
    dropResult();
    m_behind.drop();
}

namespace {

/// Rows that are read, at the display's level.
std::pair<std::int64_t, std::int64_t> rowsOf(const render::DisplayLine& down) {
    const auto [first, last] = std::ranges::minmax(down.first);
    const auto [other, end] = std::ranges::minmax(down.second);
    return {std::min(first, other), std::int64_t{std::max(last, end)} + 1};
}

}  // namespace

std::optional<Preview> Live::previewPart(const Problem& problem, const Variant& variant, const RunRecord& described,
                                         const render::Display& display) {
    const auto* how = problem.inPieces();
    if (how == nullptr || m_device.info().ranks() || display.down.size() == 0) return std::nullopt;
    const io::Shape& shape = how->cutInput()->shape();
    const bool same = display.width == shape.width && display.height == shape.height;
    if (!same || how->cutAxis() != 1 || !how->inPlace() || !how->indivisibleReason().empty()) return std::nullopt;
    // Rows of the reduced picture are made of whole ones: pieces begin and end between those.
    const std::int64_t step = std::int64_t{1} << display.level;
    const auto [low, high] = rowsOf(display.down);
    const auto down = [step](std::int64_t row) {
        return row >= 0 ? row / step * step : (row - step + 1) / step * step;
    };
    std::int64_t begin = down(low * step - how->halo()), end = down(high * step + how->halo() + step - 1);
    if (how->wraps() && (begin < 0 || end > shape.height)) return std::nullopt;
    begin = std::max<std::int64_t>(0, begin);
    end = std::min(shape.height, end);
    if (low < 0 || 2 * (end - begin) > shape.height) return std::nullopt;
    const auto part = how->makePartition(linesOf(*how->cutInput(), 1, begin, end - begin, false), low * step);
    Resident resident;
    const auto session = part->open(m_device, resident);
    const auto picture = session->picture();
    auto shown = std::make_shared<render::Display>(display);
    shown->height = end - begin;
    for (auto* rows : {&shown->down.first, &shown->down.second})
        for (std::int32_t& row : *rows) row -= static_cast<std::int32_t>(begin / step);
    if (!picture || !render::fits(*shown, picture->shape)) return std::nullopt;
    Preview preview{.record = described, .computed = true, .seen = {}};
    pass(*session, variant, preview.record, resident);
    preview.record.time.reset();  // the part's, in a record of the whole
    preview.seen = m_painter.paint(*picture, shown);
    return preview;
}

void Live::pass(Session& session, const Variant& variant, RunRecord& record, const Resident& resident) {
    session.prepare(variant, record.tunables);
    session.poisonOutput();
    m_device.synchronize();
    m_device.takeLaunchFacts();
    record.time = summarise({StageLog::during(StageLog::kKernel, [&] { return session.pass(m_device); })},
                            clockOf(m_device.info()));
    record.launch = m_device.takeLaunchFacts();
    record.uploadMs = resident.fresh ? resident.uploadMs : 0;
    record.layoutMs = resident.fresh ? resident.layoutMs + (session.pitch() > 0 ? resident.padMs : 0) : 0;
}

Preview Live::preview(const std::shared_ptr<const Problem>& problem, const Variant& variant, const RunRecord& described,
                      Resident& resident, const std::shared_ptr<const render::Display>& display, const Behind& behind) {
    Preview preview;
    const bool alone = behind.steps.empty();
    if (!holds(problem.get(), described)) {
        dropResult();
        if (alone) m_behind.drop();
        try {
            auto part = alone ? previewPart(*problem, variant, described, *display) : std::nullopt;
            if (part) return *std::move(part);
        } catch (const Error& error) {
            if (error.kind() != Error::Kind::outOfMemory) throw;  // in smaller pieces, then
        }
        auto session = openFitting(*problem, m_device, resident);
        preview.record = described;
        const auto picture = session->picture();
        if (!picture || (alone && !render::fits(*display, picture->shape))) return preview;
        pass(*session, variant, preview.record, resident);
        preview.computed = true;
        m_problem = problem;
        m_session = std::move(session);
        m_record = preview.record;
    }
    preview.record = m_record;
    const auto last = m_behind.run(*m_session->picture(), preview.computed, behind.like, behind.steps, behind.describe);
    if (last && render::fits(*display, last->shape)) preview.seen = m_painter.paint(*last, display);
    return preview;
}

std::optional<RunRecord> Live::take(const Problem* problem, const RunRecord& described) {
    if (!holds(problem, described)) return std::nullopt;
    const auto kept = std::move(m_problem);
    const auto session = std::move(m_session);
    RunRecord record = std::exchange(m_record, {});
    record.choice = described.choice;
    if (record.time->clock == Clock::device) {
        m_device.takeLaunchFacts();  // those of the painter
        record.time = summarise({session->pass(m_device)}, Clock::device);
        // Of a launch graph nothing is noted: the first pass's stand.
        if (const LaunchFacts timed = m_device.takeLaunchFacts(); timed.kernels > 0) record.launch = timed;
    }
    double layoutMs = 0, downloadMs = 0;
    record.result = session->download(layoutMs, downloadMs);
    record.layoutMs = *record.layoutMs + layoutMs;
    record.downloadMs = downloadMs;
    return record;
}

}  // namespace warplens::gpu
