// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/table.hpp"

#include "gpu/bench/shares.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/run_columns.hpp"
#include "gpu/report/table.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplens::gpu::bench {
namespace {

constexpr const char* kTimes = "\u00d7";
constexpr const char* kDash = "\u2013";
const TextTable::Column kAgainstPeer{"Against the best peer", Origin::measured, true};
const TextTable::Column kOfTheLimit{"Of the limit", Origin::measured, true};

std::string orDash(std::string text) { return text.empty() ? kDash : text; }

/// "1.32x" faster or slower than the peer; times of two clocks are not compared.
std::string against(const ReportRun* run, const ReportRun* peer) {
    if (run == nullptr || peer == nullptr || run == peer) return "";
    const Timing &time = *run->record.time, &other = *peer->record.time;
    if (time.clock != other.clock) return "other clock";
    switch (gpu::judge(time, other)) {
        case Verdict::same: return "same";
        case Verdict::undecided: return "undecided";
        default: return threeDigits(other.medianMs / time.medianMs) + kTimes;
    }
}

std::string ofLimit(const Report& report, const ReportRun* run) {
    const auto share = run == nullptr ? std::nullopt : shareOfLimit(report, *run);
    return share ? percent(share->percent / 100) + " of " + nameOfLimit(report, *share) : "";
}

std::string speed(const Report& report, const ReportRun& run) {
    if (const auto cells = gcellsOf(report, run)) return threeDigits(*cells) + " Gcell/s";
    return run.record.bandwidthGbs ? threeDigits(*run.record.bandwidthGbs) + " GB/s" : "";
}

std::string peerCell(const ReportRun* peer) {
    if (peer == nullptr) return "";
    const bool host = peer->record.time->clock == Clock::library;
    return peer->record.variant + (host ? ", CPU, " : ", ") + threeDigits(peer->record.time->medianMs) + " ms";
}

std::string goalText(const Goal& goal) {
    return std::string(isCeiling(goal.metric) ? "\u2264 " : "\u2265 ") + threeDigits(goal.value) + " " +
           unitOf(goal.metric) + (goal.stretch ? ", stretch" : "");
}

std::string reachedText(const Goal& goal, const Outcome& outcome) {
    if (!outcome.reached) return "not timed";
    return (outcome.met ? "met" : "not met: " + threeDigits(*outcome.reached) + " " + unitOf(goal.metric));
}

/// "12 of 13 rows verified", for a device whose times rank nothing.
std::string verifiedCell(const Report& report) {
    std::size_t ran = 0, verified = 0;
    for (const ReportRun& run : report.runs) {
        const auto& check = run.record.verification;
        if (run.record.status == Status::unsupported) continue;
        ++ran;
        if (run.record.status == Status::ok && check && check->mismatches == 0 && check->checkedShare > 0) ++verified;
    }
    return std::to_string(verified) + " of " + std::to_string(ran) + " rows verified";
}

/// What `auto` took, and its time over the best row's.
std::string autoCell(const Report& report) {
    const ReportRun* chosen = autoRow(report);
    const ReportRun* best = fastest(report, Variant::Kind::kernel);
    if (chosen == nullptr || best == nullptr || !chosen->record.choice) return "";
    return chosen->record.choice->variant + ", " +
           threeDigits(chosen->record.time->medianMs / best->record.time->medianMs) + kTimes;
}

std::vector<std::string> lineOf(const CaseResult& one, const Result& result, const Goal* goal) {
    const Report& report = *one.report;
    const Outcome outcome =
        goal != nullptr ? judge(*goal, one, result) : Outcome{fastest(report, Variant::Kind::kernel), {}, false};
    const ReportRun* run = outcome.run;
    const ReportRun* peer = bestPeer(report);
    return {one.what.title + (goal != nullptr ? ": " + goal->what : ""),
            run == nullptr ? kDash : run->record.variant,
            run == nullptr ? kDash : threeDigits(run->record.time->medianMs),
            run == nullptr ? kDash : orDash(speed(report, *run)),
            goal == nullptr ? kDash : goalText(*goal),
            goal == nullptr ? kDash : reachedText(*goal, outcome),
            orDash(autoCell(report)),
            orDash(peerCell(peer)),
            orDash(against(run, peer)),
            orDash(ofLimit(report, run))};
}

TextTable summary(const Result& result) {
    TextTable table;
    table.title = "Benchmark on " + result.device.name + ", " + result.environment.date.substr(0, 10) + ", Warplens " +
                  result.version;
    if (!result.device.ranks()) {
        table.columns = {{"Case", {}, false}, {"Check", {}, false}};
        for (const CaseResult& one : result.cases) {
            if (one.report) table.rows.push_back({one.what.title, verifiedCell(*one.report)});
        }
        return table;
    }
    table.columns = {{"Case", {}, false},
                     {"Best row", {}, false},
                     {"Median ms", Origin::measured, true},
                     {"Speed", Origin::measured, true},
                     {"Goal", {}, false},
                     {"Reached", Origin::measured, false},
                     {"auto", Origin::measured, false},
                     {"Best peer", Origin::measured, false},
                     kAgainstPeer,
                     kOfTheLimit};
    for (const CaseResult& one : result.cases) {
        if (!one.report) continue;
        const bool goals = result.hasGoals() && !one.what.goals.empty();
        if (!goals) table.rows.push_back(lineOf(one, result, nullptr));
        for (const Goal& goal : one.what.goals) {
            if (goals) table.rows.push_back(lineOf(one, result, &goal));
        }
    }
    // A column that says nothing anywhere is left out.
    for (std::size_t c = table.columns.size(); c-- > 0;) {
        if (std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return row[c] != kDash; }))
            continue;
        table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(c));
        for (auto& row : table.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(c));
    }
    return table;
}

