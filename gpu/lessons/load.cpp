// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/lessons/lesson.hpp"
#include "gpu/lessons/measure.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warplens::gpu {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostAnswers = 5;  // the keys 1 to 5

std::string text(const Json& json, const char* field) { return json.value(field, std::string()); }

ParameterValues parameters(const Family& family, const Json& json) {
    ParameterValues values;
    for (const auto& [id, value] : json.items()) {
        const auto& all = family.parameters();
        const auto at = std::ranges::find(all, id, &Parameter::id);
        if (at == all.end()) throw std::runtime_error(family.id() + " has no parameter \"" + id + "\"");
        values[id] = parse(*at, value.get<std::string>());
    }
    return values;
}

LessonRun run(const Json& json) {
    LessonRun made{.input = json.at("input"), .family = json.at("family")};
    made.parameters = parameters(familyOf(made.family), json.value("parameters", Json::object()));
    const Json tunables = json.value("tunables", Json::object());
    for (const auto& [id, value] : tunables.items()) made.tunables[id] = value.get<int>();
    return made;
}

LessonMeasure measure(const Json& json, const Lesson& lesson) {
    LessonMeasure made{.id = json.at("id"), .label = json.at("label"), .figure = json.at("figure")};
    if (figureOf(made.figure) == nullptr) throw std::runtime_error("there is no figure \"" + made.figure + "\"");
    made.variant = text(json, "variant");
    made.run = json.value("run", 0);
    made.times = json.value("times", 1.0);
    if (json.contains("modelled")) {
        made.modelled = json.at("modelled").get<double>();
    } else if (json.contains("recorded")) {
        const Json& from = json.at("recorded");
        if (from.contains("value")) {
            made.noted = {.value = from.at("value"), .device = from.at("device"), .date = from.at("date")};
            return made;
        }
        LessonRecording recording{.family = from.at("family")};
        const Family& family = familyOf(recording.family);
        recording.parameters = parameters(family, from.value("parameters", Json::object()));
        recording.input = text(from, "input");
        if (recording.input.empty())
            throw std::runtime_error("measure \"" + made.id + "\" does not name the input that was recorded");
        if (!made.variant.empty()) variantOf(family, made.variant);
        made.recording = std::move(recording);
    } else {
        if (made.run < 0 || made.run >= static_cast<int>(lesson.runs.size())) return made;  // refused below
        variantOf(familyOf(lesson.runs[static_cast<std::size_t>(made.run)].family), made.variant);
        if (figureOf(made.figure)->counted == nullptr)
            throw std::runtime_error("nothing counts \"" + made.figure + "\" of measure \"" + made.id + "\"");
    }
    return made;
}

LessonClaim claim(const Json& json, const Lesson& lesson) {
    const auto known = [&](const std::string& id) {
        if (std::ranges::find(lesson.measures, id, &LessonMeasure::id) == lesson.measures.end())
            throw std::runtime_error("there is no measure \"" + id + "\"");
    };
    static const std::map<std::string, LessonClaim::Relation> relations{{"below", LessonClaim::Relation::below},
                                                                        {"above", LessonClaim::Relation::above},
                                                                        {"equal", LessonClaim::Relation::equal},
                                                                        {"same", LessonClaim::Relation::same}};
    LessonClaim made{.left = json.at("left"), .relation = relations.at(json.at("is").get<std::string>())};
    known(made.left);
    if (const Json& right = json.at("right"); right.is_string()) {
        known(right.get<std::string>());
        made.right = right.get<std::string>();
    } else {
        made.right = right.get<double>();
    }
    made.factor = json.value("factor", 1.0);
    made.within = json.value("within", 0.0);
    return made;
}

/// What a lesson needs to be walked through, whoever wrote it.
void check(const Lesson& lesson) {
    if (lesson.runs.empty()) throw std::runtime_error("it has no run");
    if (lesson.answers.size() < 2 || lesson.answers.size() > kMostAnswers)
        throw std::runtime_error("it has " + std::to_string(lesson.answers.size()) + " answers: give 2 to " +
                                 std::to_string(kMostAnswers));
    LessonValues values;
    for (const LessonMeasure& one : lesson.measures) {
        if (one.run < 0 || one.run >= static_cast<int>(lesson.runs.size()))
            throw std::runtime_error("measure \"" + one.id + "\" is of no run");
        values[one.id];
    }
    for (const std::string& paragraph : lesson.explanation) tell(paragraph, values);
}

