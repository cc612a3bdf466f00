// SPDX-License-Identifier: Apache-2.0
#include "gui/session/run_control.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/core/registry.hpp"
#include "gui/kit/theme/format.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace warplens::gui {

RunControl::RunControl(gpu::Runner& runner, RequestState& request, VisibleVariants& lookedAt, Results& results,
                       LivePreview& preview, Activity& activity, QObject* parent)
    : QObject(parent),
      m_runner(runner),
      m_request(request),
      m_lookedAt(lookedAt),
      m_results(results),
      m_preview(preview),
      m_activity(activity) {
    activity.watch(m_jobs);
    connect(&activity, &Activity::cancelled, this, &RunControl::cancel);
    connect(&request, &RequestState::taskChanged, this, &RunControl::taskChanged);
    connect(&lookedAt, &VisibleVariants::wanted, this, &RunControl::refilterFor);
    connect(&lookedAt, &VisibleVariants::changed, &m_fetch, qOverload<>(&QTimer::start));
    connect(&lookedAt, &VisibleVariants::grown, this, [this] {
        if (m_resting) return;
        m_grown = true;
        m_fetch.start();
        if (m_results.of(m_request.current()) == nullptr) refilterFor(m_request.current());
    });
    connect(&m_live, &LivePolicy::due, this, &RunControl::startLive);
    m_fetch.setSingleShot(true);
    m_fetch.setInterval(0);
    connect(&m_fetch, &QTimer::timeout, this, [this] {
        // What is under way, or about to be, looks at the end for what lacks.
        if (m_request.ready() && !m_live.running() && !m_live.pending() && !m_jobs.busy()) fetch();
    });
}

void RunControl::taskChanged(const Task& before, const Task& now) {
    const bool family = before.family != now.family, picture = !before.samePicture(now);
    const bool devices = !before.sameDevices(now);
    if (family || picture || devices) {
        m_named = false;
        const bool read = picture && !now.picture.derived && now.picture.place == nullptr;
        m_resting = !m_atOnce && (read || (m_resting && !family && !picture));
        if (family || picture) m_activity.report({});
        m_activity.beginRun();
        dropRuns();
        if (picture) m_results.clear();
        if (devices) m_results.forgetLeft();
        if (family) {
            m_results.saveFamily(before.family);
            m_results.restoreFamily();
            m_lookedAt.forgetReference();
        } else {
            m_results.expect();
        }
        const bool there =
            !currentIsOfNoUse() && !m_results.notKept(now.current) && !m_results.present(now.current)->result.empty();
        if (m_compareAsked || !there) refilter();
        return;
    }
    for (const auto& [id, kernel] : now.kernels) {
        const auto at = before.kernels.find(id);
        if (at != before.kernels.end() && at->second == kernel) continue;
        m_results.outdate(id);
        if (id == now.current) refilterFor(id);
    }
    if (!before.sameValues(now)) valuesChanged();
    if (now.chosen != before.chosen || (now.current != before.current && now.chosen == now.current)) {
        m_named = true;
        m_resting = false;
        m_preview.end();
        refilterFor(now.current);
    }
}

void RunControl::valuesChanged() {
    m_named = m_resting = false;
    m_activity.report({});
    m_activity.beginRun();
    const bool seen = !m_compareAsked && m_preview.ask();
    // Without frames a live run may finish: its picture is shown until the next one.
    if (seen || !m_live.running()) discardRuns();
    m_results.markStale();
    if (seen)
        m_live.requestAtRest();
    else
        refilter();
}

void RunControl::setFiltering(bool filtering) {
    m_request.setFiltering(filtering);
    if (filtering && m_emulated && m_request.chosen().empty() && m_request.ready() && !m_resting) m_live.request();
}

void RunControl::dropRuns() {
    m_preview.end();
    discardRuns();
}

void RunControl::discardRuns() {
    m_jobs.discard();
    m_live.ended();
    m_comparing = false;
}

void RunControl::refilter() {
    if (!m_request.ready()) return;
    if (m_compareAsked)
        compare();
    else if (!m_resting && m_lookedAt.places() > 0)
        m_live.request();
}

void RunControl::refilterFor(const std::string& variant) {
    if (m_results.lacks(variant) && !m_comparing) refilter();
}

bool RunControl::currentIsOfNoUse() const {
    const gpu::RunRecord* there = m_results.present(m_request.current());
    return there == nullptr || there->status == gpu::Status::unsupported;
}

RunControl::Lived RunControl::runLive(const gpu::Request& live, bool passesOn, const JobContext& context) {
    const auto run = [&](const gpu::Request& request) {
        gpu::Comparison comparison = m_runner.run(request, context.stop());
        if (comparison.runs.empty()) throw gpu::Error(gpu::Error::Kind::cancelled, "Cancelled.");
        return std::move(comparison.runs.front());
    };
    Lived lived{run(live), std::nullopt};
    if (!passesOn || lived.record.status != gpu::Status::unsupported) return lived;
    gpu::Request instead = live;
    instead.variants = {gpu::kAuto};
    instead.kernels.clear();
    instead.kernelsAlone = false;
    try {
        gpu::RunRecord record = run(instead);
        if (record.status != gpu::Status::unsupported) lived = {std::move(record), std::move(lived.record)};
    } catch (const gpu::Error& error) {
        if (error.kind() != gpu::Error::Kind::unsupported) throw;  // else none can, and the one named says why
    }
    return lived;
}

