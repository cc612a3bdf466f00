// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"
#include "io/grid.hpp"

#include <string>

namespace warplens::gpu::components {

/// What the user may choose for components.
struct Chosen {
    Parameter::Value level{};
    std::string connectivity{};
};
const BoundParameters<Chosen>& parameters();

/// What the user asked for, of one picture.
struct LabellingOptions {
    double level = 0;         ///< pixels are compared with it as it was given, whatever their type
    bool corners = true;      ///< neighbours at corners (and edges of voxels) count: 8 or 26, else 4 or 6
    std::string levelFact{};  ///< where the picture said its level
};

/// Throws Error(argument) for what is out of range, and for neighbours that a picture or a volume does not have.
LabellingOptions parseOptions(const ParameterValues& values, const io::Grid& picture);

}  // namespace warplens::gpu::components