/// Which rows of all cases are not what they should be.
std::string checkNote(const Result& result) {
    std::size_t verified = 0;
    std::string others;
    for (const CaseResult& one : result.cases) {
        if (!one.report) continue;
        for (const ReportRun& run : one.report->runs) {
            const RunRecord& record = run.record;
            const auto& check = record.verification;
            if (record.status == Status::unsupported) continue;
            if (record.status == Status::ok && check && check->mismatches == 0 && check->checkedShare > 0) {
                ++verified;
                continue;
            }
            others += (others.empty() ? "" : "; ") + one.what.id + " " + record.variant + ": " + checkText(record);
        }
    }
    if (others.empty())
        return "Every row was verified: " + withCommas(static_cast<std::int64_t>(verified)) + " of them.";
    return withCommas(static_cast<std::int64_t>(verified)) + " rows were verified; not so " + others + ".";
}

/// In how many cases `auto` was within 5 % of the best row.
std::string autoNote(const Result& result) {
    int cases = 0, near = 0;
    std::string others;
    for (const CaseResult& one : result.cases) {
        const ReportRun* chosen = one.report ? autoRow(*one.report) : nullptr;
        const ReportRun* best = chosen == nullptr ? nullptr : fastest(*one.report, Variant::Kind::kernel);
        if (best == nullptr) continue;
        ++cases;
        if (chosen->record.time->medianMs <= 1.05 * best->record.time->medianMs)
            ++near;
        else
            others += (others.empty() ? "; not in " : ", ") + one.what.id;
    }
    return cases == 0 ? ""
                      : fmt::format("auto was within 5 % of the best row in {} of {} cases{}.", near, cases, others);
}

/// What was drawn, and why there are no shares where there are none.
std::string drawnNote(const Result& result) {
    return fmt::format("{} of the {} tasks of seed {}, of at most {} each{}.", result.cases.size(), result.drawn->cases,
                       result.drawn->seed, byteSize(result.drawn->largest),
                       result.device.ranks() ? "" : "; no shares: they are of times on a GPU");
}

std::vector<std::string> notesOf(const Result& result) {
    std::vector<std::string> notes;
    if (const auto& limits = result.limits) {
        notes.push_back(fmt::format(
            "Limits, measured in the same run: copy {} GB/s, read {} GB/s, write {} GB/s, FMA {} TFLOP/s{}.",
            threeDigits(limits->copyGbs), threeDigits(limits->readGbs), threeDigits(limits->writeGbs),
            threeDigits(limits->fmaTflops),
            limits->clockMhz > 0 ? " at " + withCommas(limits->clockMhz) + " MHz" : ""));
        notes.push_back(
            "Of the limit: the larger of the time that the minimal bytes take at the measured bandwidth of such "
            "traffic, and "
            "that the multiply-adds take at the measured rate, over the median; a row that fuses steps may exceed "
            "copy.");
    } else {
        notes.push_back(
            "No winner: CPU time ranks variants the wrong way round. Every row's time is in the report, for what it is "
            "worth.");
    }
    if (result.drawn) notes.push_back(drawnNote(result));
    if (result.scale > 1)
        notes.push_back("Extents are divided by " + std::to_string(result.scale) + "; no goals apply.");
    notes.push_back(checkNote(result));
    if (result.hasGoals()) {
        int required = 0, met = 0;
        for (const CaseResult& one : result.cases) {
            for (const Goal& goal : one.what.goals) {
                if (goal.stretch) continue;
                ++required;
                met += judge(goal, one, result).met ? 1 : 0;
            }
        }
        if (required > 0) notes.push_back(fmt::format("{} of {} goals met, stretch goals left out.", met, required));
    }
    if (result.device.ranks() && !result.drawn) notes.push_back(autoNote(result));
    for (const std::string& peers : result.peers) notes.push_back("Merged: " + peers + ".");
    for (const CaseResult& one : result.cases) {
        if (!one.problem.empty()) notes.push_back(one.what.id + ": " + one.problem + ".");
    }
    for (const CaseResult& one : result.cases) {
        const auto clocks = one.report ? one.report->environment.clocks : std::nullopt;
        if (clocks && clocks->throttled)
            notes.push_back("The GPU throttled in " + one.what.id + ": " + clocks->reason + ".");
    }
    std::erase(notes, "");
    if (result.interrupted) notes.push_back("Interrupted: the cases above are those that were done.");
    return notes;
}

