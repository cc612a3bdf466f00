// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"
#include "io/grid.hpp"

#include <array>
#include <string>
#include <vector>

namespace warplens::gpu::flood {

/// Neighbours of a pixel: across edges or corners of its slice, across faces or corners of its volume.
enum class Connectivity { edges = 4, corners = 8, faces = 6, all = 26 };

using Place = std::array<std::int64_t, 3>;  ///< x, y, z

struct FloodOptions {
    std::vector<Place> seeds;  ///< all inside the picture
    double tolerance = 0;
    Connectivity connectivity = Connectivity::edges;
};

/// What the user may choose.
struct Chosen {
    std::string seeds{};
    double tolerance = 0;
    std::string connectivity{};
};
const BoundParameters<Chosen>& parameters();

/// Throws Error(argument) for what is out of range, seeds outside the picture included.
FloodOptions parseOptions(const ParameterValues& values, const io::Shape& shape);

}  // namespace warplens::gpu::flood
