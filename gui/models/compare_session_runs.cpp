// SPDX-License-Identifier: Apache-2.0
// The part of CompareSession that runs kernels: live filtering, background checks, comparisons.
#include "gpu/core/error.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/core/registry.hpp"
#include "gui/models/compare_session.hpp"
#include "gui/models/rates.hpp"
#include "gui/theme/format.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace warplens::gui {

void CompareSession::refilter() {
    if (m_compareAsked && ready())
        compare();
    else if (ready())
        m_live.request();
}

void CompareSession::startLive() {
    if (!ready()) return;
    m_comparing = false;
    // Until the user names a variant, the fastest one that is known for these values filters.
    const bool automatic = !m_currentChosen && (result(m_current) == nullptr || stale(m_current));
    const gpu::Request live = request({automatic ? gpu::kAuto : m_current}, true);
    m_live.began();
    m_computeJobs.start(
        this,
        [this, live](const JobContext& context) {
            gpu::Comparison comparison = m_runner.run(live, context.stop());
            if (comparison.runs.empty()) throw gpu::Error(gpu::Error::Kind::cancelled, "Cancelled.");
            return std::move(comparison.runs.front());
        },
        [this, live, automatic, run = m_run](JobResult<gpu::RunRecord> result) {
            m_live.ended();
            if (!result && !m_live.pending()) endFrames();
            if (!result) return m_live.pending() ? void() : fail(result.failure());
            if (automatic && !m_currentChosen) followChoice(result.value());
            // Values that changed since it began: a picture to go on with, not a result.
            const bool outdated = m_live.pending();
            if (!outdated) endFrames();
            take(result.value(), run, outdated);
            if (outdated) return;
            std::vector<std::string> others = lookedAtAndLacking();
            std::erase(others, result.value().id());
            startChecks(live, result.value(), others);
        });
}

void CompareSession::followChoice(const gpu::RunRecord& record) {
    if (m_current == record.id()) return;
    m_current = record.id();
    updateShown();
    emit currentChanged();
}

std::vector<std::string> CompareSession::lookedAtAndLacking() const {
    std::vector<std::string> ids = shown();
    std::ranges::copy(wantedUnseen(), std::back_inserter(ids));
    std::erase_if(ids, [this](const std::string& id) { return !lacks(id); });
    return ids;
}

void CompareSession::startChecks(const gpu::Request& live, const std::optional<gpu::RunRecord>& first,
                                 const std::vector<std::string>& others) {
    m_computeJobs.start(
        this,
        [this, live, first, others, run = m_run](const JobContext& context) {
            const auto deliver = [&](const gpu::RunRecord& record) {
                context.deliver([this, record, run] { take(record, run); });
            };
            const auto check = [&](const gpu::RunRecord& record) {
                if (record.status != gpu::Status::ok || record.result.empty()) return;
                const gpu::RunRecord checked = m_runner.verify(live, record, context.stop());
                if (!context.stop().stop_requested()) deliver(checked);
            };
            if (first) check(*first);
            for (const std::string& id : others) {
                if (context.stop().stop_requested()) break;
                gpu::Request other = live;
                other.variants = {id};
                gpu::Comparison comparison = m_runner.run(other, context.stop());
                if (comparison.runs.empty() || comparison.interrupted) break;
                deliver(comparison.runs.front());
                check(comparison.runs.front());
            }
            if (context.stop().stop_requested()) throw gpu::Error(gpu::Error::Kind::cancelled, "Cancelled.");
            return Done{};
        },
        [this](JobResult<Done> result) {
            if (!result && !result.cancelled()) fail(result.failure());
            emit lastJobChanged();
            emit resultsChanged();
            if (result) fetch();  // panes may have come meanwhile
        });
}

void CompareSession::fetch() {
    std::vector<std::string> ids = lookedAtAndLacking();
    std::erase_if(ids, [this](const std::string& id) { return !notKept(id); });
    if (!ids.empty() && !m_comparing) startChecks(request({}, true), std::nullopt, ids);
}

