// SPDX-License-Identifier: Apache-2.0
#include "gpu/exercise/hand_in.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/json_reason.hpp"
#include "io/file.hpp"
#include "io/sha256.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace warplens::gpu::exercise {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;
constexpr const char* kHash = "sha256";

/// Over everything but the hash itself, in the order of the fields.
std::string hashOf(Json json) {
    json.erase(kHash);
    return io::sha256(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// RFC 4180.
std::string cellOf(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string stateOf(const HandIn& one) { return !one.intact ? "changed" : one.gaveUp ? "gave up" : ""; }

}  // namespace

int HandIn::reached() const { return static_cast<int>(std::ranges::count(goals, true, &Goal::reached)); }

HandIn makeHandIn(const Exercise& exercise, const Judgement& judgement, std::string source, int hints, bool gaveUp) {
    HandIn made{.exercise = exercise.name,
                .title = exercise.title,
                .source = std::move(source),
                .hints = hints,
                .gaveUp = gaveUp};
    for (std::size_t i = 0; i < exercise.goals.size(); ++i) {
        const GoalState& state = judgement.goals.at(i);
        made.goals.push_back({exercise.goals[i].metric, exercise.goals[i].text, state.now, state.reached});
    }
    return made;
}

std::string toJson(const HandIn& handIn) {
    Json goals = Json::array();
    for (const HandIn::Goal& goal : handIn.goals)
        goals.push_back({{"metric", goal.metric}, {"text", goal.text}, {"now", goal.now}, {"reached", goal.reached}});
    Json json{{"schema", kSchema},        {"exercise", handIn.exercise}, {"title", handIn.title},
              {"source", handIn.source},  {"hints", handIn.hints},       {"gave_up", handIn.gaveUp},
              {"goals", std::move(goals)}};
    json[kHash] = hashOf(json);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

HandIn parseHandIn(const std::string& text, const std::string& path) {
    try {
        const Json json = Json::parse(text);
        HandIn read{.file = std::filesystem::path(path).filename().string(),
                    .exercise = json.at("exercise"),
                    .title = json.at("title"),
                    .source = json.at("source"),
                    .hints = json.at("hints"),
                    .gaveUp = json.at("gave_up")};
        for (const Json& goal : json.at("goals"))
            read.goals.push_back({goal.at("metric"), goal.at("text"), goal.at("now"), goal.at("reached")});
        read.intact = json.at(kHash).get<std::string>() == hashOf(json);
        return read;
    } catch (const Json::exception& error) {
        throw Error(Error::Kind::argument, path + ": not what exercise hand-in writes: " + reasonOf(error));
    }
}

void HandIns::add(HandIns others) {
    for (HandIn& one : others.list) {
        std::erase_if(list, [&](const HandIn& known) { return known.file == one.file; });
        list.push_back(std::move(one));
    }
    std::ranges::stable_sort(list, {}, [](const HandIn& one) { return std::pair(one.exercise, one.file); });
    problems = std::move(others.problems);
}

HandIns readHandIns(const std::vector<std::string>& paths) {
    HandIns read;
    for (const std::string& path : paths) {
        try {
            read.list.push_back(parseHandIn(io::readText(path), path));
        } catch (const std::exception& error) {
            read.problems.emplace_back(error.what());
        }
    }
    return read;
}

TextTable boardOf(const std::vector<HandIn>& all) {
    std::size_t most = 0;
    bool several = false;
    for (const HandIn& one : all) {
        most = std::max(most, one.goals.size());
        several = several || one.exercise != all.front().exercise;
    }
    TextTable table{.title = {}, .columns = {{.title = "handed in", .origin = {}}}, .rows = {}, .notes = {}};
    if (several) table.columns.push_back({.title = "exercise", .origin = {}});
    for (std::size_t goal = 0; goal < most; ++goal) {
        const bool told = !several && goal < all.front().goals.size();
        table.columns.push_back(
            {.title = told ? all.front().goals[goal].metric : "goal " + std::to_string(goal + 1), .origin = {}});
    }
    for (const char* title : {"hints", "goals"})
        table.columns.push_back({.title = title, .origin = {}, .number = true});
    table.columns.push_back({.title = "", .origin = {}});
    for (const HandIn& one : all) {
        std::vector<std::string> row{one.file};
        if (several) row.push_back(one.exercise);
        for (std::size_t goal = 0; goal < most; ++goal) {
            if (goal >= one.goals.size())
                row.emplace_back();
            else
                row.push_back((one.goals[goal].reached ? "+ " : "- ") + one.goals[goal].now);
        }
        row.push_back(std::to_string(one.hints));
        row.push_back(std::to_string(one.reached()) + " of " + std::to_string(one.goals.size()));
        row.push_back(stateOf(one));
        table.rows.push_back(std::move(row));
    }
    for (std::size_t goal = 0; goal < most && !several && goal < all.front().goals.size(); ++goal) {
        const auto reached = std::ranges::count_if(
            all, [goal](const HandIn& one) { return goal < one.goals.size() && one.goals[goal].reached; });
        table.notes.push_back(all.front().goals[goal].text + ": " + std::to_string(reached) + " of " +
                              std::to_string(all.size()));
    }
    return table;
}

std::string boardCsv(const std::vector<HandIn>& all) {
    std::string text = "file,exercise,metric,goal,now,reached,hints,gave_up,changed\r\n";
    const auto word = [](bool yes) { return yes ? "yes" : "no"; };
    for (const HandIn& one : all)
        for (const HandIn::Goal& goal : one.goals)
            text += cellOf(one.file) + "," + cellOf(one.exercise) + "," + cellOf(goal.metric) + "," +
                    cellOf(goal.text) + "," + cellOf(goal.now) + "," + word(goal.reached) + "," +
                    std::to_string(one.hints) + "," + word(one.gaveUp) + "," + word(!one.intact) + "\r\n";
    return text;
}

}  // namespace warplens::gpu::exercise
