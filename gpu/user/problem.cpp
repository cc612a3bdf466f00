// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/problem.hpp"

#include <algorithm>
#include <regex>

namespace warplens::gpu::user {

std::string explanationOf(const std::string& message) {
    struct Row {
        std::regex when;
        const char* say;
    };
    static const Row kRows[]{
#define WARPLENS_MESSAGE(when, say) {std::regex(when), say},
#include "gpu/user/messages.inc"
#undef WARPLENS_MESSAGE
    };
    const auto* row = std::ranges::find_if(kRows, [&](const Row& one) { return std::regex_search(message, one.when); });
    return row == std::ranges::end(kRows) ? std::string() : row->say;
}

KernelProblem problemOf(const std::string& sentence, const std::string& file, bool error) {
    KernelProblem problem{.message = sentence, .error = error};
    static const std::regex kSpecial(R"([.^$|()\[\]{}*+?\\])");
    const std::regex place(std::regex_replace(file, kSpecial, R"(\$&)") + R"(:(\d{1,9}))");
    for (std::sregex_iterator found(sentence.begin(), sentence.end(), place), end; found != end; ++found) {
        int& line = problem.line == 0 ? problem.line : problem.otherLine;
        if (line == 0) line = std::stoi(found->str(1));
    }
    // The line stands before the words already.
    const std::string lead = file + ":" + std::to_string(problem.line) + ": ";
    if (sentence.starts_with(lead)) problem.message = sentence.substr(lead.size());
    problem.message = std::regex_replace(problem.message, place, "line $1");
    problem.explanation = explanationOf(problem.message);
    return problem;
}

}  // namespace warplens::gpu::user