void CompareSession::compare() {
    if (!ready()) {
        m_compareAsked = true;
        return;
    }
    m_compareAsked = false;
    const std::vector<std::string> ids = m_variants.checked();
    if (ids.empty()) return setError(tr("No variant is checked; check those to compare in the list on the left."));
    setError({});
    beginRun();
    m_live.drop();
    dropRuns();
    resetResults();
    m_comparing = true;
    m_clock.start();
    const gpu::Request all = request(ids, false);
    const int asked = static_cast<int>(ids.size());
    m_computeJobs.start(
        this,
        [this, all, run = m_run](const JobContext& context) {
            gpu::Observer observer;
            observer.progress = [&context](double fraction, const std::string& what) {
                context.progress(fraction, QString::fromStdString(what));
            };
            observer.record = [this, &context, run](const gpu::RunRecord& record) {
                context.deliver([this, record, run] { take(record, run); });
            };
            Compared compared{m_runner.run(all, context.stop(), observer), {}};
            compared.report = gpu::makeReport(compared.comparison);
            return compared;
        },
        [this, asked](JobResult<Compared> result) { finishComparison(std::move(result), asked); });
}

namespace {

/// ", stopped at the tolerance after 130 of 1,000 steps" when an iteration did; the fewest and the most steps where
/// they differ.
QString stoppedEarly(const gpu::Comparison& comparison) {
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max(), most = 0;
    for (const gpu::RunRecord& run : comparison.runs) {
        const auto evolution = gpu::evolutionOf(run.result.tables);
        if (!evolution || evolution->stopped != "tolerance") continue;
        fewest = std::min(fewest, evolution->iterations);
        most = std::max(most, evolution->iterations);
    }
    const auto asked = comparison.parameters.find("iterations");
    if (most == 0 || asked == comparison.parameters.end()) return {};
    const QString steps = fewest == most
                              ? format::integer(most)
                              : QStringLiteral("%1 – %2").arg(format::integer(fewest), format::integer(most));
    return CompareSession::tr(", stopped at the tolerance after %1 of %2 steps")
        .arg(steps, format::integer(std::get<std::int64_t>(asked->second)));
}

}  // namespace

void CompareSession::finishComparison(JobResult<Compared> result, int asked) {
    m_comparing = false;
    if (!result) {
        fail(result.failure());
        emit compared();
        return;
    }
    const gpu::Comparison& comparison = result.value().comparison;
    m_report = std::move(result.value().report);
    m_limits = comparison.limits;
    m_work = comparison.work;
    m_clocks = comparison.environment.clocks;
    m_runs.setContext(m_limits, m_work, m_clocks);
    showRecorded();
    const QString seconds = format::significant(static_cast<double>(m_clock.elapsed()) / 1000, 2);
    const int done = static_cast<int>(comparison.runs.size());
    note(comparison.interrupted ? tr("Cancelled after %1 of %2 variants").arg(done).arg(asked)
         : done == 1            ? tr("Compared 1 variant in %1 s").arg(seconds)
                                : tr("Compared %1 variants in %2 s").arg(done).arg(seconds) + stoppedEarly(comparison),
         true);
    chooseWinner();
    emit deviceChanged();
    emit compared();
    // The current variant need not be one of those that were compared.
    if (!comparison.interrupted && (this->result(m_current) == nullptr || stale(m_current))) return refilter();
    fetch();  // the winner's picture may not have been kept
}

void CompareSession::showRecorded() {
    const gpu::Report* like = m_report ? gpu::findRecorded(recordedRuns(), *m_report) : nullptr;
    const bool other = like != nullptr && like->device.name != m_report->device.name;
    m_runs.setRecorded(other ? like : nullptr);
}

void CompareSession::chooseWinner() {
    if (m_currentChosen || !ranking()) return;
    const gpu::Variant* best = nullptr;
    double least = 0;
    for (int row = 0; row < m_runs.rowCount(); ++row) {
        const gpu::Timing* time = m_runs.time(row);
        if (time == nullptr || time->clock != gpu::Clock::device || (best != nullptr && time->medianMs >= least))
            continue;
        best = m_runs.variant(row);
        least = time->medianMs;
    }
    if (best == nullptr || best->id == m_current) return;
    m_current = best->id;
    updateShown();
    emit currentChanged();
}

void CompareSession::dropLive() {
    if (m_comparing) return;
    m_live.drop();
    dropRuns();
}

void CompareSession::cancel() {
    m_compareAsked = false;
    m_live.drop();
    endFrames();
    m_openJobs.cancel();
    m_parameterJobs.cancel();
    m_computeJobs.cancel();
}

}  // namespace warplens::gui
