// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/table.hpp"

#include "gpu/core/evolution.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/figures.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

namespace warplens::gpu {

namespace {

constexpr const char* kTimes = "\u00d7";
constexpr const char* kDash = "\u2013";

bool ranByCudaClock(const ReportRun& run) { return run.record.time && run.record.time->clock == Clock::cudaEvent; }

std::string recordedCell(const ReportRun& run, const Report* recorded) {
    if (recorded == nullptr) return "";
    for (const ReportRun& other : recorded->runs) {
        // A library that ran on the recorded machine's CPU has no GPU time.
        if (other.record.variant == run.record.variant && ranByCudaClock(other))
            return threeDigits(other.record.time->medianMs);
    }
    return "";
}

struct Maker {
    TextTable::Column column;
    std::function<std::string(const ReportRun&)> cell;
};

std::vector<Maker> makers(const ReportRun* baseline, const Report* recorded, bool ranked) {
    const auto ofTime = [](const std::function<std::string(const Timing&)>& text) {
        return [text](const ReportRun& run) { return run.record.time ? text(*run.record.time) : std::string(); };
    };
    const auto ofLaunch = [](const std::function<std::string(const LaunchFacts&)>& text) {
        return [text](const ReportRun& run) { return run.record.launch ? text(*run.record.launch) : std::string(); };
    };
    std::vector<Maker> all;
    all.push_back({{"Variant", {}, false}, [](const ReportRun& run) {
                       return run.record.variant + (run.record.kind == Variant::Kind::library ? " (library)" : "");
                   }});
    all.push_back({{ranked ? "Median ms" : "CPU ms", Origin::measured, true},
                   ofTime([](const Timing& time) { return threeDigits(time.medianMs); })});
    all.push_back({{"Quartiles ms", Origin::measured, true}, ofTime([](const Timing& time) {
                       return time.samples < 2 ? ""
                                               : threeDigits(time.q1Ms) + " " + kDash + " " + threeDigits(time.q3Ms);
                   })});
    all.push_back({{"n", {}, true}, ofTime([](const Timing& time) { return std::to_string(time.samples); })});
    if (ranked) {
        const std::string against = baseline == nullptr ? "Verdict" : "Against " + baseline->record.variant;
        all.push_back({{against, {}, false}, [baseline](const ReportRun& run) { return verdictCell(run, baseline); }});
        all.push_back({{"GB/s", Origin::measured, true}, [](const ReportRun& run) {
                           return run.record.bandwidthGbs ? threeDigits(*run.record.bandwidthGbs) : "";
                       }});
        all.push_back({{"Of limit", Origin::measured, true}, [](const ReportRun& run) {
                           return run.record.percentOfLimit ? percent(*run.record.percentOfLimit / 100) : "";
                       }});
    }
    all.push_back({{"Regs", Origin::reported, true}, ofLaunch([](const LaunchFacts& facts) {
                       return facts.registers > 0 ? std::to_string(facts.registers) : "";
                   })});
    all.push_back({{"Shared", Origin::reported, true}, ofLaunch([](const LaunchFacts& facts) {
                       return facts.sharedBytes > 0 ? byteSize(facts.sharedBytes) : "";
                   })});
    all.push_back({{"Occup.", Origin::reported, true}, ofLaunch([](const LaunchFacts& facts) {
                       return facts.occupancy > 0 ? percent(facts.occupancy) : "";
                   })});
    if (!ranked) {
        all.push_back({{"GPU ms", Origin::recorded, true},
                       [recorded](const ReportRun& run) { return recordedCell(run, recorded); }});
    }
    all.push_back({{"Check", {}, false}, [](const ReportRun& run) { return checkText(run.record); }});
    return all;
}

/// Whether a row may be named the fastest: it ran well by the CUDA clock, and its check, if there was one, reached some
/// values.
bool ranks(const ReportRun& run) {
    const auto& check = run.record.verification;
    return ranByCudaClock(run) && run.record.status == Status::ok && (!check || check->checkedShare > 0);
}

/// The fastest row, when its interval lies clear of every other's.
std::string winner(const Report& report, const ReportRun* baseline) {
    const ReportRun* best = nullptr;
    for (const ReportRun& run : report.runs) {
        if (!ranks(run)) continue;
        if (best == nullptr || run.record.time->medianMs < best->record.time->medianMs) best = &run;
    }
    if (best == nullptr || baseline == nullptr || best == baseline) return "";
    std::string sharing;
    for (const ReportRun& run : report.runs) {
        if (&run == best || !ranks(run)) continue;
        if (judge(*best->record.time, *run.record.time) != Verdict::faster) sharing += ", " + run.record.variant;
    }
    if (sharing.empty()) return "Fastest: " + best->record.variant + ".";
    return "No single fastest: the intervals of " + best->record.variant + sharing + " overlap.";
}

std::string evolutionNote(const Report& report, const RunRecord& record) {
    return evolutionText(record, report.parameters);
}

std::string checkNote(const Report&, const RunRecord& record) {
    return record.verification ? record.verification->note : "";
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
            lines.emplace_back(said, run.record.variant);
        else
            known->second += ", " + run.record.variant;
    }
    for (const auto& [said, who] : lines) notes.push_back(who + ": " + said);
}

std::vector<std::string> notesOf(const Report& report, const ReportRun* baseline, const Report* recorded, bool ranked) {
    std::vector<std::string> notes{""};
    for (const std::string& fact : report.facts) notes.front() += (notes.front().empty() ? "" : "; ") + fact;
    if (!report.plan.empty()) {
        notes.push_back("Slab by slab: " + report.plan + "; the time is the kernels' alone, of all slabs together.");
    }
    if (ranked) {
        notes.push_back(winner(report, baseline));
        if (report.limits) {
            notes.push_back(std::string("Limit: device ") + nameOf(report.work.traffic) + " at " +
                            threeDigits(limitOf(*report.limits, report.work.traffic)) +
                            " GB/s, measured in this process; GB/s counts " +
                            (report.work.traffic == Traffic::read ? "the input once." : "input once and output once."));
        }
    } else {
        notes.push_back(
            "No winner: CPU time ranks variants the wrong way round, so the rows stand in the order of the ladder.");
    }
    if (!ranked && recorded != nullptr) {
        notes.push_back("GPU ms: recorded on " + recorded->device.name + ", " +
                        recorded->environment.date.substr(0, 10) + ", " + extents(recorded->input.shape) + " " +
                        recorded->input.type + ".");
    }
    std::string warm;
    for (const ReportRun& run : report.runs) {
        const RunRecord& record = run.record;
        if (!ranked && record.time && record.time->clock == Clock::cpuLibrary) {
            notes.push_back(record.variant +
                            " was timed by the library's own clock; its time says nothing about the kernels'.");
        }
        if (record.time && record.time->clock == Clock::cudaEvent && record.time->warmL2)
            warm += (warm.empty() ? "" : ", ") + record.variant;
    }
    for (const auto sentence : {&evolutionNote, &checkNote}) addShared(notes, report, sentence);
    if (ranked && !warm.empty()) notes.push_back("Warm L2 (the working set fits the cache): " + warm + ".");
    if (const auto& clocks = report.environment.clocks; clocks && clocks->throttled) {
        notes.push_back("The GPU throttled while this ran: " + clocks->reason + ".");
    }
    if (report.interrupted) notes.push_back("Interrupted: the rows above are those that were done.");
    std::erase(notes, "");
    return notes;
}

/// Whether a parameter that matters only sometimes, as a radius does, matters with these values.
bool belongsTo(const Parameter& parameter, const ParameterValues& values) {
    const auto decisive = values.find(parameter.onlyWhen);
    if (decisive == values.end()) return false;
    const auto& wanted = parameter.onlyWhenIn;
    return std::find(wanted.begin(), wanted.end(), format(decisive->second)) != wanted.end();
}

}  // namespace

