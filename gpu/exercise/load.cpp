// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/core/family.hpp"
#include "gpu/core/json_reason.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/exercise/exercise.hpp"
#include "gpu/lessons/measure.hpp"
#include "io/file.hpp"
#include "io/read.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace warplens::gpu::exercise {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostBytes = 1 << 20;
constexpr const char* kFile = "exercise.json";
constexpr std::pair<Kind, const char*> kKinds[] = {
    {Kind::write, "write"}, {Kind::repair, "repair"}, {Kind::speed, "speed"}};

/// A file of the exercise's folder with its whole path.
std::string inputOf(const fs::path& folder, const std::string& name) {
    std::error_code none;
    return fs::exists(folder / name, none) ? (folder / name).string() : name;
}

void addParameters(const Family& family, const Json& json, const fs::path& folder, ParameterValues& values) {
    for (const auto& [id, value] : json.items()) {
        const auto& all = family.parameters();
        const auto at = std::ranges::find(all, id, &Parameter::id);
        if (at == all.end()) throw std::runtime_error(family.id() + " has no parameter \"" + id + "\"");
        const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        if (at->type == Parameter::Type::picture) {
            auto grid = std::make_shared<const io::Grid>(io::read(inputOf(folder, text)));
            values[id] = std::make_shared<const NamedGrid>(NamedGrid{text, std::move(grid)});
        } else {
            values[id] = parse(*at, text);
        }
    }
}

/// A goal in time has a variant of the family to be compared with, and may have a picture of its own.
void fillTimed(Goal& goal, const Json& json, const Exercise& exercise, const fs::path& folder) {
    if (!goal.atMost || goal.atLeast)
        throw std::runtime_error("a goal in time has at_most, a part of a variant's time");
    goal.against = json.at("against");
    variantOf(familyOf(exercise.family), goal.against);
    if (!json.contains("input")) return;
    goal.timed = exercise.cases.front();
    goal.timed->input = inputOf(folder, json.at("input"));
}

Goal goalOf(const Json& json, const Exercise& exercise, const fs::path& folder) {
    Goal goal{.metric = json.at("metric"), .text = json.at("text")};
    if (json.contains("at_most")) goal.atMost = json.at("at_most").get<double>();
    if (json.contains("at_least")) goal.atLeast = json.at("at_least").get<double>();
    if (goal.metric == Goal::kTime) fillTimed(goal, json, exercise, folder);
    if (!goal.counted()) return goal;
    const LessonFigure* figure = figureOf(goal.metric);
    if (figure == nullptr || figure->counted == nullptr)
        throw std::runtime_error("nothing counts \"" + goal.metric + "\"");
    if (!goal.atMost && !goal.atLeast)
        throw std::runtime_error("goal \"" + goal.metric + "\" has no limit: give at_most or at_least");
    return goal;
}

void fill(Exercise& exercise, const Json& json, const fs::path& folder) {
    exercise.title = json.at("title");
    exercise.chapter = json.at("chapter");
    exercise.story = json.at("story");
    exercise.task = json.at("task");
    exercise.family = json.at("family");
    const auto kind = std::ranges::find(kKinds, json.at("kind").get<std::string>(),
                                        [](const auto& one) { return std::string(one.second); });
    if (kind == std::end(kKinds)) throw std::runtime_error("kind is write, repair or speed");
    exercise.kind = kind->first;
    const Family& family = familyOf(exercise.family);
    ParameterValues common;
    addParameters(family, json.value("parameters", Json::object()), folder, common);
    for (const Json& one : json.at("cases")) {
        Case made{.input = inputOf(folder, one.at("input")), .parameters = common};
        addParameters(family, one.value("parameters", Json::object()), folder, made.parameters);
        validate(family.parameters(), made.parameters);
        exercise.cases.push_back(std::move(made));
    }
    if (exercise.cases.empty()) throw std::runtime_error("it has no case");
    json.at("hints").get_to(exercise.hints);
    for (const Json& one : json.at("goals")) exercise.goals.push_back(goalOf(one, exercise, folder));
    if (exercise.goals.empty()) throw std::runtime_error("it has no goal");
}

}  // namespace

const char* nameOf(Kind kind) { return std::ranges::find(kKinds, kind, &std::pair<Kind, const char*>::first)->second; }

Exercise load(const fs::path& folder) {
    Exercise exercise;
    exercise.name = folder.filename().string();
    if (exercise.name.empty()) exercise.name = folder.parent_path().filename().string();
    const fs::path file = folder / kFile;
    try {
        fill(exercise, Json::parse(io::readText(file.string(), kMostBytes)), folder);
        exercise.start = io::readText((folder / "start.cuh").string(), kMostBytes);
        exercise.solution = io::readText((folder / "solution.cuh").string(), kMostBytes);
    } catch (const std::exception& error) {
        throw Error(Error::Kind::argument, file.string() + ": no exercise: " + reasonOf(error));
    }
    return exercise;
}

Exercises loadAll(const fs::path& folder) {
    Exercises all;
    if (folder.empty()) return all;
    std::error_code failed;
    const auto take = [&](const fs::path& one) {
        if (!fs::exists(one / kFile, failed)) return;
        try {
            all.list.push_back(load(one));
        } catch (const Error& error) {
            all.problems.emplace_back(error.what());
        }
    };
    take(folder);
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) take(at->path());
    if (all.list.empty() && all.problems.empty())
        all.problems.push_back(folder.string() + ": no exercises: each is a folder in it, with " + kFile +
                               ", start.cuh and solution.cuh");
    std::ranges::sort(all.list, {}, &Exercise::name);
    std::ranges::sort(all.problems);
    return all;
}

std::string fileOf(const Exercise& exercise) { return exercise.name + ".cuh"; }

}  // namespace warplens::gpu::exercise
