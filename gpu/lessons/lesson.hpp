// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "gpu/core/variant.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warplens::gpu {

/// Work that a lesson has counted, on a picture small enough for every block to be traced.
struct LessonRun {
    std::string input{};  ///< as io::read takes it
    std::string family{};
    ParameterValues parameters{};
    TunableValues tunables{};
};

/// Which recorded run a number is from: the newest of its family with these parameters on this picture.
struct LessonRecording {
    std::string family{};
    ParameterValues parameters{};
    std::string input{};  ///< the whole name of its input, which says type and size
};

/// A number that was measured earlier, of a run that is not shipped.
struct LessonNote {
    double value = 0;
    std::string device{}, date{};  ///< where, and when: ISO 8601
};

/// A number that a lesson shows, tells or judges by. It is counted in a run, recorded, or modelled by a formula.
struct LessonMeasure {
    std::string id{};
    std::string label{};   ///< in the chart: "tiled_output, radius 2"
    std::string figure{};  ///< an id of lessonFigures()
    std::string variant{};
    int run = 0;                                 ///< number in Lesson::runs
    std::optional<LessonRecording> recording{};  ///< then it is no count
    std::optional<LessonNote> noted{};           ///< recorded as well
    std::optional<double> modelled{};            ///< neither: the value itself
    double times = 1;                            ///< how often the work is done
};

/// What is to hold between two numbers. Of recorded times the 95 % intervals of the medians are compared.
struct LessonClaim {
    enum class Relation { below, above, equal, same };
    std::string left{};  ///< a measure
    Relation relation = Relation::equal;
    std::variant<std::string, double> right{0.0};  ///< a measure, or a number
    double factor = 1;                             ///< of the right side
    double within = 0;                             ///< equal: share of the right side by which the left may differ
};

/// One of the answers to choose from; it is right when all its claims hold.
struct LessonAnswer {
    std::string text{};
    std::vector<LessonClaim> when{};
};

/// What to do next: a task for the pages of the window.
struct LessonTry {
    std::string text{};
    LessonRun task{};
    std::string variant{};
    std::string page{};  ///< of the window, on which there is what the text speaks of: "why", "why/film", "compare"
};

/// A lesson, as data: a file of a family's lessons/.
struct Lesson {
    std::string id{};  ///< the file's name without its ending
    std::string title{};
    std::string chapter{};            ///< an id of Lessons::chapters; empty: of none, as one's own may be
    std::string exercise{};           ///< its folder's name; empty: none
    std::vector<std::string> text{};  ///< two paragraphs
    std::string question{};
    std::vector<LessonAnswer> answers{};
    std::vector<LessonRun> runs{};
    std::vector<LessonMeasure> measures{};
    std::vector<LessonClaim> claims{};       ///< what the explanation builds on
    std::vector<std::string> explanation{};  ///< paragraphs; "{id}" stands for a measure with its origin
    LessonTry tryThis{};
};

/// Lessons on one matter, in the order in which one learns.
struct LessonChapter {
    std::string id{}, title{};
    std::vector<std::string> needs{};  ///< ids of those to be read before
};

struct Lessons {
    std::vector<LessonChapter> chapters;
    std::vector<Lesson> all;            ///< by chapter, then by file name
    std::vector<std::string> problems;  ///< a sentence for each file that is no lesson
};

/// Reads the lessons/*.json of every family below `families`, in the order of its chapters.json and of their names. A
/// missing folder holds nothing; a bad file costs itself alone. Those of the folder `own`, where one is named, come
/// after them. Never throws.
Lessons loadLessons(const std::filesystem::path& families, const std::filesystem::path& own = {});

/// Reads one lesson. Throws Error(argument) that begins with `where` and names what is wrong.
Lesson parseLesson(const std::string& json, const std::string& where);

}  // namespace warplens::gpu