const ReportRun* baselineOf(const Report& report) {
    const auto found = std::find_if(report.runs.begin(), report.runs.end(), [](const ReportRun& run) {
        return run.record.kind == Variant::Kind::kernel && run.record.status == Status::ok && ranByCudaClock(run);
    });
    return found == report.runs.end() ? nullptr : &*found;
}

std::string verdictCell(const ReportRun& run, const ReportRun* baseline) {
    if (baseline == nullptr || !run.record.time || run.record.status != Status::ok) return "";
    if (&run == baseline) return "baseline";
    const Timing& time = *run.record.time;
    const Timing& base = *baseline->record.time;
    if (time.clock != base.clock) return "other clock";
    const Verdict verdict = judge(time, base);
    if (verdict == Verdict::same || verdict == Verdict::undecided) return nameOf(verdict);
    return std::string(nameOf(verdict)) + " " + threeDigits(base.medianMs / time.medianMs) + kTimes;
}

std::string checkText(const RunRecord& run) {
    if (run.status != Status::ok)
        return std::string(nameOf(run.status)) + (run.reason.empty() ? "" : ": " + run.reason);
    if (!run.verification) return "unverified";
    // Only a library row can be ok all the same: its definition differs, and its note says how.
    if (run.verification->mismatches > 0) return withCommas(run.verification->mismatches) + " values differ";
    const double share = run.verification->checkedShare;
    if (share <= 0) return "unverified";  // the check reached no value; its note says why
    return share < 1 ? "verified on " + percent(share) : "verified";
}

