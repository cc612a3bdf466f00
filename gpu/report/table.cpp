// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/table.hpp"

#include "gpu/core/evolution.hpp"
#include "gpu/core/fastest.hpp"
#include "gpu/core/parameter_effects.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/run_columns.hpp"
#include "gpu/run/limit.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace warplens::gpu {

namespace {

constexpr const char* kTimes = "\u00d7";

bool ranByCudaClock(const ReportRun& run) { return run.record.time && run.record.time->clock == Clock::device; }

/// Rows that are faster than the fastest exact one, and why they are not called so.
std::string fasterOtherwise(const Report& report, const ReportRun* best) {
    std::string ids;
    for (const ReportRun& run : report.runs) {
        if (!ranks(run.record) || isExact(run.record.verification)) continue;
        if (best == nullptr || run.record.time->medianMs < best->record.time->medianMs)
            ids += (ids.empty() ? "" : ", ") + run.record.id();
    }
    return ids.empty() ? "" : "Faster, but not exact or of another definition (see the notes): " + ids + ".";
}

/// The fastest exact row, when its interval lies clear of every other's.
std::string winner(const Report& report, const RunRecord* baseline) {
    const ReportRun* best = nullptr;
    for (const ReportRun& run : report.runs) {
        if (!mayBeFastest(run.record)) continue;
        if (best == nullptr || run.record.time->medianMs < best->record.time->medianMs) best = &run;
    }
    const std::string otherwise = fasterOtherwise(report, best);
    if (best == nullptr || baseline == nullptr || &best->record == baseline) return otherwise;
    std::string sharing;
    for (const ReportRun& run : report.runs) {
        if (&run == best || !mayBeFastest(run.record)) continue;
        if (judge(*best->record.time, *run.record.time) != Verdict::faster) sharing += ", " + run.record.id();
    }
    const std::string fastest =
        sharing.empty() ? "Fastest: " + best->record.id() + "."
                        : "No single fastest: the intervals of " + best->record.id() + sharing + " overlap.";
    return fastest + (otherwise.empty() ? "" : " " + otherwise);
}

std::string evolutionNote(const Report& report, const RunRecord& record) {
    return evolutionText(record, report.parameters);
}

std::string checkNote(const Report&, const RunRecord& record) {
    return record.verification ? record.verification->note : "";
}

/// Of a kernel that can be compiled for the task at hand: which instance ran, and what that took.
std::string instanceNote(const Report&, const RunRecord& record) {
    if (record.status != Status::ok || !record.launch || !record.launch->special) return "";
    const Specialisation& special = *record.launch->special;
    if (!special.used) return "the general kernel ran: " + special.reason;
    return "specialised for this task" + std::string(special.weights ? ", weights as constants" : "") +
           "; the compiler took " + threeDigits(special.compileMs) + " ms" +
           (special.cached ? " when it was made; it was read from the cache" : "");
}

/// Where a portable row ran, and by which clock.
std::string placeNote(const Report&, const RunRecord& record) {
    if (record.kind != Variant::Kind::portable || !record.time) return "";
    return "ran on " + record.runsOn + ", timed by " + nameOf(record.time->clock) +
           "; verdicts compare only within one clock";
}

/// One line for all rows that have the same to say.
void addShared(std::vector<std::string>& notes, const Report& report,
               std::string (*sentence)(const Report&, const RunRecord&)) {
    std::vector<std::pair<std::string, std::string>> lines;  // what is said, of whom
    for (const ReportRun& run : report.runs) {
        const std::string said = sentence(report, run.record);
        if (said.empty()) continue;
        const auto known =
            std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.first == said; });
        if (known == lines.end())
            lines.emplace_back(said, run.record.id());
        else
            known->second += ", " + run.record.id();
    }
    for (const auto& [said, who] : lines) notes.push_back(who + ": " + said);
}

/// What the shares of the limit are shares of.
std::string limitNote(const Report& report) {
    std::string text = std::string("Limit: device ") + nameOf(report.work.traffic) + " at " +
                       threeDigits(limitOf(*report.limits, report.work.traffic)) +
                       " GB/s, measured in this process; GB/s counts " +
                       (report.work.traffic == Traffic::read ? "the input once." : "input once and output once.");
    std::string computing;
    for (const ReportRun& run : report.runs) {
        if (limitOfShare(run.record, *report.limits, report.work.traffic) == kFmaLimit)
            computing += (computing.empty() ? "" : ", ") + run.record.id();
    }
    if (computing.empty()) return text;
    return text + " Of limit is of the FMA rate, " + threeDigits(report.limits->fmaTflops) +
           " TFLOP/s, where that share is larger: " + computing + ".";
}

