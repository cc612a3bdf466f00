// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/diff.hpp"

#include "gpu/report/fields.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/table.hpp"

#include <algorithm>
#include <set>

namespace warplens::gpu {

namespace {

const RunRecord* find(const Report& report, const std::string& id) {
    const auto found = std::find_if(report.runs.begin(), report.runs.end(),
                                    [&id](const ReportRun& run) { return run.record.id() == id; });
    return found == report.runs.end() ? nullptr : &found->record;
}

/// Why the times of two reports are not of the same work, or empty.
std::string differentWork(const Report& a, const Report& b) {
    if (a.family != b.family) return "the families differ (" + a.family + ", " + b.family + ")";
    if (!(a.input.shape == b.input.shape) || a.input.type != b.input.type) {
        return "the inputs differ (" + extents(a.input.shape) + " " + a.input.type + ", " + extents(b.input.shape) +
               " " + b.input.type + ")";
    }
    std::set<std::string> ids;
    for (const auto& [id, value] : a.parameters) ids.insert(id);
    for (const auto& [id, value] : b.parameters) ids.insert(id);
    for (const std::string& id : ids) {
        const auto inA = a.parameters.find(id);
        const auto inB = b.parameters.find(id);
        const std::string before = inA == a.parameters.end() ? "absent" : format(inA->second);
        const std::string after = inB == b.parameters.end() ? "absent" : format(inB->second);
        if (before != after) return "the parameter " + id + " differs (" + before + ", " + after + ")";
    }
    return "";
}

DiffRow compare(const RunRecord* before, const RunRecord* after, const std::string& otherWork) {
    DiffRow row;
    const RunRecord& either = before != nullptr ? *before : *after;
    row.variant = either.variant;
    row.id = either.id();
    if (before != nullptr && before->time) row.beforeMs = before->time->medianMs;
    if (after != nullptr && after->time) row.afterMs = after->time->medianMs;
    if (before == nullptr || after == nullptr) {
        row.reason = before == nullptr ? "only in B" : "only in A";
    } else if (!before->time || !after->time) {
        const bool first = !before->time;
        row.reason = std::string(nameOf((first ? before : after)->status)) + (first ? " in A" : " in B");
    } else if (before->time->clock != after->time->clock) {
        row.reason =
            std::string("different clocks: ") + nameOf(before->time->clock) + ", " + nameOf(after->time->clock);
    } else if (!otherWork.empty()) {
        row.reason = "different work";
    } else {
        row.clock = after->time->clock;
        row.verdict = judge(*after->time, *before->time);
        if (row.verdict == Verdict::faster || row.verdict == Verdict::slower) row.ratio = *row.beforeMs / *row.afterMs;
        if (row.verdict == Verdict::undecided) row.reason = "too few samples or below the clock's resolution";
        if (before->tunables != after->tunables) row.reason = "other tunables";
    }
    return row;
}

}  // namespace

Diff diff(const Report& a, const Report& b) {
    Diff found;
    const std::string otherWork = differentWork(a, b);
    for (const ReportRun& run : a.runs) {
        found.rows.push_back(compare(&run.record, find(b, run.record.id()), otherWork));
    }
    for (const ReportRun& run : b.runs) {
        if (find(a, run.record.id()) == nullptr) found.rows.push_back(compare(nullptr, &run.record, otherWork));
    }
    if (!otherWork.empty()) found.notes.push_back("Not comparable: " + otherWork + ".");
    if (otherWork.empty() && a.input.hash != b.input.hash) found.notes.push_back("The inputs' values differ.");
    if (a.device.name != b.device.name || a.device.uuid != b.device.uuid) {
        found.notes.push_back("The devices differ: " + a.device.name + ", " + b.device.name + ".");
    }
    if (a.version != b.version) found.notes.push_back("The versions differ: " + a.version + ", " + b.version + ".");
    if (a.environment.cudaDriver != b.environment.cudaDriver ||
        a.environment.cudaRuntime != b.environment.cudaRuntime) {
        found.notes.push_back("CUDA driver or runtime differs.");
    }
    for (const auto& [report, name] : {std::pair{&a, "A"}, std::pair{&b, "B"}}) {
        if (report->interrupted) found.notes.push_back(std::string(name) + " was interrupted.");
    }
    return found;
}

std::string toText(const Diff& diff, Origin times) {
    TextTable table;
    table.title = "B against A";
    table.columns = {{"Variant", {}, false}, {"A ms", times, true}, {"B ms", times, true},
                     {"Verdict", {}, false}, {"Clock", {}, false},  {"", {}, false}};
    for (const DiffRow& row : diff.rows) {
        const auto time = [](const std::optional<double>& ms) { return ms ? threeDigits(*ms) : std::string("\u2013"); };
        const std::string ratio = row.ratio ? " " + threeDigits(*row.ratio) + "\u00d7" : "";
        table.rows.push_back({row.id, time(row.beforeMs), time(row.afterMs), nameOf(row.verdict) + ratio,
                              row.clock ? nameOf(*row.clock) : "\u2013", row.reason});
    }
    table.notes = diff.notes;
    return toText(table);
}

std::string toJson(const Diff& diff) {
    using fields::Json;
    Json rows = Json::array();
    for (const DiffRow& row : diff.rows) {
        rows.push_back({{"variant", row.variant},
                        {"id", row.id},
                        {"clock", row.clock ? Json(nameOf(*row.clock)) : Json(nullptr)},
                        {"a_ms", fields::number(row.beforeMs)},
                        {"b_ms", fields::number(row.afterMs)},
                        {"verdict", nameOf(row.verdict)},
                        {"ratio", fields::number(row.ratio)},
                        {"reason", fields::textOrNull(row.reason)}});
    }
    return Json{{"rows", rows}, {"notes", diff.notes}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warplens::gpu