void RunControl::sayPassedOn(const gpu::RunRecord& refused, const gpu::RunRecord& instead) {
    m_activity.note(tr("%1 runs in place of %2, which %3")
                        .arg(QString::fromStdString(instead.id()), QString::fromStdString(refused.id()),
                             QString::fromStdString(refused.reason)),
                    true);
}

void RunControl::startLive() {
    if (!m_request.ready() || m_lookedAt.places() == 0) return;
    // What is seen first does not share its processors.
    if (m_preview.frames().drawing()) return m_live.requestAtRest();
    m_comparing = false;
    // What the user named filters where it can; until he names a variant, the fastest one known for these values.
    const std::string chosen = m_request.chosen();
    const bool automatic = chosen.empty() && (currentIsOfNoUse() || (m_emulated && m_request.filtering()));
    const std::string id = !chosen.empty() ? chosen : automatic ? std::string(gpu::kAuto) : m_request.current();
    const gpu::Request live = m_request.make({id}, true);
    m_live.began();
    m_jobs.start(
        this,
        [this, live, passesOn = !chosen.empty() && !m_named](const JobContext& context) {
            return runLive(live, passesOn, context);
        },
        [this, live, automatic, chosen, run = m_activity.run()](JobResult<Lived> result) {
            m_live.ended();
            if (!result && !m_live.pending()) m_preview.end();
            if (!result) return m_live.pending() ? void() : m_activity.fail(result.failure());
            const auto& [record, refused] = result.value();
            if (automatic) m_emulated = !live.hostLibraries && !m_request.devices().ranking();
            if (m_request.chosen() == chosen && (automatic || !chosen.empty())) m_request.followChoice(record.id());
            // Values that changed since it began: a picture to go on with, not a result.
            const bool outdated = m_live.pending();
            if (!outdated) m_preview.end();
            if (refused) m_results.take(*refused, run, outdated);
            m_results.take(record, run, outdated);
            if (outdated) return;
            if (refused) sayPassedOn(*refused, record);
            std::vector<std::string> others = m_results.lookedAtAndLacking();
            std::erase(others, record.id());
            gpu::Request used = live;
            if (refused) m_request.choose(used, {gpu::kAuto});
            startChecks(used, record, others);
        });
}

void RunControl::startChecks(const gpu::Request& live, const std::optional<gpu::RunRecord>& first,
                             const std::vector<std::string>& others) {
    std::vector<gpu::Request> further(others.size(), live);
    for (std::size_t i = 0; i < others.size(); ++i) m_request.choose(further[i], {others[i]});
    m_jobs.start(
        this,
        [this, live, first, further, run = m_activity.run()](const JobContext& context) {
            const auto deliver = [&](const gpu::RunRecord& record) {
                context.deliver([this, record, run] { m_results.take(record, run); });
            };
            const auto check = [&](const gpu::RunRecord& record) {
                if (record.status != gpu::Status::ok || record.result.empty()) return record;
                gpu::RunRecord checked = m_runner.verify(live, record, context.stop());
                if (context.stop().stop_requested()) return checked;
                if (checked.id() != record.id())  // a kernel in place of a library that was wrong
                    context.deliver([this, id = checked.id()] { m_request.followChoice(id); });
                deliver(checked);
                return checked;
            };
            std::optional<gpu::RunRecord> shown;
            if (first) shown = check(*first);
            for (const gpu::Request& other : further) {
                if (context.stop().stop_requested()) break;
                gpu::Comparison comparison = m_runner.run(other, context.stop());
                if (comparison.runs.empty() || comparison.interrupted) break;
                deliver(comparison.runs.front());
                check(comparison.runs.front());
            }
            // Now that it is seen what the guess took, and the values rest, there is time for a race.
            if (shown && shown->choice && !context.stop().stop_requested())
                if (const auto settled = settleChoice(live, *shown, context)) {
                    context.deliver([this, settled, run] {
                        if (!m_request.currentChosen()) m_request.followChoice(settled->id());
                        m_results.take(*settled, run);
                    });
                    if (!settled->verification) check(*settled);
                }
            if (context.stop().stop_requested()) throw gpu::Error(gpu::Error::Kind::cancelled, "Cancelled.");
            return Done{};
        },
        [this](JobResult<Done> result) {
            if (!result && !result.cancelled()) m_activity.fail(result.failure());
            emit m_activity.lastJobChanged();
            emit m_results.changed();
            if (result) fetch();  // panes may have come meanwhile
        });
}

std::optional<gpu::RunRecord> RunControl::settleChoice(const gpu::Request& live, gpu::RunRecord shown,
                                                       const JobContext& context) {
    const std::optional<gpu::Choice> choice = m_runner.measureChoice(live, context.stop());
    if (!choice) return std::nullopt;
    if (choice->variant == shown.variant && choice->tunables == shown.choice->tunables) {
        shown.choice = choice;
        return shown;
    }
    gpu::Comparison comparison = m_runner.run(live, context.stop());
    if (comparison.runs.empty() || comparison.interrupted) return std::nullopt;
    return std::move(comparison.runs.front());
}

