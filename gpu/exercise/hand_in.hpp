// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/exercise/judge.hpp"
#include "gpu/report/text_table.hpp"

#include <string>
#include <vector>

namespace warplens::gpu::exercise {

/// What is handed in: one JSON file (resources/schema/hand_in.schema.json) with a SHA-256 over all of it, by which a
/// change afterwards shows. It is no proof of who wrote it.
struct HandIn {
    struct Goal {
        std::string metric{}, text{}, now{};
        bool reached = false;
    };
    std::string file{};  ///< where it was read from, without folders
    std::string exercise{}, title{};
    std::string source{};  ///< the kernel
    int hints = 0;         ///< that were opened
    bool gaveUp = false;   ///< the solution was looked at before all goals were reached
    std::vector<Goal> goals{};
    bool intact = true;  ///< its hash fits

    int reached() const;
};

HandIn makeHandIn(const Exercise& exercise, const Judgement& judgement, std::string source, int hints, bool gaveUp);
std::string toJson(const HandIn& handIn);
/// Throws Error(argument) for what is none; one that was changed is not intact.
HandIn parseHandIn(const std::string& json, const std::string& path);

/// Reads files; one that is none, or cannot be read, costs itself alone and is a sentence.
struct HandIns {
    std::vector<HandIn> list{};
    std::vector<std::string> problems{};

    /// Adds others in the order of exercises and files, of which one of the same name takes its place.
    void add(HandIns others);
};
HandIns readHandIns(const std::vector<std::string>& paths);

/// A class: a row a file, goals by their place in the exercise; of one exercise the notes say how many reached each.
TextTable boardOf(const std::vector<HandIn>& all);
std::string boardCsv(const std::vector<HandIn>& all);

}  // namespace warplens::gpu::exercise
