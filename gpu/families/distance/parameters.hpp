// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"

namespace warplens::gpu::distance {

/// What the user may choose.
struct Chosen {
    Parameter::Value level{};
    bool squared = false;
    enum class Spacing { pixels, millimetres } spacing{};
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::distance
