// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/resample/arguments.hpp"
#include "gpu/frame/bound_parameters.hpp"

namespace warplens::gpu::resample {

/// What the user may choose.
struct Chosen {
    Method method{};
    double magnification = 0.5;
    int width = 0, height = 0;
    bool antialias = true;
};
const BoundParameters<Chosen>& parameters();

}  // namespace warplens::gpu::resample