std::string evolutionText(const RunRecord& run, const ParameterValues& parameters) {
    const auto evolution = evolutionOf(run.result.tables);
    if (run.status != Status::ok || !evolution || evolution->residuals.empty()) return "";
    const auto asked = parameters.find("iterations");
    const auto steps = asked == parameters.end() ? evolution->iterations : std::get<std::int64_t>(asked->second);
    char change[32];
    std::snprintf(change, sizeof change, "%.3g", evolution->residuals.back().value);
    return (evolution->stopped == "tolerance"
                ? "stopped at the tolerance after " + withCommas(evolution->iterations) + " of " + withCommas(steps)
                : "took all " + withCommas(evolution->iterations)) +
           " steps; the largest change in the last was " + change;
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
        const bool shapes = belongsTo(parameter, report.parameters);
        if (i == 0 || shapes || found->second != parameter.fallback) add(parameter.id, found->second);
    }
    return text;
}

TextTable makeTable(const Report& report, const Report* recorded) {
    const bool ranked = report.device.ranks();
    const ReportRun* baseline = baselineOf(report);
    TextTable table;
    table.title = report.input.name + " (" + extents(report.input.shape) + ", " + report.input.type + "), " +
                  report.family + ": " + parameterSummary(report) + ", on " + report.device.name + " (" +
                  report.device.id + ")";
    std::vector<std::vector<std::string>> columns;
    for (const Maker& maker : makers(baseline, recorded, ranked)) {
        std::vector<std::string> cells;
        for (const ReportRun& run : report.runs) cells.push_back(maker.cell(run));
        const bool empty =
            std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell.empty(); });
        if (empty) continue;
        for (std::string& cell : cells) {
            if (cell.empty()) cell = kDash;
        }
        table.columns.push_back(maker.column);
        columns.push_back(std::move(cells));
    }
    table.rows.resize(report.runs.size());
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (auto& cells : columns) table.rows[row].push_back(std::move(cells[row]));
    }
    table.notes = notesOf(report, baseline, recorded, ranked);
    return table;
}

std::string legend(const TextTable& table) {
    std::string text;
    for (const Origin origin :
         {Origin::measured, Origin::counted, Origin::modelled, Origin::reported, Origin::recorded}) {
        const bool shown = std::any_of(table.columns.begin(), table.columns.end(),
                                       [origin](const TextTable::Column& column) { return column.origin == origin; });
        if (!shown) continue;
        static const std::map<Origin, std::string> words{{Origin::measured, "measured by a clock"},
                                                         {Origin::counted, "counted by the trace"},
                                                         {Origin::modelled, "modelled by a formula"},
                                                         {Origin::reported, "reported by driver or compiler"},
                                                         {Origin::recorded, "recorded earlier"}};
        text += (text.empty() ? "" : ", ") + std::string(letterOf(origin)) + " " + words.at(origin);
    }
    return text;
}

}  // namespace warplens::gpu
