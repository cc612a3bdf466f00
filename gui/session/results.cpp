// SPDX-License-Identifier: Apache-2.0
#include "gui/session/results.hpp"

#include "gpu/core/counts.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/core/fastest.hpp"
#include "gpu/frame/shared_parameters.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/session/rates.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace warplens::gui {

Results::Results(RequestState& request, VisibleVariants& lookedAt, RunTableModel& runs, QObject* parent)
    : QObject(parent), m_request(request), m_lookedAt(lookedAt), m_runs(runs) {
    connect(&lookedAt, &VisibleVariants::changed, this, &Results::changed);
    connect(&request, &RequestState::taskChanged, this, [this](const Task& before, const Task& now) {
        if (before.family == now.family && before.baseline != now.baseline) m_runs.setBaseline(now.baseline);
    });
}

const gpu::RunRecord* Results::of(const std::string& id) const {
    const auto at = m_now.results.find(id);
    return at == m_now.results.end() ? nullptr : &at->second.record;
}

bool Results::stale(const std::string& id) const {
    const auto at = m_now.results.find(id);
    return at != m_now.results.end() && at->second.stale;
}

bool Results::notKept(const std::string& id) const {
    const auto at = m_now.results.find(id);
    return at != m_now.results.end() && !at->second.stale && at->second.record.status == gpu::Status::ok &&
           at->second.dropped;
}

std::vector<std::string> Results::lookedAtAndLacking() const {
    std::vector<std::string> ids = m_lookedAt.variants();
    std::erase_if(ids, [this](const std::string& id) { return !lacks(id); });
    return ids;
}

std::uint64_t Results::run(const std::string& id) const {
    const auto at = m_now.results.find(id);
    return at == m_now.results.end() ? 0 : at->second.run;
}

std::optional<std::pair<double, double>> Results::countedRange() const {
    const gpu::RunRecord* record = present(m_request.current());
    if (record == nullptr) return std::nullopt;
    const auto counts = gpu::countsOf(record->result.tables);
    if (counts == nullptr || counts->edges.empty()) return std::nullopt;
    return std::pair(counts->edges.front(), counts->edges.back());
}

QString Results::rate() const {
    const std::string& current = m_request.current();
    const gpu::RunRecord* record = present(current);
    if (record == nullptr || !record->time || stateOf(*record) != ResultState::verified ||
        record->time->medianMs <= 0 || m_request.document().empty())
        return {};
    const io::Shape& shape = m_request.document().grid()->shape();
    const double pixels = static_cast<double>(shape.pixels());
    // One that was solved before its first step made a picture, and no steps to count.
    if (const auto evolution = gpu::evolutionOf(record->result.tables); evolution && evolution->iterations > 0) {
        const auto* alpha = m_request.parameters().valueFor<std::string>(gpu::Parameter::Role::alpha);
        const bool alphaKept = shape.channels == 4 && alpha != nullptr && *alpha == gpu::kKeepAlpha;
        const double steps = static_cast<double>(evolution->iterations) * (alphaKept ? 3 : shape.channels);
        return tr("%1 %2 ms, %3 Mcell/s")
            .arg(QString::fromStdString(current), format::milliseconds(record->time->medianMs),
                 format::significant(pixels * steps / record->time->medianMs / 1000));
    }
    return tr("%1 %2 ms, %3 Mpixel/s")
        .arg(QString::fromStdString(current), format::milliseconds(record->time->medianMs),
             format::significant(pixels / record->time->medianMs / 1000));
}

const gpu::Variant* Results::fastest() const {
    const gpu::Variant* best = nullptr;
    double least = 0;
    for (int row = 0; row < m_runs.rowCount(); ++row) {
        const gpu::Timing* time = m_runs.time(row);
        if (time == nullptr || !gpu::mayBeFastest(*m_runs.record(row)) || (best != nullptr && time->medianMs >= least))
            continue;
        best = m_runs.variant(row);
        least = time->medianMs;
    }
    return best;
}

void Results::take(const gpu::RunRecord& record, std::uint64_t run, bool stale) {
    Result& own = m_now.results[record.id()];
    const bool better = !own.stale && own.record.time && own.record.verification && record.time &&
                        own.record.time->samples > record.time->samples;
    if (better) {
        own.record.result = record.result;  // a single run for its result does not replace a measured time
        own.dropped = false;
    } else {
        own = {record, stale, run};
    }
    if (!stale && !better) m_runs.setRecord(record);
    // Large pictures nobody looks at are not kept; looking at the variant runs it again.
    const std::vector<std::string> seen = m_lookedAt.variants();
    if (std::ranges::find(seen, record.id()) == seen.end()) drop(own);
    emit changed();
}

void Results::noteDisplay(const std::string& variant, double ms) {
    if (present(variant) == nullptr) return;
    m_runs.setDisplay(variant, ms);
    if (!m_now.report) return;
    for (gpu::ReportRun& run : m_now.report->runs)
        if (run.record.id() == variant) run.displayMs = ms;
}

void Results::drop(Result& result) const {
    auto& picture = result.record.result.picture;
    if (picture == nullptr || picture->bytes() <= m_keptBytes) return;
    picture.reset();
    result.dropped = true;
}

void Results::take(const gpu::Comparison& comparison, gpu::Report report) {
    m_now.report = std::move(report);
    for (gpu::ReportRun& run : m_now.report->runs) run.displayMs = m_runs.displayMs(run.record.id());
    m_now.work = comparison.work;
    m_now.clocks = comparison.environment.clocks;
    showContext(comparison.limits);
}

void Results::showContext(const std::optional<gpu::Limits>& limits) {
    m_runs.setPlan(m_now.report ? QString::fromStdString(m_now.report->plan) : QString());
    m_runs.setCompared(m_now.report.has_value());
    m_runs.setContext(limits, m_now.work, m_now.clocks);
    m_runs.setRecorded(m_now.report ? gpu::recordedBeside(*m_now.report, &recordedRuns()) : std::nullopt);
}

void Results::markStale() {
    for (auto& [id, result] : m_now.results) result.stale = true;
    m_now.report.reset();
    m_runs.setPlan({});
    m_runs.clearResults();
    emit changed();
}

void Results::outdate(const std::string& id) {
    const auto at = m_now.results.find(id);
    if (at == m_now.results.end()) return;
    at->second.stale = true;
    m_now.report.reset();
    m_runs.clearResult(id);
    emit changed();
}

void Results::expect() {
    m_now.report.reset();
    for (auto& [id, result] : m_now.results) result.stale = true;
    std::vector<const gpu::Variant*> rows;
    std::set<std::string> yours;
    for (const std::string& id : m_request.variants().checked()) {
        rows.push_back(m_request.variants().variant(id));
        if (m_request.variants().kernel(id) != nullptr) yours.insert(id);
    }
    m_runs.expect(rows, m_request.devices().ranking(), std::move(yours));
    m_lookedAt.update();
}

void Results::clear() {
    m_now.results.clear();
    m_left.clear();
}

void Results::saveFamily(const gpu::Family* family) {
    if (family == nullptr) return;
    for (auto& [id, result] : m_now.results) drop(result);
    m_left[family] = std::exchange(m_now, {});
}

void Results::restoreFamily() {
    m_runs.setBaseline(m_request.baseline());
    expect();
    m_now = std::exchange(m_left[m_request.parameters().family()], {});
    for (const auto& [id, result] : m_now.results)
        if (!result.stale) m_runs.setRecord(result.record);
    showContext(m_request.devices().limits());
    m_lookedAt.update();
}

}  // namespace warplens::gui
