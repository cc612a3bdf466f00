// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/lessons/lesson.hpp"
#include "gpu/report/recorded.hpp"
#include "gpu/report/why.hpp"

namespace warplens::gpu {

/// What a measure may be, and how it reads.
struct LessonFigure {
    const char* id;
    const char* name;  ///< with its unit, as a chart's title: "sectors of 32 bytes loaded"
    /// Of a counted run; null for what only a recorded run or a formula has. Both are null for what a formula alone
    /// has.
    double (*counted)(const RunRecord&);
    /// Of a recorded run; null where counting alone gives it.
    double (*recorded)(const RunRecord&, const Report&);
    std::string (*format)(double);
};
const std::vector<LessonFigure>& lessonFigures();
/// Null when there is none of that id.
const LessonFigure* figureOf(const std::string& id);

/// A measure's number. `low` and `high` differ from it only for times.
struct LessonValue {
    double value = 0, low = 0, high = 0;
    Origin origin = Origin::counted;
    std::string text;                ///< with its unit: "0.424 ms"
    const Report* source = nullptr;  ///< of a recorded number; lives as long as the recorded runs
    std::string device{}, date{};    ///< of a recorded number without a source
};
using LessonValues = std::map<std::string, LessonValue>;  ///< by measure

/// Records with counters, one map from variant a run of the lesson.
using LessonRecords = std::vector<std::map<std::string, RunRecord>>;

/// The variants that a run of the lesson has to count, in the order of their ladder.
std::vector<std::string> variantsOf(const Lesson& lesson, std::size_t run);

/// The numbers of a lesson. Throws Error(argument) that names the measure when a record, its counters or a recorded run
/// is missing.
LessonValues measureLesson(const Lesson& lesson, const LessonRecords& records, const RecordedRuns& recorded);

/// Whether it holds of these numbers.
bool holds(const LessonClaim& claim, const LessonValues& values);
/// The answers that are right; exactly one for a sound lesson.
std::vector<std::size_t> rightAnswers(const Lesson& lesson, const LessonValues& values);

/// A paragraph of the explanation, its measures replaced by their numbers with their origin.
WhySentence tell(const std::string& paragraph, const LessonValues& values);

}  // namespace warplens::gpu
