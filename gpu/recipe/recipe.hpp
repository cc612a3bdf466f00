// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::recipe {

/// Where a picture comes from that a step works on.
struct Source {
    enum class Kind {
        previous,  ///< the step before it that is switched on; before the first one the recipe's input
        input,     ///< the recipe's input
        step,      ///< an earlier step, by its name
        file,      ///< a file, or "gen:" text
        held       ///< a picture that lies in no file, as a painted mask: no file of a recipe can hold it
    };
    Kind kind = Kind::previous;
    std::string name{};                       ///< of the step or the file
    std::shared_ptr<const NamedGrid> held{};  ///< of Kind::held
    bool operator==(const Source&) const = default;
};

/// A family with its parameters, on a picture.
struct Step {
    std::string name{};  ///< by which a later step takes its picture; may be empty
    std::string family{};
    ParameterValues parameters{};              ///< those that are no pictures; absent ones at their defaults
    std::map<std::string, Source> pictures{};  ///< those that are, by parameter
    Source input{};
    std::string variant = "auto";  ///< a run's id (run_key.hpp), or what the tuning chooses
    bool on = true;                ///< else it is skipped
    bool operator==(const Step&) const = default;
};

/// Steps, one after the other.
struct Recipe {
    std::vector<Step> steps{};
    bool operator==(const Recipe&) const = default;
};

/// "step 2", as messages count.
std::string placeOf(std::size_t step);
/// The steps that are switched on.
std::vector<std::size_t> stepsOn(const Recipe& recipe);
/// The step whose result is the recipe's: the last one that is on. Throws Error(argument) when none is.
const Step& lastOf(const Recipe& recipe);
/// The step whose picture `source` is for `step`; none: it comes from the input, a file, or is held.
inline constexpr int kNoStep = -1;
int stepMeant(const Recipe& recipe, std::size_t step, const Source& source);

/// All that can be checked without a picture: families, parameters, variants, and that pictures come from earlier steps
/// that are on. Throws Error(argument) that begins with the step.
void check(const Recipe& recipe);

}  // namespace warplens::gpu::recipe
