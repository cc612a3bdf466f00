// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "io/grid.hpp"

#include <string>
#include <vector>

namespace warplens::gpu {

/// What is given instead of a number where the picture is to say its level.
inline constexpr const char* kAutomatic = "auto";

/// The level that parts the values of a picture best into those above it and the rest: of all levels that with the
/// largest variance between both (Otsu 1979), from some 65,000 pixels; of several that part them equally the middle
/// one. A pixel of several channels stands for its least colour; values that are not finite are left out. A picture of
/// one value has nothing to part: its level is 0, so that it is inside when it is above 0, as masks have it, and
/// outside when it is not. Quick enough for the UI thread. The grid is not empty.
double otsuThreshold(const io::Grid& grid);

/// Rules by which a level is found: "otsu", "triangle" (Zack 1977), "isodata" (Ridler and Calvard 1978: midway between
/// the means of both parts), "li" (Li and Tam 1998: the least cross entropy) and "mean".
const std::vector<std::string>& levelRules();
/// The level of a picture by one of them, of the same pixels and with the same care as otsuThreshold(). Throws
/// Error(argument) for another rule.
double separatingLevel(const io::Grid& grid, const std::string& rule);

/// A parameter of the role `level`, of a family of masks: a number, or the separating level, which is the default.
/// `help` is one sentence on what the level decides.
Parameter levelParameter(const std::string& help);

/// The level that such a family takes of a picture, by the parameter's value.
struct Level {
    double value = 0;
    std::string
        fact{};  ///< "level 127, by Otsu's method", "level 0, as all pixels are 5"; empty: it was given as a number
};
Level levelOf(const Parameter::Value& asked, const io::Grid& grid);

}  // namespace warplens::gpu