void RunControl::fetch() {
    // Beside a result that is there what a new pane shows is run as well.
    const bool all = std::exchange(m_grown, false) && m_results.present(m_request.current()) != nullptr;
    std::vector<std::string> ids = m_results.lookedAtAndLacking();
    std::erase_if(ids, [&](const std::string& id) { return !all && !m_results.notKept(id); });
    if (!ids.empty() && !m_comparing) startChecks(m_request.make({}, true), std::nullopt, ids);
}

void RunControl::compare() {
    m_compareAsked = !m_request.ready();
    if (m_compareAsked) return;
    const std::vector<std::string> ids = m_request.variants().checked();
    if (ids.empty()) {
        m_activity.report(tr("No variant is checked; check those to compare in the list on the left."));
        emit compared();
        return;
    }
    m_resting = false;
    m_activity.report({});
    m_activity.beginRun();
    m_live.drop();
    dropRuns();
    m_results.expect();
    m_comparing = true;
    m_clock.start();
    gpu::Request all = m_request.make(ids, false);
    all.keepPictures = false;  // those that are looked at are kept by who shows them
    const int asked = static_cast<int>(ids.size());
    m_jobs.start(
        this,
        [this, all, run = m_activity.run()](const JobContext& context) {
            gpu::Observer observer;
            observer.progress = [&context](double fraction, const std::string& what) {
                context.progress(fraction, QString::fromStdString(what));
            };
            std::vector<gpu::ReportRun> runs;
            gpu::StageLog log;
            std::vector<gpu::RowMoments> moments;
            observer.record = [this, &context, &runs, &log, &moments, run](const gpu::RunRecord& record) {
                moments.push_back({record.id(), log.take()});
                runs.push_back(gpu::reduce(record));
                context.deliver([this, record, run] { m_results.take(record, run); });
            };
            const auto begin = gpu::StageLog::Clock::now();
            Compared compared{m_runner.run(all, context.stop(), observer), {}, {}};
            compared.timeline = gpu::makeTimeline(moments, begin, gpu::StageLog::Clock::now());
            compared.report = gpu::makeReport(compared.comparison, std::move(runs));
            gpu::keepSources(compared.report, all);
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
    const auto asked = gpu::integerFor(gpu::Parameter::Role::iterations, comparison.family, comparison.parameters);
    if (most == 0 || !asked) return {};
    const QString steps = fewest == most
                              ? format::integer(most)
                              : QStringLiteral("%1 – %2").arg(format::integer(fewest), format::integer(most));
    return RunControl::tr(", stopped at the tolerance after %1 of %2 steps").arg(steps, format::integer(*asked));
}

}  // namespace

void RunControl::finishComparison(JobResult<Compared> result, int asked) {
    m_comparing = false;
    if (!result) {
        m_activity.fail(result.failure());
        emit m_results.changed();  // nobody waits for a turn any more
        emit compared();
        return;
    }
    const gpu::Comparison& comparison = result.value().comparison;
    m_results.take(comparison, std::move(result.value().report));
    const QString seconds = format::significant(static_cast<double>(m_clock.elapsed()) / 1000, 2);
    const int done = static_cast<int>(comparison.runs.size());
    m_activity.note(comparison.interrupted ? tr("Cancelled after %1 of %2 variants").arg(done).arg(asked)
                    : done == 1            ? tr("Compared 1 variant in %1 s").arg(seconds)
                                : tr("Compared %1 variants in %2 s").arg(done).arg(seconds) + stoppedEarly(comparison),
                    true);
    const gpu::Variant* winner = m_request.devices().ranking() ? m_results.fastest() : nullptr;
    const gpu::RunRecord* named = m_results.present(m_request.chosen());
    if (named != nullptr && named->status == gpu::Status::ok)
        m_request.followChoice(m_request.chosen());
    else if (winner != nullptr && !m_request.currentChosen())
        m_request.followChoice(winner->id);
    m_request.devices().setLimits(comparison.limits);
    if (const gpu::Timeline& timeline = result.value().timeline; !timeline.stages.empty())
        emit timed(timeline, tr("comparison in %1 on %2, %3")
                                 .arg(QString::fromStdString(gpu::familyOf(comparison.family).title()),
                                      QString::fromStdString(comparison.device.name), m_request.document().name()));
    emit compared();
    // The current variant need not be one of those that were compared, nor one that can take the values.
    if (!comparison.interrupted && !m_named && currentIsOfNoUse()) return refilter();
    if (!comparison.interrupted && m_results.present(m_request.current()) == nullptr) return refilter();
    fetch();  // the winner's picture may not have been kept
}

void RunControl::cancelLive() {
    if (m_comparing) return;
    m_live.drop();
    dropRuns();
}

void RunControl::cancel() {
    m_compareAsked = false;
    m_live.drop();
    m_preview.end();
    m_jobs.cancel();
}

}  // namespace warplens::gui
