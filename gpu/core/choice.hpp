// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// What a race among guesses found (run/guess_race.hpp). Times are measured, by the device's clock.
struct AutotuneResult {
    struct Row {
        std::string variant{};
        TunableValues tunables{};  ///< those that were set; the others at their defaults, or fitted to the task
        double ms = 0;             ///< median of its samples
        int samples = 0;           ///< 1 where one launch was enough to drop it

        std::string id{};  ///< with the tunables that are not at their defaults: "tiled@block_width=32"
    };
    std::vector<Row> rows{};  ///< the fastest first
    int launches = 0;
    double kernelMs = 0;  ///< of what was timed
    double wallMs = 0;    ///< with preparation and loading of code
    /// Some ran by instances for any task, as those for this one were still being compiled: the next race may tell
    /// otherwise.
    bool provisional = false;
};

/// A variant with its tunables that was chosen for the user, and why.
struct Choice {
    enum class Source { measured, cache, table, order };

    std::string variant{};
    TunableValues tunables{};
    Source source = Source::order;
    std::string why{};                      ///< one clause: which measurement it rests on
    std::optional<AutotuneResult> raced{};  ///< of source "measured", when it was this process that raced
};

const char* nameOf(Choice::Source source);  ///< "measured", "cache", "table", "order"

}  // namespace warplens::gpu
