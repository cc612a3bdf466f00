// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/run_columns.hpp"

#include "gpu/report/figures.hpp"
#include "gpu/report/table.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace warplens::gpu {

namespace {

using Value = RunColumn::Value;
using Id = RunColumn::Id;
using When = RunColumn::When;
using Where = RunColumn::Where;
using Run = const RunRecord&;
using Beside = const RunsBeside&;

Value asValue(double value) { return value; }
Value asValue(int value) { return std::int64_t{value}; }
Value asValue(std::int64_t value) { return value; }
Value asValue(const std::string& text) { return text; }
Value asValue(Clock clock) { return std::string(nameOf(clock)); }
Value asValue(Status status) { return std::string(nameOf(status)); }
Value asValue(Variant::Kind kind) { return std::string(nameOf(kind)); }
Value asValue(const std::array<unsigned, 3>& extents) {
    return fmt::format("{}x{}x{}", extents[0], extents[1], extents[2]);
}
Value asValue(const std::optional<double>& value) { return value ? Value(*value) : Value(); }

template <auto kField>
Value ofRun(Run run, Beside) {
    return asValue(run.*kField);
}

/// A field of the run's time, launch or check, where it has one.
template <auto kPart, auto kField>
Value ofPart(Run run, Beside) {
    return run.*kPart ? asValue((*(run.*kPart)).*kField) : Value();
}
template <auto kField>
constexpr auto ofTime = ofPart<&RunRecord::time, kField>;
template <auto kField>
constexpr auto ofLaunch = ofPart<&RunRecord::launch, kField>;
template <auto kField>
constexpr auto ofCheck = ofPart<&RunRecord::verification, kField>;

Stages stagesBeside(Run run, Beside beside) {
    return stagesOf(run, beside.displayMs ? beside.displayMs(run) : std::nullopt);
}
template <auto kStage>
Value ofStages(Run run, Beside beside) {
    return asValue(stagesBeside(run, beside).*kStage);
}
Value ofTotal(Run run, Beside beside) { return asValue(stagesBeside(run, beside).total()); }
Value ofExposed(Run run, Beside beside) { return asValue(stagesBeside(run, beside).exposed()); }

/// What took no time was not done.
std::string stageDigits(double ms) { return ms == 0 ? "" : threeDigits(ms); }

/// What the driver does not report is 0.
template <auto kField>
Value reported(Run run, Beside) {
    return run.launch && (*run.launch).*kField > 0 ? asValue((*run.launch).*kField) : Value();
}

/// A value as people read it.
template <auto kValue, std::string (*kWrite)(double)>
std::string real(Run run, Beside beside) {
    const Value value = kValue(run, beside);
    return std::holds_alternative<double>(value) ? kWrite(std::get<double>(value)) : std::string();
}
template <auto kValue, std::string (*kWrite)(std::int64_t)>
std::string whole(Run run, Beside beside) {
    const Value value = kValue(run, beside);
    return std::holds_alternative<std::int64_t>(value) ? kWrite(std::get<std::int64_t>(value)) : std::string();
}

std::string ofHundred(double value) { return percent(value / 100); }
std::string threeOf(double value) { return compact(value, 3); }

const Specialisation* specialOf(Run run) { return run.launch && run.launch->special ? &*run.launch->special : nullptr; }
Value instanceOf(Run run, Beside) {
    const Specialisation* special = specialOf(run);
    return special == nullptr ? Value() : Value(std::string(kindOf(*special)));
}
Value compileMsOf(Run run, Beside) {
    const Specialisation* special = specialOf(run);
    return special == nullptr || special->compileMs == 0 ? Value() : Value(special->compileMs);
}

Value yoursOf(Run run, Beside) { return run.yours ? Value(std::string("yours")) : Value(); }

Value idOf(Run run, Beside) { return run.id(); }

Value warmth(Run run, Beside) { return run.time ? Value(std::string(run.time->warmL2 ? "warm" : "cold")) : Value(); }

std::string nameText(Run run, Beside) {
    if (run.yours) return run.id() + " (yours)";
    return run.id() + (run.kind == Variant::Kind::kernel ? "" : std::string(" (") + nameOf(run.kind) + ")");
}

std::string quartilesText(Run run, Beside) {
    if (!run.time || run.time->samples < 2) return "";
    return threeDigits(run.time->q1Ms) + " \u2013 " + threeDigits(run.time->q3Ms);
}

/// "faster 3.79x", "same" ..., "baseline", or why there is no verdict.
std::string verdictText(Run run, Beside beside) {
    if (!beside.ranked || beside.baseline == nullptr || !run.time || run.status != Status::ok) return "";
    if (&run == beside.baseline) return "baseline";
    const Timing &time = *run.time, &base = *beside.baseline->time;
    if (time.clock != base.clock) return "other clock";
    const Verdict judged = judge(time, base);
    if (judged == Verdict::same || judged == Verdict::undecided) return nameOf(judged);
    return std::string(nameOf(judged)) + " " + threeDigits(base.medianMs / time.medianMs) + "\u00d7";
}

Value recordedMs(Run run, Beside beside) {
    const Timing* then = beside.recorded ? beside.recorded->time(run) : nullptr;
    return then == nullptr ? Value() : Value(then->medianMs);
}

Value statusNumber(Run run, Beside) { return static_cast<std::int64_t>(run.status); }

std::string checkCell(Run run, Beside) { return checkText(run); }

constexpr RunColumn kColumns[] = {
#define WARPLENS_RUN_COLUMN(name, ...) {.id = Id::name, __VA_ARGS__},
#define WARPLENS_CSV_FIELD(name, of) {.field = name, .value = of},
#include "gpu/report/run_columns.inc"
#undef WARPLENS_RUN_COLUMN
#undef WARPLENS_CSV_FIELD
};

}  // namespace

