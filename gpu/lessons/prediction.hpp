// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/lessons/lesson.hpp"

#include <string>
#include <vector>

namespace warplens::gpu {

/// What somebody in a class expects of a lesson, as a file for who collects it. Throws nothing.
std::string predictionOf(const Lesson& lesson, int answer);

/// The answers of a class, by their numbers, and a sentence for each file that is none of this lesson.
struct Votes {
    std::vector<int> counts;
    std::vector<std::string> problems;
};
Votes votesIn(const Lesson& lesson, const std::vector<std::string>& paths);

}  // namespace warplens::gpu
