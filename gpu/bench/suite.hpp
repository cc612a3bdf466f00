// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::bench {

/// What a goal is stated in.
enum class Metric {
    medianMs,        ///< "median_ms": at most
    stepUs,          ///< "step_us": microseconds a step of an iteration, at most
    gbs,             ///< "gbs": minimal bytes, at least
    gcells,          ///< "gcells": 1e9 cells x steps a second, at least
    percentOfLimit,  ///< "percent_of_limit": of the measured limit of the traffic, at least
    timesCase        ///< "times_case": the median over that of the same rows in another case, at most
};
const char* nameOf(Metric metric);
/// "ms", "us a step", "GB/s", "Gcell/s", "% of limit", "x"
const char* unitOf(Metric metric);
/// Whether less is better.
bool isCeiling(Metric metric);

/// What the best of some rows should reach on the GPU that the goals were set for.
struct Goal {
    std::string what{};  ///< which rows, in words: "direct", "separable"
    std::vector<std::string>
        rows{};  ///< ids or prefixes with *; with ! before it what is left out; empty: every kernel
    Metric metric = Metric::medianMs;
    double value = 0;
    std::string other{};   ///< the case that Metric::timesCase compares with
    bool stretch = false;  ///< hoped for, not required
};

/// A request that is raced.
struct Case {
    std::string id, suite, title;  ///< a suite is called like its family
    std::string input;             ///< gen:..., at full size
    std::string family;
    ParameterValues parameters;
    std::vector<Goal> goals;
};

/// What makes the tasks of `--suite random` (draw.hpp).
struct Drawing {
    std::uint64_t seed = 1;
    int cases = 0;
    std::int64_t largest = 0;  ///< bytes of a task's input and the pictures that its parameters name, together
};

struct Suites {
    std::string goalsOn;  ///< the GPU's name as its driver gives it
    std::vector<Case> cases;
};

/// Reads suite.json of every family below `families` that has one. Throws Error(argument) that names the file and what
/// is wrong, or when there is none at all.
Suites loadSuites(const std::filesystem::path& families);

/// The cases of these suites in the file's order: names of suites, "limits" or "all" for every one. `only`, when not
/// empty, leaves those whose id matches one of its entries (an id, or a prefix with *). Throws Error(argument) for a
/// suite or an entry that is no case's.
std::vector<Case> choose(const Suites& suites, const std::vector<std::string>& names,
                         const std::vector<std::string>& only = {});

/// The description with every extent divided by `scale`, but not below 16; an extent of 16 or less stays.
std::string scaledInput(const std::string& description, int scale);

/// The description with extents above `most` cut to it.
std::string limitedInput(const std::string& description, std::int64_t most);

/// scaledInput() for the pictures that parameters name.
ParameterValues scaledPictures(ParameterValues values, int scale);

/// The parameters with the pictures that they only name, as a case does; `make` makes one of its description.
ParameterValues withPictures(ParameterValues values,
                             const std::function<std::shared_ptr<const io::Grid>(const std::string&)>& make);

/// Whether an id is named by `patterns`: ids or prefixes with *; ! before one leaves out. No patterns name every id.
bool matches(const std::vector<std::string>& patterns, const std::string& id);

}  // namespace warplens::gpu::bench