std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code failed;
    std::filesystem::directory_iterator at(folder, failed);
    for (const std::filesystem::directory_iterator end; !failed && at != end; at.increment(failed))
        if (at->path().extension() == ".json") files.push_back(at->path());
    return files;
}

std::vector<LessonClaim> claims(const Json& json, const Lesson& lesson) {
    std::vector<LessonClaim> made;
    for (const Json& one : json) made.push_back(claim(one, lesson));
    return made;
}

std::vector<LessonChapter> chaptersIn(const std::filesystem::path& file) {
    std::vector<LessonChapter> chapters;
    try {
        for (const Json& one : Json::parse(io::readText(file.string())))
            chapters.push_back({.id = one.at("id"), .title = one.at("title"), .needs = one.at("needs")});
    } catch (const Json::exception& error) {
        throw Error(Error::Kind::argument, file.string() + ": no list of chapters: " + error.what());
    }
    return chapters;
}

}  // namespace

Lesson parseLesson(const std::string& json, const std::string& where) {
    try {
        const Json whole = Json::parse(json);
        Lesson lesson;
        lesson.title = whole.at("title");
        lesson.chapter = text(whole, "chapter");
        lesson.exercise = text(whole, "exercise");
        whole.at("text").get_to(lesson.text);
        lesson.question = whole.at("question");
        for (const Json& one : whole.at("runs")) lesson.runs.push_back(run(one));
        for (const Json& one : whole.at("measures")) lesson.measures.push_back(measure(one, lesson));
        for (const Json& one : whole.at("answers"))
            lesson.answers.push_back({.text = one.at("text"), .when = claims(one.at("when"), lesson)});
        lesson.claims = claims(whole.at("claims"), lesson);
        whole.at("explanation").get_to(lesson.explanation);
        const Json& next = whole.at("try");
        lesson.tryThis = {.text = next.at("text"),
                          .task = run(next),
                          .variant = next.at("variant"),
                          .page = next.value("page", "why")};
        variantOf(familyOf(lesson.tryThis.task.family), lesson.tryThis.variant);
        check(lesson);
        return lesson;
    } catch (const std::exception& error) {
        throw Error(Error::Kind::argument, where + ": no lesson: " + error.what());
    }
}

Lessons loadLessons(const std::filesystem::path& families, const std::filesystem::path& own) {
    std::vector<std::filesystem::path> shipped, others;
    for (const Family* family : gpu::families())
        for (const auto& path : filesIn(families / family->id() / "lessons")) shipped.push_back(path);
    if (!own.empty()) others = filesIn(own);
    for (auto* paths : {&shipped, &others})
        std::ranges::sort(*paths, {}, [](const std::filesystem::path& path) { return path.filename(); });
    Lessons lessons;
    const auto attempt = [&](const auto& work) {
        try {
            work();
        } catch (const std::runtime_error& error) {  // of io, or of gpu
            lessons.problems.emplace_back(error.what());
        }
    };
    if (!shipped.empty()) attempt([&] { lessons.chapters = chaptersIn(families / "chapters.json"); });
    const auto placeOf = [&](const Lesson& lesson) {
        return std::ranges::find(lessons.chapters, lesson.chapter, &LessonChapter::id) - lessons.chapters.begin();
    };
    const auto read = [&](const std::filesystem::path& path) {
        Lesson lesson = parseLesson(io::readText(path.string()), path.string());
        lesson.id = path.stem().string();
        if (!lesson.chapter.empty() && placeOf(lesson) == std::ssize(lessons.chapters))
            throw Error(Error::Kind::argument,
                        path.string() + ": no lesson: there is no chapter \"" + lesson.chapter + "\"");
        lessons.all.push_back(std::move(lesson));
    };
    for (const auto& path : shipped) attempt([&] { read(path); });
    std::ranges::stable_sort(lessons.all, {}, placeOf);
    for (const auto& path : others) attempt([&] { read(path); });
    return lessons;
}

}  // namespace warplens::gpu