std::vector<std::string> notesOf(const Report& report, const RunsBeside& beside) {
    const bool ranked = beside.ranked;
    std::vector<std::string> notes{""};
    for (const std::string& fact : report.facts) notes.front() += (notes.front().empty() ? "" : "; ") + fact;
    for (const std::string& note : report.input.notes) notes.push_back("Input: " + note + ".");
    if (!report.plan.empty()) {
        const bool shared = std::ranges::any_of(
            report.runs, [](const ReportRun& run) { return run.record.slabs && run.record.slabs->shared(); });
        notes.push_back("Slab by slab: " + report.plan + "; the time is the kernels' alone, " +
                        (shared ? "of the device that took longest." : "of all slabs together."));
    }
    if (ranked) {
        notes.push_back(winner(report, beside.baseline));
        if (report.limits) notes.push_back(limitNote(report));
    } else {
        notes.push_back(
            "No winner: CPU time ranks variants the wrong way round, so the rows are in the order of the ladder.");
    }
    if (beside.recorded)
        notes.push_back(titleOf(runColumn(RunColumn::recorded), beside) + ": recorded on " + beside.recorded->label() +
                        ".");
    std::string warm;
    for (const ReportRun& run : report.runs) {
        const RunRecord& record = run.record;
        if (!ranked && record.time && record.time->clock == Clock::library) {
            notes.push_back(record.id() +
                            " was timed by the library's own clock; its time says nothing about the kernels'.");
        }
        if (record.time && record.time->clock == Clock::device && record.time->warmL2)
            warm += (warm.empty() ? "" : ", ") + record.id();
    }
    for (const auto sentence : {&placeNote, &evolutionNote, &checkNote, &instanceNote})
        addShared(notes, report, sentence);
    if (ranked && !warm.empty()) notes.push_back("Warm L2 (the working set fits the cache): " + warm + ".");
    if (const auto& clocks = report.environment.clocks; clocks && clocks->throttled) {
        notes.push_back("The GPU throttled while this ran: " + clocks->reason + ".");
    }
    if (report.interrupted) notes.push_back("Interrupted: the rows above are those that were done.");
    std::erase(notes, "");
    return notes;
}

}  // namespace

const ReportRun* baselineOf(const Report& report) {
    const auto found = std::find_if(report.runs.begin(), report.runs.end(), [](const ReportRun& run) {
        return run.record.kind == Variant::Kind::kernel && run.record.status == Status::ok && ranByCudaClock(run);
    });
    return found == report.runs.end() ? nullptr : &*found;
}

std::string checkText(const RunRecord& run) {
    if (run.status != Status::ok)
        return std::string(nameOf(run.status)) + (run.reason.empty() ? "" : ": " + run.reason);
    if (!run.verification) return "unverified";
    // Only a library row can be ok all the same: its definition differs, and its note says how.
    const std::int64_t wrong = run.verification->mismatches;
    if (wrong > 0) return withCommas(wrong) + (wrong == 1 ? " value differs" : " values differ");
    const double share = run.verification->checkedShare;
    if (share <= 0) return "unverified";  // the check reached no value; its note says why
    return share < 1 ? "verified on " + percent(share) : "verified";
}

std::string evolutionText(const RunRecord& run, const ParameterValues& parameters) {
    const auto evolution = evolutionOf(run.result.tables);
    if (run.status != Status::ok || !evolution || evolution->residuals.empty()) return "";
    const std::int64_t steps =
        integerFor(Parameter::Role::iterations, run.family, parameters).value_or(evolution->iterations);
    char change[32];
    std::snprintf(change, sizeof change, "%.3g", evolution->residuals.back().value);
    const bool residual = evolution->measure == ConvergenceHistory::Measure::residual;  // or what a step changed
    return (evolution->stopped == "tolerance"
                ? "stopped at the tolerance after " + withCommas(evolution->iterations) + " of " + withCommas(steps)
                : "took all " + withCommas(evolution->iterations)) +
           (residual ? " steps; of the first residual is left " : " steps; the largest change in the last was ") +
           change;
}

std::string extents(const io::Shape& shape) {
    std::string text = withCommas(shape.width) + " " + kTimes + " " + withCommas(shape.height);
    if (shape.depth > 1) text += std::string(" ") + kTimes + " " + withCommas(shape.depth);
    if (shape.channels > 1) text += ", " + std::to_string(shape.channels) + " channels";
    return text;
}

std::string parameterSummary(const Report& report) {
    const Family* family = findFamily(report.family);
    const std::vector<Parameter>* declared = family == nullptr ? nullptr : &family->parameters();
    std::string text;
    const auto add = [&text](const std::string& id, const Parameter::Value& value) {
        text += (text.empty() ? "" : ", ") + id + " " + format(value);
    };
    if (declared == nullptr) {
        for (const auto& [id, value] : report.parameters) add(id, value);
        return text;
    }
    for (std::size_t i = 0; i < declared->size(); ++i) {
        const Parameter& parameter = (*declared)[i];
        const auto found = report.parameters.find(parameter.id);
        if (found == report.parameters.end()) continue;
        if (format(found->second).empty()) continue;  // no picture, or no text, was given
        // One that matters only sometimes, as a radius does, and does with these values.
        const bool shapes = !parameter.visibleWhen.empty() && !leftAside(parameter, *declared, report.parameters);
        if (i == 0 || shapes || found->second != parameter.fallback) add(parameter.id, found->second);
    }
    return text;
}

TextTable makeTable(const Report& report, const RecordedRuns* recorded) {
    const RunsBeside beside = besideOf(report, recorded);
    TextTable table = columnsTable(report, beside, RunColumn::Where::everywhere);
    table.title = report.input.name + " (" + extents(report.input.shape) + ", " + report.input.type + "), " +
                  report.family + ": " + parameterSummary(report) + ", on " + report.device.name + " (" +
                  report.device.id + ")";
    table.notes = notesOf(report, beside);
    return table;
}

}  // namespace warplens::gpu
