// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"

namespace warplens::gpu::watershed {

/// What the user may choose.
struct Chosen {
    Parameter::Value level{};
    double tolerance = 0.5;
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::watershed