/// Every row of a case, in ladder order.
TextTable details(const Report& report) {
    TextTable table;
    const RunsBeside beside;  // a case's verdicts are against its best peer
    const auto add = [&](const TextTable::Column& head, auto&& cellOf) {
        table.columns.push_back(head);
        for (std::size_t i = 0; i < report.runs.size(); ++i) table.rows[i].push_back(orDash(cellOf(report.runs[i])));
    };
    const auto addShared = [&](RunColumn::Id id) {
        const RunColumn& column = runColumn(id);
        add(headOf(column, beside), [&](const ReportRun& run) { return column.text(run.record, beside); });
    };
    table.rows.resize(report.runs.size());
    const ReportRun* peer = bestPeer(report);
    const auto timed = [](const ReportRun& run) { return run.record.status == Status::ok && run.record.time; };
    add(headOf(runColumn(RunColumn::variant), beside), [&](const ReportRun& run) {
        const auto& choice = run.record.choice;
        return runColumn(RunColumn::variant).text(run.record, beside) + (choice ? ": " + choice->variant : "");
    });
    for (const auto id : {RunColumn::median, RunColumn::quartiles, RunColumn::samples}) addShared(id);
    add({"Speed", Origin::measured, true},
        [&](const ReportRun& run) { return timed(run) ? speed(report, run) : std::string(); });
    add(headOf(runColumn(RunColumn::check), beside), [&](const ReportRun& run) {
        const std::string& reason = run.record.reason;
        return checkText(run.record) + (timed(run) && !reason.empty() ? "; " + reason : "");
    });
    add(kAgainstPeer, [&](const ReportRun& run) { return timed(run) ? against(&run, peer) : std::string(); });
    add(kOfTheLimit, [&](const ReportRun& run) { return ofLimit(report, &run); });
    return table;
}

std::vector<TextTable> sharesTables(const Result& result) {
    const auto shares = result.drawn ? sharesOf(result) : std::nullopt;
    return shares ? tablesOf(*shares) : std::vector<TextTable>();
}

}  // namespace

std::string toText(const Result& result) {
    TextTable table = summary(result);
    table.notes = notesOf(result);
    std::string text = gpu::toText(table);
    for (const TextTable& shares : sharesTables(result)) text += "\n" + gpu::toText(shares);
    return text;
}

std::string toMarkdown(const Result& result) {
    const TextTable table = summary(result);
    // The letters of both kinds of tables.
    TextTable lettered = details({});
    lettered.columns.insert(lettered.columns.end(), table.columns.begin(), table.columns.end());
    std::string text = "# " + table.title + "\n\n" + markdownTable(table) + "\n" + legend(lettered) + "\n";
    for (const std::string& note : notesOf(result)) text += "\n- " + note;
    const Environment& environment = result.environment;
    text += "\n- " + environment.date + ", " + environment.os + ", " + environment.cpu + ", " + environment.compiler;
    if (!environment.cudaDriver.empty())
        text += ", CUDA " + environment.cudaRuntime + ", driver " + environment.cudaDriver;
    text += "\n";
    for (const TextTable& shares : sharesTables(result)) {
        text += "\n## " + shares.title + "\n\n" + markdownTable(shares) + "\n" + legend(shares) + "\n";
        for (const std::string& note : shares.notes) text += "\n- " + note + "\n";
    }
    text += "\n## Every row\n";
    for (const CaseResult& one : result.cases) {
        if (!one.report) continue;
        text += "\n### " + one.what.title + "\n\n`" + one.what.id + "`: `" + one.report->input.name + "`, " +
                one.what.family + ": " + parameterSummary(*one.report) + "\n\n" + markdownTable(details(*one.report));
    }
    return text;
}

}  // namespace warplens::gpu::bench
