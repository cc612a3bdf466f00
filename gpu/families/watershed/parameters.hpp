// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/shared_parameters.hpp"

namespace warplens::gpu::watershed {

/// What the user may choose.
struct Chosen {
    Parameter::Value level{};
    double tolerance = 0.5;
    Dimensions dimensions = Dimensions::three;
    enum class Spacing { file, pixels } spacing{};
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::watershed
