// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::exercise {

enum class Kind { write, repair, speed };
const char* nameOf(Kind kind);  ///< "write", "repair", "speed"

/// A picture that a kernel has to be right on, and with what.
struct Case {
    std::string input{};  ///< as io::read takes it; a file of the exercise's folder with its whole path
    ParameterValues parameters{};
};

/// What a kernel has to reach.
struct Goal {
    /// An id of lessonFigures() that is counted, of the first case; or one of these three.
    std::string metric{};
    static constexpr const char* kVerified = "verified";  ///< right in all cases
    static constexpr const char* kClean = "clean";        ///< nothing done that must not be: races, faults
    static constexpr const char* kTime = "time";          ///< on a GPU, as a part of a variant's time in the same run
    std::optional<double> atMost{}, atLeast{};
    std::string text{};           ///< in a list of goals: "at most 3 sectors per load request"
    std::string against{};        ///< of a time: the variant
    std::optional<Case> timed{};  ///< of a time: the picture; else the first case's

    bool counted() const { return metric != kVerified && metric != kClean && metric != kTime; }
};

/// A task in writing a kernel: a folder with exercise.json (resources/schema/exercise.schema.json), start.cuh and
/// solution.cuh.
struct Exercise {
    std::string name{};  ///< its folder's
    std::string title{}, chapter{};
    Kind kind = Kind::write;
    std::string story{}, task{};
    std::string family{};
    std::vector<Case> cases{};         ///< at least one
    std::vector<std::string> hints{};  ///< from the first nudge on
    std::vector<Goal> goals{};
    std::string start{}, solution{};  ///< texts of kernels
};

/// Throws Error(argument): one sentence that begins with the file.
Exercise load(const std::filesystem::path& folder);

/// Those in the folders of a folder by their places, and a sentence for each that is none.
struct Exercises {
    std::vector<Exercise> list{};
    std::vector<std::string> problems{};
};
Exercises loadAll(const std::filesystem::path& folder);

/// Where a kernel's file is for: "my.cuh", for who has only its text.
std::string fileOf(const Exercise& exercise);

}  // namespace warplens::gpu::exercise
