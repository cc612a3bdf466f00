// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/live.hpp"

#include "gpu/run/statistics.hpp"

#include <utility>

namespace warplens::gpu {

bool Live::holds(const Problem* problem, const RunRecord& described) const {
    return m_session != nullptr && m_problem.get() == problem && m_record.id() == described.id() &&
           m_record.tunables == described.tunables;
}

void Live::drop() {
    m_session.reset();
    m_problem.reset();
    m_record = {};
}

Preview Live::preview(const std::shared_ptr<const Problem>& problem, const Variant& variant, const RunRecord& described,
                      Resident& resident, const std::shared_ptr<const render::Display>& display) {
    Preview preview;
    if (!holds(problem.get(), described)) {
        drop();
        auto session = problem->open(m_device, resident);
        preview.record = described;
        const auto picture = session->picture();
        if (!picture || !render::fits(*display, picture->shape)) return preview;
        session->prepare(variant, described.tunables);
        session->poisonOutput();
        m_device.synchronize();
        m_device.takeLaunchFacts();
        preview.record.time = summarise({session->pass(m_device)}, clockOf(m_device.info()));
        preview.record.launch = m_device.takeLaunchFacts();
        preview.record.uploadMs = resident.fresh ? resident.uploadMs : 0;
        preview.record.layoutMs = resident.fresh ? resident.layoutMs : 0;
        preview.computed = true;
        m_problem = problem;
        m_session = std::move(session);
        m_record = preview.record;
    }
    preview.record = m_record;
    if (!render::fits(*display, m_session->picture()->shape)) return preview;
    preview.seen = m_painter.paint(*m_session->picture(), display);
    return preview;
}

std::optional<RunRecord> Live::take(const Problem* problem, const RunRecord& described) {
    if (!holds(problem, described)) return std::nullopt;
    const auto kept = std::move(m_problem);
    const auto session = std::move(m_session);
    RunRecord record = std::exchange(m_record, {});
    record.choice = described.choice;
    if (record.time->clock == Clock::device) {
        record.time = summarise({session->pass(m_device)}, Clock::device);
        record.launch = m_device.takeLaunchFacts();
    }
    double layoutMs = 0, downloadMs = 0;
    record.result = session->download(layoutMs, downloadMs);
    record.layoutMs = *record.layoutMs + layoutMs;
    record.downloadMs = downloadMs;
    return record;
}

}  // namespace warplens::gpu