RunsBeside besideOf(const Report& report, const RecordedRuns* recorded) {
    const bool ranked = report.device.ranks();
    const ReportRun* baseline = baselineOf(report);
    return {.ranked = ranked,
            .baseline = baseline == nullptr ? nullptr : &baseline->record,
            .baselineName = baseline == nullptr ? "" : baseline->record.id(),
            .recorded = ranked ? std::nullopt : recordedBeside(report, recorded),
            .displayMs = [&report](const RunRecord& run) -> std::optional<double> {
                const auto of = [&run](const ReportRun& one) { return one.record.id() == run.id(); };
                const auto found = std::ranges::find_if(report.runs, of);
                return found == report.runs.end() ? std::nullopt : found->displayMs;
            }};
}

TextTable columnsTable(const Report& report, const RunsBeside& beside, RunColumn::Where where) {
    TextTable table;
    table.rows.resize(report.runs.size());
    for (const RunColumn& column : runColumns()) {
        const bool wanted = column.id == Id::variant || column.where == where;
        const bool shown = wanted || (where == Where::everywhere && column.where == Where::tables);
        if (column.text == nullptr || !shown || !applies(column, beside)) continue;
        std::vector<std::string> cells;
        for (const ReportRun& run : report.runs) cells.push_back(column.text(run.record, beside));
        if (std::ranges::all_of(cells, &std::string::empty)) continue;
        table.columns.push_back(headOf(column, beside));
        for (std::size_t row = 0; row < cells.size(); ++row)
            table.rows[row].push_back(cells[row].empty() ? "\u2013" : std::move(cells[row]));
    }
    return table;
}

std::span<const RunColumn> runColumns() { return kColumns; }

const RunColumn& runColumn(RunColumn::Id id) { return *std::ranges::find(kColumns, id, &RunColumn::id); }

bool applies(const RunColumn& column, const RunsBeside& beside) {
    switch (column.when) {
        case When::always: return true;
        case When::ranked: return beside.ranked;
        case When::unranked: return !beside.ranked;
        case When::recorded: return beside.recorded.has_value();
    }
    return false;
}

std::string titleOf(const RunColumn& column, const RunsBeside& beside) {
    if (column.id == Id::verdict)
        return "Against " + (beside.baselineName.empty() ? std::string("baseline") : beside.baselineName);
    if (column.id == Id::recorded && beside.recorded) return shortName(beside.recorded->report().device.name) + " ms";
    return beside.ranked || column.unrankedTitle == nullptr ? column.title : column.unrankedTitle;
}

std::string helpOf(const RunColumn& column, const RunsBeside& beside) {
    return beside.ranked || column.unrankedHelp == nullptr ? column.help : column.unrankedHelp;
}

TextTable::Column headOf(const RunColumn& column, const RunsBeside& beside) {
    return {titleOf(column, beside), column.origin, column.number};
}

std::string shortName(const std::string& device) {
    constexpr std::string_view kVendor = "NVIDIA ";
    return device.starts_with(kVendor) ? device.substr(kVendor.size()) : device;
}

}  // namespace warplens::gpu
