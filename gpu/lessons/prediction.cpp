// SPDX-License-Identifier: Apache-2.0
#include "gpu/lessons/prediction.hpp"

#include "gpu/core/json_reason.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warplens::gpu {
namespace {

using Json = nlohmann::json;

constexpr int kSchema = 1;
constexpr std::int64_t kMostBytes = 1 << 16;

/// By its words: a lesson of another version may have other answers in their places.
std::size_t answerIn(const Lesson& lesson, const std::string& path) {
    std::string of, title, answer;
    try {
        const Json json = Json::parse(io::readText(path, kMostBytes));
        of = json.at("lesson");
        title = json.at("title");
        answer = json.at("answer");
    } catch (const Json::exception& error) {
        throw std::runtime_error(path + ": no prediction: " + reasonOf(error));
    }
    if (of != lesson.id) throw std::runtime_error(path + ": a prediction for another lesson, \"" + title + "\"");
    const auto found = std::ranges::find(lesson.answers, answer, &LessonAnswer::text);
    if (found == lesson.answers.end())
        throw std::runtime_error(path + ": this lesson has no answer \"" + answer +
                                 "\": predict again with the same version of Warplens");
    return static_cast<std::size_t>(found - lesson.answers.begin());
}

}  // namespace

std::string predictionOf(const Lesson& lesson, int answer) {
    const Json json{{"schema", kSchema},
                    {"lesson", lesson.id},
                    {"title", lesson.title},
                    {"answer", lesson.answers.at(static_cast<std::size_t>(answer)).text}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Votes votesIn(const Lesson& lesson, const std::vector<std::string>& paths) {
    Votes votes{std::vector<int>(lesson.answers.size()), {}};
    for (const std::string& path : paths) {
        try {
            ++votes.counts[answerIn(lesson, path)];
        } catch (const std::exception& error) {
            votes.problems.emplace_back(error.what());
        }
    }
    return votes;
}

}  // namespace warplens::gpu
