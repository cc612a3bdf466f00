// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/result.hpp"
#include "gpu/core/fastest.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/rows.hpp"
#include "gpu/run/tune.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace warplens::gpu::bench {
namespace {

/// Right, with a time, and checked on some value at least.
bool ranks(const ReportRun& run) {
    const auto& check = run.record.verification;
    return run.record.status == Status::ok && run.record.time && run.record.time->medianMs > 0 && check &&
           check->checkedShare > 0;
}

/// Those of the GPU's clock first, of them the exact ones, of them the faster.
bool before(const RunRecord& a, const RunRecord& b) {
    const auto rank = [](const RunRecord& record) {
        return std::tuple(record.time->clock != Clock::device, !isExact(record.verification), record.time->medianMs);
    };
    return rank(a) < rank(b);
}

std::int64_t stepsOf(const Report& report) {
    return integerFor(Parameter::Role::iterations, report.family, report.parameters).value_or(0);
}

std::optional<double> valueOf(Metric metric, const Report& report, const ReportRun& run) {
    const double ms = run.record.time->medianMs;
    switch (metric) {
        case Metric::medianMs:
        case Metric::timesCase: return ms;
        case Metric::stepUs:
            return stepsOf(report) > 0 ? std::optional(ms * 1e3 / static_cast<double>(stepsOf(report))) : std::nullopt;
        case Metric::gbs: return run.record.bandwidthGbs;
        case Metric::gcells: return gcellsOf(report, run);
        case Metric::percentOfLimit: return run.record.percentOfLimit;
    }
    return std::nullopt;
}

}  // namespace

const ReportRun* fastest(const Report& report, Variant::Kind kind, const std::vector<std::string>& rows) {
    const bool named = std::ranges::any_of(rows, [](const std::string& pattern) { return !pattern.starts_with('!'); });
    const ReportRun* best = nullptr;
    for (const ReportRun& run : report.runs) {
        const RunRecord& record = run.record;
        if (record.kind != kind || !ranks(run) || record.variant == kAuto || !matches(rows, record.variant)) continue;
        if (record.verification && record.verification->mismatches > 0) continue;
        if (kind == Variant::Kind::kernel && !named && !isExact(record.verification)) continue;
        if (best == nullptr || before(record, best->record)) best = &run;
    }
    return best;
}

const ReportRun* bestPeer(const Report& report) { return fastest(report, Variant::Kind::library); }

const ReportRun* autoRow(const Report& report) {
    const auto at = std::find_if(report.runs.begin(), report.runs.end(),
                                 [](const ReportRun& run) { return run.record.variant == kAuto && ranks(run); });
    return at == report.runs.end() ? nullptr : &*at;
}

TuningTable tableOf(const Result& result) {
    TuningTable table{.device = result.device.name,
                      .driver = result.device.ranks() ? result.environment.cudaDriver : result.environment.cpu,
                      .version = result.version,
                      .date = result.environment.date,
                      .source = "warplens-cli bench",
                      .entries = {}};
    std::vector<std::vector<TuningEntry>> groups;
    for (const CaseResult& one : result.cases) {
        if (!one.report || one.traits.sizes.empty()) continue;
        std::vector<const RunRecord*> records;
        for (const ReportRun& run : one.report->runs) records.push_back(&run.record);
        TuningEntry entry = rankingOf(one.what.family, one.traits, records);
        if (entry.rows.empty()) continue;
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return group.front().family == entry.family && traitDistance(group.front().traits, entry.traits) == 0;
        });
        if (same == groups.end())
            groups.push_back({std::move(entry)});
        else
            same->push_back(std::move(entry));
    }
    for (const auto& group : groups) table.entries.push_back(combine(group));
    return table;
}

Floors floorsOf(const Report& report, const ReportRun& run) {
    if (!report.limits) return {};
    return gpu::floorsOf(run.record, completedWork(report.work, run.record, report.parameters),
                         report.input.shape.values(), *report.limits);
}

std::optional<ShareOfLimit> shareOfLimit(const Report& report, const ReportRun& run) {
    if (!ranks(run) || run.record.time->clock != Clock::device) return std::nullopt;
    return gpu::shareOfLimit(floorsOf(report, run), run.record.time->medianMs);
}

std::string nameOfLimit(const Report& report, const ShareOfLimit& share) {
    return std::string(share.arithmetic ? kFmaLimit : nameOf(report.work.traffic));
}

std::optional<double> gcellsOf(const Report& report, const ReportRun& run) {
    const auto steps = stepsOf(report);
    const Family* family = findFamily(report.family);
    const bool iterates = family != nullptr && family->info().iterates;
    if (!iterates || steps <= 0 || !run.record.time || run.record.time->medianMs <= 0) return std::nullopt;
    return static_cast<double>(report.input.shape.values()) * static_cast<double>(steps) / run.record.time->medianMs *
           1e-6;
}

Outcome judge(const Goal& goal, const CaseResult& result, const Result& all) {
    Outcome outcome;
    if (!result.report) return outcome;
    outcome.run = fastest(*result.report, Variant::Kind::kernel, goal.rows);
    if (outcome.run == nullptr) return outcome;
    outcome.reached = valueOf(goal.metric, *result.report, *outcome.run);
    if (goal.metric == Metric::timesCase) {
        outcome.reached.reset();
        const auto other = std::find_if(all.cases.begin(), all.cases.end(),
                                        [&](const CaseResult& c) { return c.what.id == goal.other; });
        const ReportRun* against = other == all.cases.end() || !other->report
                                       ? nullptr
                                       : fastest(*other->report, Variant::Kind::kernel, goal.rows);
        if (against != nullptr) outcome.reached = outcome.run->record.time->medianMs / against->record.time->medianMs;
    }
    outcome.met =
        outcome.reached && (isCeiling(goal.metric) ? *outcome.reached <= goal.value : *outcome.reached >= goal.value);
    return outcome;
}

}  // namespace warplens::gpu::bench
