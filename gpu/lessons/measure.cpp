// SPDX-License-Identifier: Apache-2.0
#include "gpu/lessons/measure.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace warplens::gpu {

namespace {

[[noreturn]] void missing(const LessonMeasure& measure, const std::string& what) {
    throw Error(Error::Kind::argument, "measure " + measure.id + ": " + what);
}

/// The run of a recording that has the number, of the variant as it is named; null: a benchmark, say, transfers
/// nothing.
const RunRecord* runOf(const Report& report, const std::string& variant, const LessonFigure& figure) {
    const auto run = std::ranges::find_if(
        report.runs, [&](const ReportRun& one) { return one.record.id() == variant && !one.record.choice; });
    const bool has = run != report.runs.end() && run->record.status == Status::ok && figure.recorded != nullptr &&
                     figure.recorded(run->record, report) > 0;
    return has ? &run->record : nullptr;
}

LessonValue recordedValue(const LessonMeasure& measure, const LessonFigure& figure, const RecordedRuns& recorded) {
    const LessonRecording& wanted = *measure.recording;
    const RecordedTask task(familyOf(wanted.family), wanted.parameters, wanted.input);
    for (const RecordedSource& source : recorded.of(task, RecordedFigure::time)) {
        const RunRecord* run = runOf(source.report(), measure.variant, figure);
        if (run == nullptr) continue;
        LessonValue value{.origin = Origin::recorded, .text = {}, .source = &source.report()};
        value.value = value.low = value.high = figure.recorded(*run, source.report());
        if (measure.figure == "time") {
            value.low = run->time->lowMs;
            value.high = run->time->highMs;
        }
        return value;
    }
    missing(measure, "no such run with this number is recorded");
}

LessonValue countedValue(const LessonMeasure& measure, const LessonFigure& figure, const LessonRecords& records) {
    const auto run = static_cast<std::size_t>(measure.run);
    if (run >= records.size() || !records[run].contains(measure.variant)) missing(measure, "it is not counted yet");
    const RunRecord& record = records[run].at(measure.variant);
    if (!record.counters || figure.counted == nullptr)
        missing(measure, record.reason.empty() ? "nothing counts it" : record.reason);
    LessonValue value{.origin = Origin::counted, .text = {}};
    value.value = value.low = value.high = figure.counted(record);
    return value;
}

}  // namespace

std::vector<std::string> variantsOf(const Lesson& lesson, std::size_t run) {
    std::vector<std::string> ids;
    for (const Variant& variant : familyOf(lesson.runs[run].family).variants()) {
        const bool wanted = std::ranges::any_of(lesson.measures, [&](const LessonMeasure& m) {
            return !m.recording && !m.noted && !m.modelled && static_cast<std::size_t>(m.run) == run &&
                   m.variant == variant.id;
        });
        if (wanted) ids.push_back(variant.id);
    }
    return ids;
}

LessonValues measureLesson(const Lesson& lesson, const LessonRecords& records, const RecordedRuns& recorded) {
    LessonValues values;
    for (const LessonMeasure& measure : lesson.measures) {
        const LessonFigure& figure = *figureOf(measure.figure);
        LessonValue value;
        if (measure.modelled) {
            value = {.value = *measure.modelled,
                     .low = *measure.modelled,
                     .high = *measure.modelled,
                     .origin = Origin::modelled,
                     .text = {}};
        } else if (const auto& noted = measure.noted) {
            value = {.value = noted->value,
                     .low = noted->value,
                     .high = noted->value,
                     .origin = Origin::recorded,
                     .text = {},
                     .device = noted->device,
                     .date = noted->date};
        } else {
            value =
                measure.recording ? recordedValue(measure, figure, recorded) : countedValue(measure, figure, records);
        }
        for (double* number : {&value.value, &value.low, &value.high}) *number *= measure.times;
        value.text = figure.format(value.value);
        values[measure.id] = std::move(value);
    }
    return values;
}

bool holds(const LessonClaim& claim, const LessonValues& values) {
    const LessonValue& left = values.at(claim.left);
    LessonValue right;
    if (const auto* id = std::get_if<std::string>(&claim.right)) {
        right = values.at(*id);
    } else {
        right.value = right.low = right.high = std::get<double>(claim.right);
    }
    for (double* number : {&right.value, &right.low, &right.high}) *number *= claim.factor;
    const bool below = left.high<right.low, above = left.low> right.high;
    switch (claim.relation) {
        case LessonClaim::Relation::below: return below;
        case LessonClaim::Relation::above: return above;
        case LessonClaim::Relation::equal:
            return std::abs(left.value - right.value) <= std::max(claim.within * std::abs(right.value), 1e-9);
        case LessonClaim::Relation::same: return !below && !above;
    }
    return false;
}

std::vector<std::size_t> rightAnswers(const Lesson& lesson, const LessonValues& values) {
    std::vector<std::size_t> right;
    for (std::size_t i = 0; i < lesson.answers.size(); ++i)
        if (std::ranges::all_of(lesson.answers[i].when, [&](const LessonClaim& claim) { return holds(claim, values); }))
            right.push_back(i);
    return right;
}

WhySentence tell(const std::string& paragraph, const LessonValues& values) {
    WhySentence sentence{.claim = WhyClaim::same, .pieces = {}};
    std::size_t from = 0;
    while (from < paragraph.size()) {
        const std::size_t open = paragraph.find('{', from), close = paragraph.find('}', from);
        if (open == std::string::npos || close == std::string::npos) break;
        if (open > from) sentence.pieces.push_back({.text = paragraph.substr(from, open - from)});
        const auto value = values.find(paragraph.substr(open + 1, close - open - 1));
        if (value == values.end())
            throw Error(Error::Kind::argument, "an explanation names \"" +
                                                   paragraph.substr(open + 1, close - open - 1) +
                                                   "\", which is not a measure");
        sentence.pieces.push_back({.text = value->second.text, .origin = value->second.origin, .strong = true});
        from = close + 1;
    }
    if (from < paragraph.size()) sentence.pieces.push_back({.text = paragraph.substr(from)});
    return sentence;
}

}  // namespace warplens::gpu
